/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors: a message, and the place in the input file that caused it.
 *
 * A function that can fail returns a negative errno. The function that detects
 * the error also describes it in a struct error. If several functions describe
 * an error in the same struct, the first description is kept, since later
 * errors are usually consequences of the first. The struct has no pointers, so
 * it can be in shared memory. message.h prints errors.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

struct error {
	bool set;
	unsigned line;    /* 1-based; 0: the error has no line */
	unsigned column;  /* 1-based, in bytes; 0: the error has no column */
	char source[256]; /* the input file's name; "": not about a file */
	char text[768];   /* one sentence without a full stop */
};

/* Max number of errors per input file that are kept for printing. */
enum { ERRORS_KEPT = 20 };

/* The errors of one input file. Only the first ERRORS_KEPT are kept. */
struct errors {
	size_t count; /* number of errors found, including those not kept */
	struct error kept[ERRORS_KEPT];
};

/* Set `error`, unless it is set already. */
void error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like error_set(), but also set the place in the input file. */
void error_set_at(struct error *error, const char *source, unsigned line, unsigned column,
		  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Put this before the text of an error that is set. */
void error_prefix(struct error *error, const char *prefix);

/* Set `error` to "out of memory". Return -ENOMEM. */
int error_no_memory(struct error *error);

/*
 * Write "source:line:column: text" into `buffer`, without the parts that are
 * unknown. Truncate it to `size` bytes, and mask it (utf8.h).
 * Return `buffer`.
 */
char *error_print(const struct error *error, char *buffer, size_t size);

/* Count `error`, and keep a copy if it is one of the first ERRORS_KEPT. */
void errors_add(struct errors *errors, const struct error *error);

#endif
