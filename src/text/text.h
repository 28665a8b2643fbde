/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result as text for people: header, table of points, operations, summary,
 * warnings. Text from outside is escaped.
 */
#ifndef TEXT_TEXT_H
#define TEXT_TEXT_H

#include "result/result.h"

#include <stdio.h>

/*
 * Write the header: load, targets, settings, and how long the run takes.
 * `max_ns` is the time limit of the run: CLOCK_NEVER if it has none, 0 if the
 * run is over.
 */
void text_header(const struct result_run *run, uint64_t max_ns, FILE *stream);

/* Write the header of a comparison of two runs that differ in their targets. */
void text_headers(const struct result_run *base, const struct result_run *new, uint64_t max_ns,
		  FILE *stream);

/* Write the heading of the table of points, and a row for each repeat. */
void text_heading(const struct result_run *run, FILE *stream);
void text_repeat(const struct result *result, const struct result_repeat *repeat, FILE *stream);

/* Write the row of a valid point without the line end; or only its figures, or
 * those of a load. */
void text_point(const struct result *result, const struct result_point *point, FILE *stream);
void text_figures(const struct result_run *run, const struct record *record, FILE *stream);

/*
 * Write the summary: the spread of the repeats, loop times, the measured peak,
 * the fitted scaling law and the limits, as far as the result has them.
 */
void text_summary(const struct result *result, FILE *stream);

/* If the run has several loads: write the figures of each load at each valid
 * point. */
void text_loads(const struct result *result, FILE *stream);

/* Write a title with the name and the users of one of several loads. The table
 * after it ends its line. */
void text_load_title(const struct record *load, FILE *stream);

/* Write tables of the operations, sorted by their total time: of all users
 * together, of each phase, and of each load if the run has several. `paced`, here
 * and below: their latencies are response times. */
void text_operations(bool paced, const struct records *records, FILE *stream);

/* Write a table of the phases of each load that has phases; the times are means
 * of its loops. */
void text_phases(bool paced, const struct records *records, FILE *stream);

/* For each load that has phases, if there are several points or repeats: write
 * tables of the phases' rates, with a row for each valid point. */
void text_phase_rates(const struct result *result, FILE *stream);

/* Write the last step of a search for a rate (--find-rate), after a heading if
 * it is the first one. */
void text_rate_step(const struct result_run *run, const struct result_point *point, FILE *stream);

/* Write the rates that were found. */
void text_found_rates(const struct result *result, FILE *stream);

/* Write the warnings of a result, each once; or those of a list. */
void text_warnings(const struct result *result, FILE *stream);
void text_notices(const struct notices *warnings, FILE *stream);

/*
 * Write text after a label of up to nine columns, folded at column 80. Long
 * words are not cut, and a number stays on the line of its unit.
 */
void text_folded(const char *label, const char *text, FILE *stream);
void text_line(FILE *stream, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
