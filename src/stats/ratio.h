/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much more or less the new one does than the base: the interval of the
 * ratio new / base, and the verdict that follows. Nothing here assumes a normal
 * distribution.
 */
#ifndef STATS_RATIO_H
#define STATS_RATIO_H

#include <stdbool.h>
#include <stddef.h>

/* The two that are compared, and their names: "base", "new". */
enum side { BASE, NEW, SIDES };
extern const char *const side_names[SIDES];

/* The verdict on one point and metric, and the answer of all together. */
enum verdict {
	VERDICT_INCONCLUSIVE,
	VERDICT_PASS,
	VERDICT_REGRESSION,
	VERDICT_UNDECIDED, /* answers only: measure another pair */
};

/* Their names in tables and files, by verdict; ended by NULL. */
extern const char *const verdict_names[];

/* The values measured on both sides, all above 0. */
struct ratio_samples {
	const double *base, *new;
	size_t base_count, new_count;
	/* base[i] and new[i] were measured one after the other, in random
	 * order; the counts are equal. */
	bool paired;
};

struct ratio_interval {
	double ratio; /* new / base, estimated */
	double low, high;
};

/*
 * Estimate the ratio and its interval: the ratio lies below `low` with a
 * probability of at most `alpha_low`, and above `high` with one of at most
 * `alpha_high`; both are below 0.5. With too few samples for that, low is 0 and
 * high INFINITY.
 *
 * Paired: the exact signed-rank interval and estimate of Hodges and Lehmann
 * (1963) on the logarithms of the pairs' ratios. It assumes that the order
 * within a pair was random, and nothing about the noise. Unpaired: theirs of
 * the rank sum (Wilcoxon, Mann and Whitney), on the logarithms of all ratios of
 * one to the other; it takes drift between the two for a difference.
 * Memory and time grow with the square of the samples, and with the cube where
 * they are paired (0.1 s at 500).
 *
 * Returns 0, -EINVAL (a value is not above 0, or the counts of pairs differ)
 * or -ENOMEM.
 */
int ratio_interval(const struct ratio_samples *samples, double alpha_low,
		   double alpha_high, struct ratio_interval *interval);

/*
 * Judge an interval with `margin` (0 to 1), the acceptable loss: a regression
 * when the whole interval lies below 1 - margin, a pass when nothing of it
 * does. Where less is better base / new is judged instead: a rate that halves
 * and a time that doubles are the same loss.
 */
enum verdict ratio_judge(const struct ratio_interval *interval,
			 bool more_is_better, double margin);

/* One of the points and metrics that are compared together. */
struct ratio_comparison {
	struct ratio_samples samples;
	bool more_is_better;
	struct ratio_interval interval;
	enum verdict verdict;
	/* Inconclusive: an estimate of the pairs (or samples of each) that a
	 * verdict takes; 0: more than anybody measures, because the loss is
	 * close to the margin. */
	size_t samples_needed;
};

/*
 * Judge all comparisons, with a probability of at most `alpha` that any of them
 * is wrongly called a regression, and of at most `alpha` that any is wrongly
 * called a pass (Holm, 1979, once for each). Each verdict follows from the
 * comparison's interval. Returns as ratio_interval does.
 */
int ratio_compare(struct ratio_comparison *comparisons, size_t count,
		  double margin, double alpha);

/* Return a regression if there is one, a pass if all pass. */
enum verdict ratio_answer(const struct ratio_comparison *comparisons,
			  size_t count);

/* The share of alpha that each comparison has for either verdict. */
struct ratio_levels {
	double pass, regression;
};

/*
 * Take Holm's next step, from the verdicts so far to the levels at which all
 * are judged again. Levels start at 0, without verdicts. Returns whether the
 * levels have changed; if not, the verdicts are final.
 */
bool ratio_share_alpha(const struct ratio_comparison *comparisons,
		       size_t count, double alpha, struct ratio_levels *levels);

/* Return the min number of pairs, or samples of each, for a verdict. */
size_t ratio_min_repeats(bool paired, double alpha, size_t comparisons);

/*
 * Estimate, from an interval at `alpha` out of `count` pairs (or samples of
 * each), how many it takes to tell a ratio from one that is exp(distance) times
 * as large, in 4 of 5 cases; 0: more than anybody measures.
 */
size_t ratio_needed(const struct ratio_interval *interval, bool paired,
		    size_t count, double alpha, double distance);

/* Estimate the same for an inconclusive comparison, whose interval is at
 * `alpha`: more than it has, or 0. */
size_t ratio_still_needed(const struct ratio_comparison *comparison,
			  double margin, double alpha);

/*
 * Estimate the min margin with which, after `wanted` pairs, two that are equal
 * pass in 4 of 5 cases.
 */
double ratio_margin(const struct ratio_interval *interval, size_t count,
		    double alpha, size_t wanted);

#endif
