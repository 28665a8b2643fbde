/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure by its name: `p99`, `mb_per_s`, or of one operation `ReadX.p99`.
 */
#ifndef RESULT_METRIC_H
#define RESULT_METRIC_H

#include "base/error.h"
#include "result/result.h"

#include <stddef.h>

struct schema_figure;

/* An operation's name; a longer one has no metrics of its own. */
enum { METRIC_OPERATION = 64 };

struct metric {
	const struct schema_figure *figure;
	char operation[METRIC_OPERATION]; /* empty: all operations together */
};

/* Room for a metric's name. */
enum { METRIC_TEXT = METRIC_OPERATION + 16 };

/*
 * Reads `length` bytes of `text`. p99.9 is another spelling of p99_9. Returns
 * 0, or -EINVAL with `error` naming what there is; `what` begins the message.
 */
int metric_parse(const char *text, size_t length, const char *what,
		 struct metric *metric, struct error *error);

/* "ReadX.p99". Returns `text`. */
char *metric_name(const struct metric *metric, char text[METRIC_TEXT]);

/* The unit of the metric's values: "MB/s", "ms", "s", "%"; "": a count. */
const char *metric_unit(const struct metric *metric);

/* Return how many of a duration's unit are a second; 0: it is no duration. */
double metric_per_second(const struct metric *metric);

bool metric_more_is_better(const struct metric *metric);

/*
 * The metric's value in its unit. An operation is found by its name as it is,
 * or else in other case. False: not known, because nothing was measured, there
 * were too few samples for a percentile, or there was no such operation.
 */
bool metric_value(const struct metric *metric,
		  const struct result_figures *figures, double *value);

#endif
