/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of points in parts, for text that is printed while a run goes on. Its rows
 * are aligned even if they are in several tables.
 */
#ifndef REPORT_POINTS_H
#define REPORT_POINTS_H

#include "doc/records.h"

/* The columns of figures of points and loads. */
enum { POINT_COLUMNS = 12 };
extern const struct records_column point_columns[POINT_COLUMNS];

/* Add the rows of the points from index `first` up to `end`: one per point or, with
 * `each_repeat`, per repeat. */
void points_part(struct doc *doc, const struct result *result, size_t first, size_t end,
		 bool each_repeat);

/* Add the row of a repeat; without headings, if `is_headless`. */
void points_repeat(struct doc *doc, const struct result *result, const struct result_repeat *repeat,
		   bool is_headless);

#endif
