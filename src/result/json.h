/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write a result as JSON, schema "throng-results/1" (see throng-results(5)).
 */
#ifndef RESULT_JSON_H
#define RESULT_JSON_H

#include "result/schema.h"

#include <jansson.h>
#include <stdio.h>

/* Write results[0]; `count` is ignored, as a file holds a single result.
 * Return 0 or -ENOMEM. */
int json_write(const struct result *results, size_t count, FILE *stream);

/* Return a record as a JSON object, or NULL if memory is short. */
json_t *json_of_rows(const struct schema_row *rows, const void *record);

/* Write a list or object, with each element on a line of its own. An element
 * that contains no objects or lists is written on one line. */
void json_print(const json_t *value, FILE *stream);

#endif
