/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values that programs for CI and monitoring get of a result: a few figures
 * of each valid point, those of --figures, each with the range of its repeats.
 */
#ifndef EXPORT_VALUES_H
#define EXPORT_VALUES_H

#include "export/formats.h"

#include <jansson.h>

struct value {
	const struct result_point *point;
	const struct record *record; /* of the point */
	enum figure figure;
	double value;     /* in the unit of files (figure_unit) */
	double low, high; /* the range over the repeats; NAN: there is none */
	char *name;       /* see values_find */
};

struct values {
	struct value *list;
	size_t count;
};

/*
 * Parse the list of --figures: names as in conditions, separated by commas. Set
 * *metrics, which the caller frees. Return 0, or -errno with `error` set.
 */
int values_parse(const char *list, struct metric **metrics, size_t *count, struct error *error);

/*
 * Collect the known values of a result, point by point, in the order of the
 * figures; mb_per_s, ops_per_s, p50_ms and p99_ms of the totals are the default.
 * A figure counts once, whatever names it has in the list.
 *
 * The name of a value says what it is of: the users, the values of the axes, and
 * the operation or phase: "users=8/bs=4Ki/ReadX", "users=8/phase.create". It is
 * safe to print, has at most 1024 bytes and does not end with a blank, as Bencher
 * requires; the end of a longer one is replaced by a hash.
 *
 * Return 0 or -ENOMEM; call values_free in both cases.
 */
int values_find(const struct export *export, const struct result *result, struct values *values);

void values_free(struct values *values);

/* Write JSON, and release it. Return 0 or -ENOMEM. */
int values_write_json(json_t *json, FILE *stream);

/* Print a number without trailing zeros, and never with an exponent; or nothing if
 * it is unknown. */
void value_print(double value, FILE *stream);

#endif
