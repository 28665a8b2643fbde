/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Consistency checks of a result that was read from a file: values that must
 * agree with each other. All are hooks of schema rows (schema_row.check) and
 * report errors through the cursor.
 */
#ifndef RESULT_CHECK_H
#define RESULT_CHECK_H

#include "result/json_cursor.h"

/* Max number of different operation names in a load. */
enum { CHECK_OPERATIONS_MAX = 250 };

/* struct result_target: set `protection` if the file has none. */
void check_facts(const struct json_cursor *facts, void *record);

/* struct result_histogram: each cell exists in base/histogram.h; the cells are
 * in ascending order. */
void check_histogram(const struct json_cursor *object, void *record);

/*
 * struct result_repeat: `valid` agrees with `invalid`, the rates agree with
 * counts and seconds, and the histograms with the number of operations.
 */
void check_repeat(const struct json_cursor *repeat, void *record);

/* struct result_point: it has at most CHECK_OPERATIONS_MAX operation names. */
void check_point(const struct json_cursor *point, void *record);

/* struct result: the points are sorted by users, without duplicates. */
void check_points(const struct json_cursor *points, void *record);

#endif
