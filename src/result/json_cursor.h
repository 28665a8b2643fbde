/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places in a JSON file that somebody else wrote: a value, and the way to it
 * for messages ("points[3].repeats[0].seconds").
 *
 * What takes a value out of a place sets the error where that is not what was
 * expected, and returns nothing of use then. The first error wins, so many
 * values can be taken before one looks at it.
 */
#ifndef RESULT_JSON_CURSOR_H
#define RESULT_JSON_CURSOR_H

#include "base/error.h"

#include <jansson.h>
#include <stdint.h>

struct json_cursor {
	const struct json_cursor
		*in;		/* the place around it; NULL: the whole file */
	const char *key;        /* its name in there, or ... */
	size_t index;           /* ... its number */
	json_t *value;          /* NULL: nothing is there */
	const char *file;
	struct error *error;
};

/*
 * Reads a file of `bytes_max` bytes at the most; a name given twice in one
 * object is an error. To be closed, also after an error.
 */
struct json_cursor json_cursor_open(const char *path, size_t bytes_max,
				    struct error *error);
void json_cursor_close(struct json_cursor *root);

/* What `place` holds under that name, or as that element, if anything. */
struct json_cursor json_cursor_member(const struct json_cursor *cursor,
				      const char *key);
struct json_cursor json_cursor_element(const struct json_cursor *cursor,
				       size_t index);

/* Tells that what is found there is not what was expected. */
void json_cursor_refuse(const struct json_cursor *cursor, const char *expected,
			...) __attribute__((format(printf, 2, 3)));

/* The elements of a list, `least` to `most`. */
size_t json_cursor_list(const struct json_cursor *cursor, size_t min,
			size_t max);

/* To be freed. */
char *json_cursor_text(const struct json_cursor *cursor);
bool json_cursor_truth(const struct json_cursor *cursor);
uint64_t json_cursor_count(const struct json_cursor *cursor, uint64_t min,
			   uint64_t max);
double json_cursor_real(const struct json_cursor *cursor, double min,
			double max);

/* Which of the words, which NULL ends, it is. */
unsigned json_cursor_word(const struct json_cursor *cursor,
			  const char *const *words);

#endif
