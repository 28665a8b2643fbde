/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics: figures that users select by name, such as `p99` and `mb_per_s`, or
 * `ReadX.p99` for a single operation, or `phase.create.p99` for a phase of the
 * load.
 */
#ifndef RESULT_METRIC_H
#define RESULT_METRIC_H

#include "base/error.h"
#include "result/result.h"

#include <stddef.h>

struct schema_figure;

/* Buffer size for an operation's name; longer names cannot be selected. */
enum { METRIC_OPERATION = 64 };

struct metric {
	const struct schema_figure *figure;
	/* Empty: all operations together. "phase.NAME": a phase of the load, or
	 * an operation if no phase has this name. */
	char operation[METRIC_OPERATION];
};

/* Buffer size for a metric's name. */
enum { METRIC_TEXT = METRIC_OPERATION + 16 };

/*
 * Parse the metric's name in the first `length` bytes of `text`. p99.9 is
 * another spelling of p99_9. Return 0, or -EINVAL with `error` listing the
 * valid names; the message starts with `what`.
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

/* Return the heading of the metric's column, without the unit of a duration:
 * "p99", "MB/s". */
const char *metric_heading(const struct metric *metric);

/* Return the unit of the metric's values: "MB/s", "ms" ...; "": a count. */
const char *metric_unit(const struct metric *metric);

/* Return how many of the metric's units are one second: 1000 for ms. Return 0
 * if the metric is not a duration. */
double metric_per_second(const struct metric *metric);

/* Return the min number of operations for which the figure is known. */
unsigned metric_min_samples(const struct metric *metric);

/* Check if the figure exists only in a paced replay. */
bool metric_is_paced(const struct metric *metric);

bool metric_more_is_better(const struct metric *metric);

/*
 * Get the metric's value in its unit. An operation's name is matched exactly,
 * or, if that fails, ignoring case. Return false if the value is unknown:
 * nothing was measured, there were too few samples for a percentile, the
 * operation was not played, or single operations don't have this figure.
 */
bool metric_value(const struct metric *metric, const struct result_figures *figures, double *value);

/* Do the same for one operation of `figures`, or with NULL for all operations
 * together. Ignore the operation that the metric names. */
bool metric_value_of(const struct metric *metric, const struct result_figures *figures,
		     const struct result_operation *operation, double *value);

#endif
