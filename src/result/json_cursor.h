/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read values from an untrusted JSON file. A cursor is a value together with
 * its path in the file, for messages ("points[3].repeats[0].seconds").
 *
 * The file's text is split into the texts of its members and of the elements of
 * its lists, which are parsed one after the other: a parsed file takes about ten
 * times the memory of its text.
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

/* A part of the text, which belongs to the file. */
struct json_text {
	const char *at, *end;
};

/*
 * Take the next element of a list or the next member of an object off `rest`,
 * which is the text from the list's or object's first character on at the first
 * call. Blanks around it are left out. The element is only split off, not
 * checked. Return 1, 0 if there is no other one, or -EINVAL with rest->at at the
 * character that is wrong.
 */
int json_text_element(struct json_text *rest, struct json_text *element);
int json_text_member(struct json_text *rest, struct json_text *key, struct json_text *value);

/* Return the text without the blanks around it. */
struct json_text json_text_trim(struct json_text text);

struct json_cursor {
	const struct json_cursor *in; /* the value around this one; NULL: none */
	const char *key;              /* its name; NULL: it is in a list */
	size_t index;                 /* its index in the list */
	json_t *value;                /* NULL: it is missing, or not parsed */
	struct json_text text;        /* of a value that is not parsed, or empty */
	const char *file;
	char *content; /* of the file; only in the root */
	struct error *error;
};

/*
 * Read a file of up to `bytes_max` bytes and return a cursor to its top level,
 * an object that is not parsed. Call json_cursor_close even after an error.
 */
struct json_cursor json_cursor_open(const char *path, size_t bytes_max, struct error *error);
void json_cursor_close(struct json_cursor *root);

/* Parse the value, if it is not parsed yet, or set the error. Two members of an
 * object with the same name are an error. Free it with json_cursor_release. */
void json_cursor_parse(struct json_cursor *cursor);
void json_cursor_release(struct json_cursor *cursor);

/* The members of an object that is not parsed. */
struct json_members {
	struct json_member {
		struct json_text key, value;
	} *list;
	size_t count;
};

/* Find the members. Call json_members_free even after an error. */
struct json_members json_members_of(const struct json_cursor *object);
void json_members_free(struct json_members *members);

/* Return a cursor to a member, which is not parsed. */
struct json_cursor json_members_get(const struct json_members *members,
				    const struct json_cursor *object, const char *key);

/*
 * Call `read` for each element of a list, until an error. If the list is not
 * parsed, only the current element is, and only during the call. The list may
 * have up to `max` elements.
 */
void json_cursor_each(const struct json_cursor *list, size_t max,
		      void (*read)(void *context, const struct json_cursor *element),
		      void *context);

/* Return a cursor to a member of an object, or to an element of a list. The new
 * cursor refers to `cursor`, which must outlive it. */
struct json_cursor json_cursor_member(const struct json_cursor *cursor, const char *key);
struct json_cursor json_cursor_element(const struct json_cursor *cursor, size_t index);

/* Set the error "found ..., expected ..." for this value. */
void json_cursor_refuse(const struct json_cursor *cursor, const char *expected, ...)
	__attribute__((format(printf, 2, 3)));

/* Return the number of elements of a list; it must be from `min` to `max`
 * (SIZE_MAX: any). */
size_t json_cursor_list(const struct json_cursor *cursor, size_t min, size_t max);

/* Return a copy of the text, which the caller frees. */
char *json_cursor_text(const struct json_cursor *cursor);
bool json_cursor_truth(const struct json_cursor *cursor);
uint64_t json_cursor_count(const struct json_cursor *cursor, uint64_t min, uint64_t max);
double json_cursor_real(const struct json_cursor *cursor, double min, double max);

/* Return the string's index in `words`, which ends with NULL. */
unsigned json_cursor_word(const struct json_cursor *cursor, const char *const *words);

#endif
