/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of points while a sweep runs. On a terminal, it is redrawn after
 * each repeat, with a row and a bar per point; otherwise each repeat adds a
 * row.
 */
#ifndef TEXT_TABLE_H
#define TEXT_TABLE_H

#include "result/result.h"

#include <stdbool.h>
#include <stdio.h>

struct table {
	FILE *stream;
	bool terminal;
	bool blocks; /* the terminal has block elements (Unicode) */
	/* Something else was printed, so the table can no longer be redrawn:
	 * add a row for each repeat from now on. */
	bool broken;
	bool headed;  /* a heading is printed: the next row needs none */
	size_t lines; /* number of lines to overwrite on the next redraw */
};

void table_open(struct table *table, bool terminal, FILE *stream);

/* Add a finished repeat. The cursor must be at the start of an empty line. */
void table_repeat(struct table *table, const struct result *result,
		  const struct result_repeat *repeat);

/* Call this before printing anything else: the table leaves the rows that it
 * has drawn as they are, and adds new rows below, after a blank line. */
void table_break(struct table *table);

#endif
