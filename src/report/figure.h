/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures as text for people, and tables of them: a row per point, operation or
 * phase, a column per figure. Each time has its own unit.
 */
#ifndef REPORT_FIGURE_H
#define REPORT_FIGURE_H

#include "result/record.h"

#include <stdio.h>

/* The figures of a row. */
struct figure_row {
	const char *name; /* not escaped */
	const struct record *record;
	/* All records, for columns that show a phase of the row's load. */
	const struct records *records;
};

struct figure_column {
	enum figure figure;
	/* Escaped, shorter than FIGURE_TEXT. NULL: that of the figure. */
	const char *heading;
	/* The phase of the row's load that it shows. NULL: the row's record. */
	const char *phase;
	/* Check if it shows the figure of a record. NULL: of all records. */
	bool (*shows)(const struct record *record);
	int width; /* min width in columns; the heading may need more */
	/* Show a sum over the loops of a phase as the mean of a loop. */
	bool is_mean;
	/* figure_table leaves the column out if no row has a value above 0. */
	bool is_optional;
	/* The first column of latencies: its heading begins with "response" in
	 * a paced replay. */
	bool is_response;
};

/* Buffer size for a figure or a heading. */
enum { FIGURE_TEXT = 48 };

/*
 * Print a value in the form's unit. Times and shares have a unit; that of a rate
 * is in its heading. A rate has two decimals, or fewer if it would take more
 * than `width` columns (0: any width). Return `text`.
 */
char *figure_print(enum figure_form form, double value, int width, char text[FIGURE_TEXT]);

/* Write text in at least `width` columns, on the right. */
void figure_write_right(const char *text, int width, FILE *stream);

/* Write the headings, or the values of a row, each after a blank, for tables
 * whose rows are not all known in advance. Lines with the same columns are
 * aligned as long as the values fit. `paced`: the replay is (is_response). */
void figure_headings(const struct figure_column *columns, size_t count, bool paced, FILE *stream);
void figure_values(const struct figure_column *columns, size_t count, bool paced,
		   const struct figure_row *row, FILE *stream);

/*
 * Write a table: the headings, and a line per row. Each column is as wide as
 * its widest value. `heading` is that of the names, which are on the left, or
 * on the right if they are numbers. `paced`: as above. Write nothing if memory
 * is short.
 */
void figure_table(const char *heading, bool numbered, bool paced,
		  const struct figure_column *columns, size_t count, const struct figure_row *rows,
		  size_t row_count, FILE *stream);

#endif
