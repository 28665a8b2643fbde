/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors: a message, and the place in an input that caused it.
 *
 * Functions return >= 0 or -errno; the one that knows what was expected also
 * describes the error in an error object. The first error wins: later ones are
 * its consequences.
 * The object holds no pointers, so it can lie in shared memory.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

struct error {
	bool set;
	unsigned line;   /* 1-based; 0: the error has no line */
	unsigned column; /* 1-based, in bytes; 0: no column */
	char source[256]; /* a file name; empty: none */
	char text[768];  /* one sentence without a full stop */
};

/* Number of errors of one input that are kept for printing. */
enum { ERRORS_KEPT = 20 };

/* The errors of one input: the first ERRORS_KEPT of `count`. */
struct errors {
	size_t count;
	struct error kept[ERRORS_KEPT];
};

/* Set `error`, unless it is set already. */
void error_set(struct error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Like error_set(), with the place in an input. */
void error_set_at(struct error *error, const char *source, unsigned line,
		  unsigned column, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Set `error` to "out of memory". Returns -ENOMEM. */
int error_no_memory(struct error *error);

/*
 * Write "source:line:column: text" (as far as the parts are known) into
 * `buffer`, cut at `size` bytes, control characters as `?`. Returns `buffer`.
 */
char *error_print(const struct error *error, char *buffer, size_t size);

/* Count `error`, and keep a copy if there is room. */
void errors_add(struct errors *errors, const struct error *error);

#endif
