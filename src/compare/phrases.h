/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the formats of a comparison share: its figures and verdicts as texts.
 * Names in them are as they were given; each format escapes them in its way.
 */
#ifndef COMPARE_PHRASES_H
#define COMPARE_PHRASES_H

#include "compare/comparison.h"

/* Room for what the printers write. */
enum { WORDS_NUMBER = 32, WORDS_ROW = METRIC_TEXT + 32,
       WORDS_CLAUSE = WORDS_ROW + 160 };

/* "0.951"; "-" where it is not known or has no bound. Returns `text`. */
char *phrases_ratio(double ratio, char text[WORDS_NUMBER]);

/* "512.30": with five digits that count. Returns `text`. */
char *phrases_value(double value, char text[WORDS_NUMBER]);

/* "p99 at 4 users". Returns `text`. */
char *phrases_row(const struct comparison_row *row, char text[WORDS_ROW]);

/* "p99 at 4 users is 1.210 times the base's (1.150 to 1.300)". Returns
 * `text`. */
char *phrases_clause(const struct comparison_row *row, char text[WORDS_CLAUSE]);

/* What an inconclusive one needs: "p99 at 4 users needs some 34 pairs". Returns
 * `text`. */
char *phrases_need(const struct comparison *comparison,
		   const struct comparison_row *row, char text[WORDS_CLAUSE]);

/* The answer: "no regression", "regression" ... or, where nothing but a limit
 * speaks against the new one, "limit not met". */
const char *phrases_answer(const struct comparison *comparison);

/* "20 pairs, of 20 at the most"; how much was measured, for people. The caller
 * frees it. NULL: no memory. */
char *phrases_measured(const struct comparison *comparison);

#endif
