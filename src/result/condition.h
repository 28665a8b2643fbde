/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditions on figures, METRIC OP VALUE, for --limit, --stop-when and
 * --fail-if. OP is <, <=, > or >=. VALUE is a duration with a unit (p99<50ms,
 * loop<3s), a number (mb_per_s>=100, ops_per_s<10k) or a percentage (cpu<90%).
 * Blanks are allowed around OP.
 */
#ifndef RESULT_CONDITION_H
#define RESULT_CONDITION_H

#include "base/error.h"
#include "result/metric.h"
#include "result/result.h"

enum condition_relation {
	CONDITION_LESS,
	CONDITION_AT_MOST,
	CONDITION_MORE,
	CONDITION_AT_LEAST,
};

struct condition {
	struct metric metric;
	enum condition_relation relation;
	double value; /* the limit, in the metric's unit */
};

enum condition_answer { CONDITION_NO, CONDITION_YES, CONDITION_UNKNOWN };

/*
 * Parse a condition. `option` is the option's name, for messages. Return 0, or
 * -EINVAL with an `error` that says where the text is wrong, and what was
 * expected there.
 */
int condition_parse(const char *text, const char *option, struct condition *condition,
		    struct error *error);

/* Check if the condition holds. Return CONDITION_UNKNOWN if the figure that it
 * needs is unknown. */
enum condition_answer condition_holds(const struct condition *condition,
				      const struct result_figures *figures);

/* Buffer size for condition_print and condition_explain. */
enum { CONDITION_TEXT = METRIC_TEXT + 160 };

/* Print the condition: "p99 < 50 ms". Return `text`. */
char *condition_print(const struct condition *condition, char text[CONDITION_TEXT]);

/*
 * Print the figure and the condition: "p99 is 61.2 ms, not < 50 ms", "p99 is 40
 * ms, < 50 ms" or "p99 is not known". Return `text`.
 */
char *condition_explain(const struct condition *condition, const struct result_figures *figures,
			char text[CONDITION_TEXT]);

/*
 * Return the largest user count at which the condition holds, there and at all
 * smaller counts. A point that is not valid, or whose figure is unknown, counts
 * as a point at which the condition does not hold. Return 0 if the condition
 * holds at no point.
 */
unsigned condition_max_users(const struct condition *condition, const struct result *result);

#endif
