/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result as JSON, schema "throng-results/1": throng-results(5).
 */
#ifndef RESULT_JSON_H
#define RESULT_JSON_H

#include "result/schema.h"

#include <jansson.h>
#include <stdio.h>

/* For output's list of formats; writes one result. */
int json_write(const struct result *results, size_t count, FILE *stream);

/* Return a record as an object, or NULL: no memory. */
json_t *json_of_rows(const struct schema_row *rows, const void *record);

/* Write a value: a line for each of its parts, and flat parts on one line. */
void json_print(const json_t *value, FILE *stream);

#endif
