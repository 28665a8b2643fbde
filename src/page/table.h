/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of a page: columns and rows, from which table_write makes cells.
 */
#ifndef PAGE_TABLE_H
#define PAGE_TABLE_H

#include "page/page.h"

struct row {
	const struct result_point *const *points; /* of each side, or NULL */
	const struct result_point *base; /* changes are against it, or NULL */
	const char *operation; /* NULL: the figures of all operations */
	size_t index;          /* of the result or of the page's row */
	const char *class;     /* NULL: none */
	bool is_void; /* its point is not valid: there is one cell for it all */
};

struct column {
	const char *heading; /* NULL: the unit of throughput */
	/* The first of these that there is makes the cell: its text; a number,
	 * which is NAN where it is not known; a metric by its name; or else
	 * the throughput. */
	void (*write)(const struct page *page, const struct row *row,
		      size_t side);
	double (*value)(const struct page *page, const struct row *row,
			const struct result_point *point);
	const char *metric;
	const char *class; /* of the cells; NULL: none */
	bool is_change;    /* a share, written "+12.3 %" */
	bool is_compared;  /* a column of changes follows for other sides */
	bool is_of_one;    /* left out where there are several sides */
	bool is_optional;  /* 0 says nothing: left out where no row has more */
};

/*
 * Write a table of `sides` results. The first column is the rows' headings; of
 * the others there is one for each side. A column of which no row knows the
 * number is left out.
 */
void table_write(const struct page *page, const char *class, size_t sides,
		 const struct column *columns, size_t column_count,
		 const struct row *rows, size_t row_count);

#endif
