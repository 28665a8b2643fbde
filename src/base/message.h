/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages to stderr; no other module writes to it. Each line starts with the
 * program's name.
 */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include "base/error.h"

/* Set the name that messages start with. The string is not copied. */
void message_name(const char *name);

/* Print "throng: TEXT", with TEXT from error_print(). */
void message_error(const struct error *error);

/* Print each kept error on its own line, then the number of the errors that
 * were not kept. */
void message_errors(const struct errors *errors);

/* Print "throng: warning: TEXT". */
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print "throng: note: TEXT", for behaviour that users may not expect. */
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Return the descriptor of stderr, for the output of commands such as
 * --before. */
int message_descriptor(void);

#endif
