/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison's figures, verdicts and facts as texts, shared by its formats.
 * Names in them are as they were given; each format escapes them in its way.
 */
#ifndef COMPARE_PHRASES_H
#define COMPARE_PHRASES_H

#include "compare/comparison.h"
#include "report/describe.h"

/* Room for texts. */
enum { PHRASES_NUMBER = 32, PHRASES_NAME = METRIC_TEXT + 32,
       PHRASES_CLAUSE = PHRASES_NAME + 160 };

/* A row's texts; "-" is a ratio that is not known or has no bound. */
struct phrases_row {
	char name[PHRASES_NAME]; /* "p99 at 4 users" */
	char medians[SIDES][PHRASES_NUMBER]; /* "512.30" */
	char ratio[PHRASES_NUMBER], low[PHRASES_NUMBER], high[PHRASES_NUMBER];
};

struct phrases_row phrases_row(const struct comparison_row *row);

/* Print "p99 at 4 users is 1.210 times the base's (1.150 to 1.300)". Returns
 * `text`. */
char *phrases_clause(const struct comparison_row *row,
		     char text[PHRASES_CLAUSE]);

/* Print what an inconclusive row needs: "p99 at 4 users needs about 34 pairs".
 * Returns `text`. */
char *phrases_need(const struct comparison *comparison,
		   const struct comparison_row *row,
		   char text[PHRASES_CLAUSE]);

/* Return a verdict for people: "no regression", "regression" ... */
const char *phrases_verdict(enum verdict verdict);

/* Return the answer like a verdict, or "limit not met" if nothing but a limit
 * speaks against the new one. */
const char *phrases_answer(const struct comparison *comparison);

/* Return the number of rows with that verdict. */
size_t phrases_count(const struct comparison *comparison,
		     enum verdict verdict);

/* Describe the comparison: its sides, the pairs measured, margin and alpha. */
void phrases_describe(const struct comparison *comparison, describe_line *line,
		      void *context);

/* Describe the run of the new side, its targets excepted. */
void phrases_describe_run(const struct comparison *comparison,
			  describe_line *line, void *context);

#endif
