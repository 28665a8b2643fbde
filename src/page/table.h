/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of a page. A part of the page describes its columns and rows, and
 * table_write makes the cells.
 */
#ifndef PAGE_TABLE_H
#define PAGE_TABLE_H

#include "page/page.h"

struct row {
	/* One per side; each may be NULL. */
	const struct result_point *const *points;
	/* Changes are relative to this point; or NULL. */
	const struct result_point *base;
	struct record_key key; /* of the points' records; empty: their totals */
	size_t index;          /* index of the result, or of the page's row */
	const char *class;     /* CSS class of the row; NULL: none */
	bool is_void;          /* the point is not valid: write a single cell */
};

struct column {
	const char *heading; /* NULL: the page's unit of throughput */
	/* The content of a cell, by the first of these that is not NULL: write
	 * writes text; value returns a number, or NAN if it is unknown. If both
	 * are, the cell has this figure, or the throughput (FIGURES). */
	void (*write)(const struct page *page, const struct row *row, size_t side);
	double (*value)(const struct page *page, const struct row *row,
			const struct result_point *point);
	enum figure figure;
	const char *class; /* CSS class of its cells; NULL: none */
	bool is_change;    /* its numbers are shares, written "+12.3 %" */
	bool is_mean;      /* its numbers are means over the loops of a phase */
	/* Add a column of changes for each side after the first. */
	bool is_compared;
	bool is_single; /* the column is left out if there are several sides */
	/* The column is left out if no row has a number > 0. */
	bool is_optional;
	/* The first column of latencies: its heading begins with "response" if
	 * they are response times. */
	bool is_response;
};

/* Return the record of a row for one side, or NULL. */
const struct record *table_record(const struct row *row, size_t side);

/*
 * Write a table of `sides` results. The first column has the rows' headings,
 * and each other column is written once per side. A column without any known
 * number is left out.
 */
void table_write(const struct page *page, const char *class, size_t sides,
		 const struct column *columns, size_t column_count, const struct row *rows,
		 size_t row_count);

#endif
