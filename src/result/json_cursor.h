/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read values from an untrusted JSON file. A cursor is a value together with
 * its path in the file, for messages ("points[3].repeats[0].seconds").
 *
 * A function that returns a value sets the error if the value is not as
 * expected; what it returns then is meaningless. The first error wins, so a
 * caller can read many values before checking for an error.
 */
#ifndef RESULT_JSON_CURSOR_H
#define RESULT_JSON_CURSOR_H

#include "base/error.h"

#include <jansson.h>
#include <stdint.h>

struct json_cursor {
	const struct json_cursor *in; /* the value around this one; NULL: none */
	const char *key;              /* its name; NULL: it is in a list */
	size_t index;                 /* its index in the list */
	json_t *value;                /* NULL: the value is missing */
	const char *file;
	struct error *error;
};

/*
 * Read a file of up to `bytes_max` bytes and return a cursor to its top level.
 * Two members of an object with the same name are an error. Call
 * json_cursor_close even after an error.
 */
struct json_cursor json_cursor_open(const char *path, size_t bytes_max, struct error *error);
void json_cursor_close(struct json_cursor *root);

/* Return a cursor to a member of an object, or to an element of a list. The new
 * cursor refers to `cursor`, which must outlive it. */
struct json_cursor json_cursor_member(const struct json_cursor *cursor, const char *key);
struct json_cursor json_cursor_element(const struct json_cursor *cursor, size_t index);

/* Set the error "found ..., expected ..." for this value. */
void json_cursor_refuse(const struct json_cursor *cursor, const char *expected, ...)
	__attribute__((format(printf, 2, 3)));

/* Return the number of elements of a list; it must be from `min` to `max`. */
size_t json_cursor_list(const struct json_cursor *cursor, size_t min, size_t max);

/* Return a copy of the text, which the caller frees. */
char *json_cursor_text(const struct json_cursor *cursor);
bool json_cursor_truth(const struct json_cursor *cursor);
uint64_t json_cursor_count(const struct json_cursor *cursor, uint64_t min, uint64_t max);
double json_cursor_real(const struct json_cursor *cursor, double min, double max);

/* Return the string's index in `words`, which ends with NULL. */
unsigned json_cursor_word(const struct json_cursor *cursor, const char *const *words);

#endif
