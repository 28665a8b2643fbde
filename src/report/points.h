/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables with a row per point, whose first columns name it: its users, and the values
 * of the axes of --sweep, with short names.
 */
#ifndef REPORT_POINTS_H
#define REPORT_POINTS_H

#include "doc/records.h"
#include "result/combine.h"

struct points_table {
	struct doc *doc;
	const struct result_run *run;
	struct naming *naming;
};

/* Begin a table with these columns (enum doc_table_flags). Call points_end. */
struct points_table points_begin(struct doc *doc, const struct result_run *run, unsigned flags);

/* Begin a row with the cells that name a point. */
void points_row(const struct points_table *table, const struct result_point *point,
		enum doc_class class);

void points_end(const struct points_table *table);

/* Add the columns of a sample, and the cells of a point. */
void points_sample_columns(struct doc *doc, const char *name);
void points_sample_cells(struct doc *doc, const struct combine_sample *sample);

/* The columns of figures of points. Those that only loads have are the last ones: of
 * points, section_details shows them. */
enum { POINT_COLUMNS = 10, LOAD_COLUMNS = 12 };
extern const struct records_column point_columns[LOAD_COLUMNS];

/*
 * The table of points in parts, for text that is printed while a run goes on. Rows are
 * aligned even if they are in several tables. Add the repeats of the points from index
 * `first` up to `end`; or only one, without headings if `is_headless`.
 */
void points_repeats(struct doc *doc, const struct result *result, size_t first, size_t end);
void points_repeat(struct doc *doc, const struct result *result, const struct result_repeat *repeat,
		   bool is_headless);

#endif
