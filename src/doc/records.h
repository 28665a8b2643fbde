/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of figures, with a record per row. Headings, forms and units come from
 * result/figures.h.
 */
#ifndef DOC_RECORDS_H
#define DOC_RECORDS_H

#include "doc/doc.h"
#include "result/result.h"

/* The part of a figure that a column shows. */
enum records_show {
	RECORDS_VALUE, /* of a count: the total of the repeats */
	RECORDS_MEAN,  /* the mean over the loops of a phase */
	/* The value if one user played the phase once; and if not. */
	RECORDS_ONCE,
	RECORDS_NOT_ONCE,
	/* Over the repeats of the row's point; unknown with one repeat. */
	RECORDS_MIN,
	RECORDS_MAX,
	RECORDS_SPREAD,
	/* Ratio to the row's `first` or `previous` record; unknown if it is NULL or
	 * this record. */
	RECORDS_TO_FIRST,
	RECORDS_TO_PREVIOUS,
	/* The ratio to `previous` as a change in per cent. */
	RECORDS_STEP,
};

/* Flags of a column besides enum doc_column_flags. */
enum {
	/* Unknown of a record with items. */
	RECORDS_UNLESS_ITEMS = 1 << 16,
};

struct records_column {
	enum figure figure;
	const char *heading; /* NULL: that of the figure */
	enum records_show show;
	unsigned flags; /* also enum doc_column_flags */
};

struct records_row {
	const struct record *record;      /* NULL: all unknown */
	const struct result_point *point; /* of this record; NULL: no spread */
	const struct record *first, *previous;
};

/* Add columns to a table, or their cells to its last row. With `open_loop`,
 * latencies are response times. */
void records_columns(struct doc *doc, const struct records_column *columns, size_t count,
		     bool open_loop);
void records_cells(struct doc *doc, const struct records_column *columns, size_t count,
		   const struct records_row *row);

/* Add a single column. */
void records_add_column(struct doc *doc, const struct records_column *column, bool open_loop);

/* Return what a column shows in a row, in the unit that number_print takes; or NAN if it
 * is unknown. */
double records_cell(const struct records_column *column, const struct records_row *row);

#endif
