/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of a table that name a point: its users, and the values of the axes of
 * --sweep.
 */
#ifndef REPORT_LABELS_H
#define REPORT_LABELS_H

#include "doc/records.h"
#include "report/naming.h"

struct labels {
	const struct result_run *run;
	struct records_label *columns; /* for struct records_table */
	size_t count;
	struct naming *naming; /* short names of values */
	const char ***rows;    /* owned lists of texts */
	size_t row_count;
};

/* Make the columns for a run, which must outlive them. Return 0 or -ENOMEM; call
 * labels_free in both cases. */
int labels_make(struct labels *labels, const struct result_run *run);
void labels_free(struct labels *labels);

/* Return the texts of a row, one per column, which `labels` owns; or NULL if memory is
 * short. `set` is as in struct result_point. */
const char *const *labels_row(struct labels *labels, unsigned users, char *const *set,
			      size_t set_count);

/* Add the columns to a table that has no records, or the cells to its last row. */
void labels_columns(struct doc *doc, const struct labels *labels);
void labels_cells(struct doc *doc, const struct labels *labels, unsigned users, char *const *set,
		  size_t set_count);

#endif
