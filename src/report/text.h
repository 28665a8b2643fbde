/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result as text for people: header, a row a point, the operations, what
 * follows from the points, the warnings.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "result/result.h"

#include <stdio.h>

/*
 * What is replayed where, and how long it takes, before anything is measured.
 * `most_ns`: it ends by then at the latest; CLOCK_NEVER: when all is measured;
 * 0: it is over.
 */
void text_header(const struct result_run *run, uint64_t max_ns, FILE *stream);

/* The same of two that are compared, which differ in their targets only. */
void text_headers(const struct result_run *base, const struct result_run *new,
		  uint64_t max_ns, FILE *stream);

/* The heading of the table of points, then a row a repeat. */
void text_heading(FILE *stream);
void text_repeat(const struct result_repeat *repeat, FILE *stream);

/* The row of a valid point, whose figures are all its repeats'; the line is not
 * ended. */
void text_point(const struct result_point *point, FILE *stream);

/*
 * What follows from the points: spread and gain where there are several
 * points or repeats, the loops, the peak, the fit, the limits.
 */
void text_summary(const struct result *result, FILE *stream);

/* The operations, most time first. */
void text_operations(const struct result_figures *figures, FILE *stream);

/* What weakens or voids the points, each reason once. */
void text_reasons(const struct result *result, FILE *stream);

/*
 * A text behind a label of nine columns, folded at 80; what steers a terminal
 * is masked, and words longer than a line are not cut.
 */
void text_folded(const char *label, const char *text, FILE *stream);

#endif
