/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result as text for people: header, table of points, operations, what
 * follows from the points, warnings. Texts from outside are escaped.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "result/result.h"

#include <stdio.h>

/*
 * Write what is replayed where, and how long it takes. `max_ns` is when it ends
 * at the latest; CLOCK_NEVER: when all is measured; 0: it is over.
 */
void text_header(const struct result_run *run, uint64_t max_ns, FILE *stream);

/* Write the same of two that are compared and differ in their targets only. */
void text_headers(const struct result_run *base, const struct result_run *new,
		  uint64_t max_ns, FILE *stream);

/* Write the heading of the table of points, and a row for each repeat. */
void text_heading(FILE *stream);
void text_repeat(const struct result_repeat *repeat, FILE *stream);

/* Write the row of a valid point, all its repeats together, without its end. */
void text_point(const struct result_point *point, FILE *stream);

/*
 * Write what follows from the points: how far repeats are apart, the loops that
 * were asked for, the peaks, the fit, the limits; each only where there is one.
 */
void text_summary(const struct result *result, FILE *stream);

/* Write a table of the operations, most time first. */
void text_operations(const struct result_figures *figures, FILE *stream);

/* Write the warnings, each once. */
void text_reasons(const struct result *result, FILE *stream);

/*
 * Write a text after a label of up to nine columns, folded at 80. Words longer
 * than a line are not cut, and numbers not separated from their units.
 */
void text_folded(const char *label, const char *text, FILE *stream);
void text_line(FILE *stream, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
