/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From repeats to what a point has to say, and from the points to what a sweep
 * does. Rates and times are medians of the repeats, counts and seconds are
 * sums, the longest time is the longest of all.
 */
#ifndef STATS_SUMMARY_H
#define STATS_SUMMARY_H

#include "result/result.h"

/*
 * Makes everything anew that follows from the repeats: of each point its
 * figures, spread, gain and reasons, the peak and the scaling law. To be
 * called whenever a repeat has been added. Returns 0 or -ENOMEM, with less in
 * it.
 */
int summary_update(struct result *result);

/* The median of `count` > 0 values, which are sorted. */
double summary_median(double *values, size_t count);

#endif
