/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cursor into a JSON file that somebody else wrote: a value, and the way to
 * it for messages ("points[3].repeats[0].seconds").
 *
 * The functions that return a value set the error if the value is not what was
 * expected, and then return nothing of use. The first error wins, so the caller
 * can take many values before it looks at the error.
 */
#ifndef RESULT_JSON_CURSOR_H
#define RESULT_JSON_CURSOR_H

#include "base/error.h"

#include <jansson.h>
#include <stdint.h>

struct json_cursor {
	const struct json_cursor
		*in;		/* the value around it; NULL: the whole file */
	const char *key;        /* its name in there, or ... */
	size_t index;           /* ... its number */
	json_t *value;          /* NULL: nothing is there */
	const char *file;
	struct error *error;
};

/*
 * Read a file of up to `bytes_max` bytes; a name given twice in one object is
 * an error. The caller closes it, also after an error.
 */
struct json_cursor json_cursor_open(const char *path, size_t bytes_max,
				    struct error *error);
void json_cursor_close(struct json_cursor *root);

/* Return the member of that name, or the element: of an object or list that
 * stays where it is as long as the new cursor is used. */
struct json_cursor json_cursor_member(const struct json_cursor *cursor,
				      const char *key);
struct json_cursor json_cursor_element(const struct json_cursor *cursor,
				       size_t index);

/* Set the error: the value is not what was expected. */
void json_cursor_refuse(const struct json_cursor *cursor, const char *expected,
			...) __attribute__((format(printf, 2, 3)));

/* Return the number of elements of a list, `min` to `max`. */
size_t json_cursor_list(const struct json_cursor *cursor, size_t min,
			size_t max);

/* Return a copy of the text, which the caller frees. */
char *json_cursor_text(const struct json_cursor *cursor);
bool json_cursor_truth(const struct json_cursor *cursor);
uint64_t json_cursor_count(const struct json_cursor *cursor, uint64_t min,
			   uint64_t max);
double json_cursor_real(const struct json_cursor *cursor, double min,
			double max);

/* Return the index of the word in `words`, which NULL ends. */
unsigned json_cursor_word(const struct json_cursor *cursor,
			  const char *const *words);

#endif
