/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a state file (crash/state.h), split into words. Words are
 * separated by one blank. A word in double quotes may have blanks; in it, \xHH
 * is the byte with this number.
 */
#ifndef CRASH_LINE_H
#define CRASH_LINE_H

#include "base/error.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

enum {
	STATE_LINE_WORDS = 8,
	/* Each byte of a path may be \xHH. */
	STATE_LINE_BYTES = 4 * PATH_MAX + 128,
};

struct state_line {
	FILE *stream;
	const char *source;
	struct error *error; /* set by all functions that fail */
	unsigned number;     /* from 1 */
	char text[STATE_LINE_BYTES];
	char *words[STATE_LINE_WORDS]; /* without quotes; valid until the next
					* line is read */
	unsigned word_count;
};

/* Set the error to a message with the number of the line. Return -EINVAL. */
int state_line_refuse(const struct state_line *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Read the next line, which has at least one word. Return 1, or 0 at the end of
 * the file, or -errno. */
int state_line_next(struct state_line *line);

/* Check the number of words, without the first one. Return 0 or -EINVAL. */
int state_line_expect(const struct state_line *line, unsigned count);

/* Parse a word as a number, which messages call `what`. Return 0 or -EINVAL. */
int state_line_number(const struct state_line *line, unsigned word, const char *what, uint64_t min,
		      uint64_t max, uint64_t *value);

/* Return the value of a hexadecimal digit in lower case, or -1. */
int state_line_digit(char c);

/* Write a text in quotes. */
void state_line_quote(const char *text, FILE *stream);

#endif
