/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Summarise the repeats of each point, and the points of a sweep. A point's
 * rates and times are the medians over its repeats, its counts and seconds are
 * sums, and its longest times are the maximum (see schema_row.combine).
 */
#ifndef STATS_SUMMARY_H
#define STATS_SUMMARY_H

#include "result/result.h"

/*
 * Recompute everything that is derived from the repeats: each point's figures,
 * spread, gain, errors and warnings, and the peak and scaling law of the sweep.
 * Call this after each new repeat. Return 0, or -ENOMEM with an incomplete
 * summary.
 */
int summary_update(struct result *result);

/* Sort `count` > 0 values and return their median. */
double summary_median(double *values, size_t count);

#endif
