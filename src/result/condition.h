/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics: figures that users select by name, such as `p99` and `mb_per_s`, or
 * `ReadX.p99` for a single operation, or `phase.create.p99` for a phase of the
 * load.
 *
 * Conditions on metrics, METRIC OP VALUE, for --limit, --stop-when and
 * --fail-if. OP is <, <=, > or >=. VALUE is a duration with a unit (p99<50ms,
 * loop<3s), a number (mb_per_s>=100, ops_per_s<10k) or a percentage (cpu<90%).
 * Blanks are allowed around OP.
 */
#ifndef RESULT_CONDITION_H
#define RESULT_CONDITION_H

#include "base/error.h"
#include "result/result.h"

/* Buffer size for an operation's name; longer names cannot be selected. */
enum { METRIC_OPERATION = 64 };

struct metric {
	enum figure figure;
	/* Empty: all operations together. "phase.NAME": a phase of the load, or
	 * an operation if no phase has this name. */
	char operation[METRIC_OPERATION];
};

/* Buffer size for a metric's name. */
enum { METRIC_TEXT = METRIC_OPERATION + 32 };

/*
 * Parse the metric's name in the first `length` bytes of `text`: that of a
 * figure with or without its unit (p99_ms, p99); p99.9 is another spelling of
 * p99_9. Return 0, or -EINVAL with `error` listing the usual names; the message
 * starts with `what`.
 */
int metric_parse(const char *text, size_t length, const char *what, struct metric *metric,
		 struct error *error);

/* Return the name of the phase of the load that the metric's operation stands
 * for: "create" for "phase.create". Return NULL if the metric does not name a
 * phase. */
const char *metric_phase(const struct metric *metric);

/* Check if the figure is available for single operations, too. All figures are
 * available for phases. */
bool metric_is_of_operations(const struct metric *metric);

/* Print the metric's name: "ReadX.p99". Return `text`. */
char *metric_name(const struct metric *metric, char text[METRIC_TEXT]);

/* Return the metric with this name. The name must be valid. */
struct metric metric_named(const char *name);

/* Return the unit of the metric's values: "MB/s", "ms" ...; "": a count. */
const char *metric_unit(const struct metric *metric);

/* Return how many of the metric's units are one second: 1000 for ms. Return 0
 * if the metric is not a duration. */
double metric_per_second(const struct metric *metric);

/* Return the min number of operations for which the figure is known. */
unsigned metric_min_samples(const struct metric *metric);

/* Check if the figure exists only in an open-loop replay. */
bool metric_is_open_loop(const struct metric *metric);

bool metric_more_is_better(const struct metric *metric);

/* Return the record that the metric is about, or NULL. An operation's name is
 * matched exactly, or, if that fails, ignoring case. */
const struct record *metric_record(const struct metric *metric, const struct records *records);

/*
 * Get the metric's value of its record, in its unit. Return false if the value is unknown:
 * nothing was measured, there were too few samples for a percentile, the
 * operation was not played, or single operations don't have this figure.
 */
bool metric_value(const struct metric *metric, const struct records *records, double *value);

/* Do the same for one record. Ignore the operation that the metric names. */
bool metric_value_of(const struct metric *metric, const struct record *record, double *value);

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
				      const struct records *records);

/* Buffer size for condition_print and condition_explain. */
enum { CONDITION_TEXT = METRIC_TEXT + 160 };

/* Print the condition: "p99 < 50 ms". Return `text`. */
char *condition_print(const struct condition *condition, char text[CONDITION_TEXT]);

/*
 * Print the figure and the condition: "p99 is 61.2 ms, not < 50 ms", "p99 is 40
 * ms, < 50 ms" or "p99 is not known". Return `text`.
 */
char *condition_explain(const struct condition *condition, const struct records *records,
			char text[CONDITION_TEXT]);

/*
 * Return the largest user count at which the condition holds, there and at all
 * smaller counts. A point that is invalid, or whose figure is unknown, counts
 * as a point at which the condition does not hold. Return 0 if the condition
 * holds at no point.
 */
unsigned condition_max_users(const struct condition *condition, const struct result *result);

#endif
