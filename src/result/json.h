/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write a result as JSON, schema "throng-results/2" (see throng-results(5)).
 */
#ifndef RESULT_JSON_H
#define RESULT_JSON_H

#include "result/schema.h"

#include <jansson.h>
#include <stdio.h>

/* Write results[0]; `count` is ignored, as a file holds a single result.
 * Return 0. */
int json_write(const struct result *results, size_t count, FILE *stream);

/* Write a record of which all rows have keys. Each element of a list or object
 * is on a line of its own, and one that contains no objects or lists is on one
 * line. */
void json_print(const struct schema_row *rows, const void *record, FILE *stream);

/* Add the rows of a record to an object. `valid` says if the record is part of a
 * valid measurement. */
void json_set_rows(json_t *object, const struct schema_row *rows, const void *record, bool valid);

/* Return the text as a JSON string in UTF-8, or NULL if it is NULL: jansson leaves
 * out a member that is set to NULL. */
json_t *json_of_text(const char *text);

/* A list that is being written (schema_row.print). */
struct json_list {
	FILE *stream;
	int depth; /* of nested lists and objects */
	size_t count;
};

/* Write the next row of a list on a line, and release it. */
void json_list_add(struct json_list *list, json_t *row);

#endif
