/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditions on figures: METRIC OP VALUE, the one grammar of --limit,
 * --stop-when and --fail-if. OP is <, <=, > or >=. VALUE is a duration with its
 * unit (p99<50ms, loop<3s), a number (mb_per_s>=100, ops_per_s<10k) or a share
 * (cpu<90%). Blanks may stand between the three.
 */
#ifndef RESULT_CONDITION_H
#define RESULT_CONDITION_H

#include "base/error.h"
#include "result/metric.h"
#include "result/result.h"

enum condition_relation {
	CONDITION_LESS, CONDITION_AT_MOST, CONDITION_MORE, CONDITION_AT_LEAST,
};

struct condition {
	struct metric metric;
	enum condition_relation relation;
	double value; /* in the metric's unit */
};

enum condition_answer { CONDITION_NO, CONDITION_YES, CONDITION_UNKNOWN };

/*
 * Reads a condition; `option` is whose, for messages. Returns 0, or -EINVAL
 * with `error` saying where and what was expected.
 */
int condition_parse(const char *text, const char *option,
		    struct condition *condition, struct error *error);

/* Whether it holds; CONDITION_UNKNOWN: the figure is not known. */
enum condition_answer condition_holds(const struct condition *condition,
				      const struct result_figures *figures);

/* Room for what the printers write. */
enum { CONDITION_TEXT = METRIC_TEXT + 160 };

/* "p99 < 50 ms". Returns `text`. */
char *condition_print(const struct condition *condition,
		      char text[CONDITION_TEXT]);

/*
 * The figure beside the condition: "p99 is 61.2 ms, not < 50 ms", "p99 is 40
 * ms, < 50 ms" or "p99 is not known". Returns `text`.
 */
char *condition_explain(const struct condition *condition,
			const struct result_figures *figures,
			char text[CONDITION_TEXT]);

/*
 * The most users with which the condition held, there and at all points below:
 * up to the first point that is not valid, or for which the answer is not yes.
 * 0: with none.
 */
unsigned condition_max_users(const struct condition *condition,
			     const struct result *result);

#endif
