/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evaluate the conditions of --limit, --stop-when and --fail-if on a result
 * (result/condition.h has a single condition).
 */
#ifndef SWEEP_LIMITS_H
#define SWEEP_LIMITS_H

#include "result/result.h"
#include "sweep/settings.h"

/* For each limit of each variant, set result_limit.users: the max number of
 * users up to which the limit holds at all points. Return 0 or -ENOMEM. */
int limits_find(const struct settings *settings, struct result *result);

/*
 * Check if a stop condition holds at any point, or if throughput is flat: each
 * of the last three points is at most 2 % above the best point before them, in
 * MB/s or, if the load moves no bytes, in ops/s.
 * Return a description of the condition that holds, or NULL if none holds. The
 * description may be stored in `text`.
 */
const char *limits_stop(const struct settings *settings, const struct result *result,
			char text[CONDITION_TEXT]);

/*
 * Update what follows from the points so far: the limits, and for each variant
 * why the sweep stops (stopped_by). Return 0 or -ENOMEM.
 */
int limits_update(const struct settings *settings, struct result *result);

/*
 * Call `report` for each failure condition and each point at which it holds, or
 * at which it cannot be judged because the figure is unknown. Return the number
 * of calls.
 */
size_t limits_failed(const struct settings *settings, const struct result *result,
		     void (*report)(void *context, const char *clause), void *context);

#endif
