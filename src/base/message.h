/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The only writer to stderr. Every line begins with the program's name.
 */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include "base/error.h"

/* From here on the program has another name, which stays the caller's. */
void message_name(const char *name);

/* "throng: TEXT" with TEXT as error_print gives it. */
void message_error(const struct error *error);

/* Each kept error on a line of its own, then how many more there were. */
void message_errors(const struct errors *errors);

/* "throng: warning: TEXT" */
void message_warning(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* "throng: note: TEXT": what the program does that might not be expected. */
void message_note(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* The descriptor that messages go to, for the output of commands that are run. */
int message_descriptor(void);

#endif
