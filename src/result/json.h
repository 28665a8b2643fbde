/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result as JSON, schema "throng-results/1": throng-results(5).
 */
#ifndef RESULT_JSON_H
#define RESULT_JSON_H

#include "result/result.h"

#include <jansson.h>
#include <stdio.h>

/* For output's list of formats; writes one result. */
int json_write(const struct result *results, size_t count, FILE *stream);

/* Parts, for what holds a result and more. NULL: no memory. */
json_t *json_of_result(const struct result *result);
json_t *json_of_reasons(const struct result_reasons *reasons);

/* Of any bytes; what is no UTF-8 is shown as question marks. */
json_t *json_of_text(const char *text);

/* Rounded to so many digits, wherever the point is. */
json_t *json_of_real(double value, int digits);

/* Writes a value, a line each for its parts, and those flat on theirs. */
void json_print(const json_t *value, FILE *stream);

#endif
