/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draw a table whose columns are the values of a key. If its rows have several user
 * counts, there is a chart for each combination of their other keys, with a curve per
 * column; if its columns are user counts, there is a curve per row. Otherwise, each
 * row is a group of bars.
 */
#ifndef REPORT_TABLES_PLOT_H
#define REPORT_TABLES_PLOT_H

#include "doc/doc.h"
#include "report/tables/grid.h"

/* The charts of a document. */
struct plot {
	struct doc *doc;
	unsigned count; /* of the charts so far, for their IDs */
	/* The rest belongs to plot.c. */
	const struct grid *grid;
	const char *title, *heading;
};

/* Add the charts of a grid. `title` and `heading` are those of the table and its
 * figure. */
void plot_grid(struct plot *plot, const struct grid *grid, const char *title, const char *heading);

#endif
