/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of points as it grows while a sweep runs: on a terminal it is drawn
 * anew, with a row and a bar for each point; otherwise it has a row for each
 * repeat.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "result/result.h"

#include <stdbool.h>
#include <stdio.h>

struct table {
	FILE *stream;
	bool terminal;
	bool blocks;  /* the terminal has block elements (Unicode) */
	bool broken;  /* rows stay as they are: from now on one per repeat */
	bool headed;  /* the last row's heading serves the next one, too */
	size_t lines; /* drawn, and still to be drawn over */
};

void table_open(struct table *table, bool terminal, FILE *stream);

/* A repeat is done; the cursor is at the beginning of an empty line. */
void table_repeat(struct table *table, const struct result *result,
		  const struct result_repeat *repeat);

/* Something else will be written below the table: what is drawn stays. */
void table_break(struct table *table);

#endif
