/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures, verdicts and facts of a comparison as text, for all formats.
 * Names in the texts are not escaped: each format does that itself.
 */
#ifndef COMPARE_PHRASES_H
#define COMPARE_PHRASES_H

#include "compare/comparison.h"
#include "doc/number.h"
#include "report/describe.h"
#include "result/variant.h"

/* Buffer sizes. */
enum {
	PHRASES_NUMBER = 2 * NUMBER_TEXT,
	PHRASES_NAME = METRIC_TEXT + 4 + VARIANT_TEXT,
	PHRASES_CLAUSE = PHRASES_NAME + 160
};

/* Convert a value of the row to what number_print takes, and set its form. Return
 * its unit: "MB/s", "/s"; "": a count or a time. */
double phrases_number(const struct comparison_row *row, double value, enum number_form *form);
const char *phrases_unit(const struct comparison_row *row);

/* Print a value of the row with its unit: "512.30 MB/s", "1.25 ms". Return
 * `text`. */
char *phrases_value(const struct comparison_row *row, double value, char text[PHRASES_NUMBER]);

/* Print "p99 at 4 users, bs=4Ki". Return `text`. */
char *phrases_name(const struct comparison_row *row, char text[PHRASES_NAME]);

/* Print "p99 at 4 users is 1.210 times the base's (1.150 to 1.300)". Return
 * `text`. */
char *phrases_clause(const struct comparison_row *row, char text[PHRASES_CLAUSE]);

/* Print what is needed for a verdict on an inconclusive row: "p99 at 4 users
 * needs about 34 pairs". Return `text`. */
char *phrases_need(const struct comparison *comparison, const struct comparison_row *row,
		   char text[PHRASES_CLAUSE]);

/* Return the verdict as shown to people: "no regression", "regression" ... */
const char *phrases_verdict(enum verdict verdict);

/*
 * Return the overall verdict (comparison->answer) as shown to people, or "a
 * --fail-if condition holds" if a condition holds and there is no regression.
 */
const char *phrases_answer(const struct comparison *comparison);

/* Check if any row's interval has a bound. If none has, too few pairs were measured
 * for a verdict. */
bool phrases_is_bounded(const struct comparison *comparison);

/* Return the number of rows with that verdict. */
size_t phrases_count(const struct comparison *comparison, enum verdict verdict);

/*
 * Return a short name of a side, for a heading with room for this number of
 * columns: its label if both sides' names fit, otherwise "base" or "new". It is
 * not escaped.
 */
const char *phrases_side(const struct comparison *comparison, unsigned side, size_t columns);

/* Describe the comparison: its sides, the pairs measured, the intervals if they
 * are not exact, margin and alpha. */
void phrases_describe(const struct comparison *comparison, describe_line *line, void *context);

/* Describe the run of the new side, without its targets. */
void phrases_describe_run(const struct comparison *comparison, describe_line *line, void *context);

#endif
