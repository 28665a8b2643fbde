/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures as text for people, and tables of them: a row per point, operation or
 * phase, a column per figure. Each time has its own unit.
 */
#ifndef REPORT_FIGURE_H
#define REPORT_FIGURE_H

#include "result/metric.h"
#include "result/result.h"

#include <stdio.h>

/* Kinds of figures, and the units of their values. */
enum figure_form {
	FIGURE_COUNT,
	FIGURE_BYTES,
	FIGURE_RATE,  /* MB/s; shown in the unit of rate.h */
	FIGURE_OPS,   /* operations per second */
	FIGURE_TIME,  /* ns */
	FIGURE_SHARE, /* per cent */
};

/* The figures of a row. */
struct figure_row {
	const char *name; /* not escaped */
	const struct result_figures *figures;
	/* One operation of these figures; NULL: all operations together. */
	const struct result_operation *operation;
	/* Number of measurements of which `figures` sums up the seconds and the
	 * CPU time, at least 1. */
	size_t measurements;
};

struct figure_column {
	/* The metric that it shows. NULL: `value` and `form` say what to show.
	 * That of a phase of the load, such as "phase.create.p99", needs a row
	 * of all operations. */
	const char *metric;
	/* Escaped, shorter than FIGURE_TEXT. NULL: that of the metric. */
	const char *heading;
	enum figure_form form;
	/* Get the value; return false if it is unknown. */
	bool (*value)(const struct figure_row *row, double *value);
	int width; /* min width in columns; the heading may need more */
	/* figure_table leaves the column out if no row has a value above 0. */
	bool is_optional;
	/* The first column of latencies: its heading begins with "response" in
	 * a paced replay. */
	bool is_response;
};

/* Buffer size for a figure or a heading. */
enum { FIGURE_TEXT = 48 };

/*
 * Print a value. Times and shares have a unit; that of a rate is in its
 * heading. A rate has two decimals, or fewer if it would take more than `width`
 * columns (0: any width). Return `text`.
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

/* Columns for tables: the length of one measurement, and the CPU time that its
 * users took. */
#define FIGURE_ELAPSED {.heading = "elapsed", .form = FIGURE_TIME, .value = figure_elapsed}
#define FIGURE_USER {.heading = "user", .form = FIGURE_TIME, .value = figure_user}
#define FIGURE_SYSTEM {.heading = "system", .form = FIGURE_TIME, .value = figure_system}
bool figure_elapsed(const struct figure_row *row, double *value);
bool figure_user(const struct figure_row *row, double *value);
bool figure_system(const struct figure_row *row, double *value);

#endif
