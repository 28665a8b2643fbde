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

struct place {
	const struct place *in; /* the place around it; NULL: the whole file */
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
struct place place_open(const char *path, size_t bytes_max,
			struct error *error);
void place_close(struct place *root);

/* What `place` holds under that name, or as that element, if anything. */
struct place place_member(const struct place *place, const char *key);
struct place place_element(const struct place *place, size_t index);

/* Tells that what is found there is not what was expected. */
void place_refuse(const struct place *place, const char *expected, ...)
	__attribute__((format(printf, 2, 3)));

/* The elements of a list, `least` to `most`. */
size_t place_list(const struct place *place, size_t least, size_t most);

/* To be freed. */
char *place_text(const struct place *place);
bool place_truth(const struct place *place);
uint64_t place_count(const struct place *place, uint64_t least, uint64_t most);
double place_real(const struct place *place, double least, double most);

/* Which of the words, which NULL ends, it is. */
unsigned place_word(const struct place *place, const char *const *words);

#endif
