/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of points while a sweep runs. On a terminal, it is redrawn after each
 * repeat, with a row and a bar per point; otherwise each repeat adds a row.
 */
#ifndef REPORT_LIVE_H
#define REPORT_LIVE_H

#include "result/result.h"

#include <stdbool.h>
#include <stdio.h>

struct live_table {
	FILE *stream;
	bool terminal;
	bool blocks; /* the terminal has block elements (Unicode) */
	/* Something else was printed, so the table can no longer be redrawn: add a
	 * row for each repeat from now on. */
	bool broken;
	bool headed;  /* a heading is printed: the next row needs none */
	size_t lines; /* number of lines to overwrite on the next redraw */
};

void live_table_open(struct live_table *table, bool terminal, FILE *stream);

/* Add a finished repeat. The cursor must be at the start of an empty line. */
void live_table_repeat(struct live_table *table, const struct result *result,
		       const struct result_repeat *repeat);

/* Add the last step of a search for a rate (--find-rate), which has a table of its
 * own, with a heading above the first step of a point. */
void live_table_try(struct live_table *table, const struct result_run *run,
		    const struct result_point *point);

/* Call this before printing anything else: the table leaves the rows that it has drawn
 * as they are, and adds new rows below, after a blank line. */
void live_table_break(struct live_table *table);

#endif
