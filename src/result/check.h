/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of values that must fit together in a result that was read. All are
 * hooks of schema.h's rows (schema_row.check); they refuse through the cursor.
 */
#ifndef RESULT_CHECK_H
#define RESULT_CHECK_H

#include "result/json_cursor.h"

/* No load has more words for operations. */
enum { CHECK_OPERATIONS_MAX = 250 };

/* struct result_target: completes it. */
void check_facts(const struct json_cursor *facts, void *record);

/* struct result_histogram: cells are some of base/histogram.h's, in order. */
void check_histogram(const struct json_cursor *object, void *record);

/*
 * struct result_repeat: it is valid if there is no reason against it; its rates
 * are what its counts give, and its histograms hold what was played.
 */
void check_repeat(const struct json_cursor *repeat, void *record);

/* struct result_point: its operations are few enough for a load. */
void check_point(const struct json_cursor *point, void *record);

/* struct result: its points are sorted by users. */
void check_points(const struct json_cursor *points, void *record);

#endif
