/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check that the values of a result file agree with each other: counts with the
 * lists that they count, sums with their parts. The functions are hooks of
 * schema rows (schema_row.check) and report errors through the cursor.
 */
#ifndef RESULT_CHECK_H
#define RESULT_CHECK_H

#include "result/json_cursor.h"

/* Max number of different operation names in a load. */
enum { CHECK_OPERATIONS_MAX = 250 };

/* Max number of loads of a run. */
enum { CHECK_LOADS_MAX = 256 };

/* Max number of phases of a load. */
enum { CHECK_PHASES_MAX = 64 };

/* Max number of points of a result, and of repeats of a point. */
enum { CHECK_POINTS_MAX = 10000 };

/* Max number of differences (--verify) that are described. */
enum { CHECK_DIFFERENCES_MAX = 64 };

/* For struct result_run: check that it has either one load, or a list of two or
 * more with their weights. */
void check_run(const struct json_cursor *run, void *record);

/* For struct result_target: set `protection` to "" if the file has none. */
void check_facts(const struct json_cursor *facts, void *record);

/* For struct result_histogram: check that each cell starts where a cell of
 * base/histogram.h starts, and that the cells are in ascending order. */
void check_histogram(const struct json_cursor *object, void *record);

/* For struct result_repeat: check that `valid` agrees with `invalid`, the rates
 * with counts and seconds, the histograms with the number of operations, and
 * the sums of the loads with those of all users. */
void check_repeat(const struct json_cursor *repeat, void *record);

/* For struct result_point: check that it has at most CHECK_OPERATIONS_MAX
 * different operation names, with those of its phases and loads, and each load
 * at most CHECK_PHASES_MAX different phase names. */
void check_point(const struct json_cursor *point, void *record);

/* For struct result_run: check that the axes have different names, that no axis
 * has a value twice, and that the variants are all combinations of the values,
 * in order, each with as many loads as the run. */
void check_variants(const struct json_cursor *variants, void *record);

/* For struct result: find the variant of each point, and check that the points
 * are sorted by variant and number of users, without duplicates, and that they
 * have figures of each load of the run. */
void check_points(const struct json_cursor *points, void *record);

#endif
