/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compare two sets of measurements: compute the confidence interval of the
 * ratio new / base, and a verdict from it. Nothing here assumes that the noise
 * is normally distributed, except for the estimates of how many repeats or
 * what margin would be needed.
 */
#ifndef STATS_RATIO_H
#define STATS_RATIO_H

#include <stdbool.h>
#include <stddef.h>

/* The two sides of a comparison, and their names: "base", "new". */
enum side { BASE, NEW, SIDES };
extern const char *const side_names[SIDES];

/* The verdict on one point and metric, or the answer of a whole comparison. */
enum verdict {
	VERDICT_INCONCLUSIVE,
	VERDICT_PASS,
	VERDICT_REGRESSION,
	/* Only as the answer of a whole comparison: measure another pair. */
	VERDICT_UNDECIDED,
};

/* The names of verdicts in tables and files; the list ends with NULL. */
extern const char *const verdict_names[];

/* The values measured on both sides, all above 0. */
struct ratio_samples {
	const double *base, *new;
	size_t base_count, new_count;
	/* base[i] and new[i] are a pair: they were measured one after the
	 * other, in random order. The counts are equal. */
	bool paired;
};

struct ratio_interval {
	double ratio; /* estimate of new / base */
	double low, high;
};

/* The method by which an interval was computed. */
enum ratio_method {
	RATIO_EXACT,      /* the exact distribution of the ranks */
	RATIO_NORMAL,     /* its normal approximation, if there are many samples */
	RATIO_SEQUENTIAL, /* the signs of the pairs (sequential.h) */
};

/* The names of methods in files; the list ends with NULL. */
extern const char *const ratio_method_names[];

/* Return the method by which ratio_interval computes the interval. */
enum ratio_method ratio_method(const struct ratio_samples *samples);

/*
 * Estimate the ratio and its interval: the true ratio is below `low` with a
 * probability of at most `alpha_low`, and above `high` with a probability of at
 * most `alpha_high`. Both probabilities must be below 0.5. If there are too few
 * samples for a bound, `low` is 0 or `high` is INFINITY.
 *
 * Paired samples: the estimate of Hodges and Lehmann (1963) and the interval of
 * the signed-rank test, on the logarithms of the pairs' ratios. The order
 * within each pair must have been random, and the noise must be alike on both
 * sides (see sequential.h); nothing else is assumed about it. Unpaired samples:
 * the estimate and the interval of the rank-sum test (Wilcoxon; Mann and
 * Whitney), on the logarithms of the ratios of each new to each base sample.
 * With unpaired samples, a drift between the two sides looks like a difference.
 *
 * The time is at most 0.1 s, or grows with the number of samples: 0.02 s for
 * 10,000 of each.
 *
 * Return 0, -EINVAL (a value is not above 0, or paired samples have different
 * counts) or -ENOMEM.
 */
int ratio_interval(const struct ratio_samples *samples, double alpha_low, double alpha_high,
		   struct ratio_interval *interval);

/*
 * Judge an interval by `margin` (0 to 1), the acceptable loss: a regression if
 * the whole interval lies below 1 - margin, a pass if the whole interval lies
 * at or above 1 - margin. If less is better, as for times, judge base / new
 * instead, so that halving a rate is the same loss as doubling a time.
 */
enum verdict ratio_judge(const struct ratio_interval *interval, bool more_is_better, double margin);

/* The comparison of one metric at one point; several of these are judged
 * together. */
struct ratio_comparison {
	struct ratio_samples samples;
	bool more_is_better;
	struct ratio_interval interval;
	enum ratio_method method; /* of the interval */
	enum verdict verdict;
	/* If the verdict is inconclusive: the estimated number of pairs (or
	 * samples of each side) needed for a verdict. 0: more than anybody
	 * measures, because the loss is close to the margin. */
	size_t samples_needed;
};

/*
 * Judge all comparisons. The probability that any of them is wrongly called a
 * regression is at most `alpha` (Holm's method, 1979). So is the probability
 * that all of them are called passes, but one wrongly: each of them must pass,
 * so each may pass at `alpha` (an intersection-union test; Berger, 1982). Set
 * the interval of each comparison, and the verdict that follows from it. Return
 * the same values as ratio_interval.
 */
int ratio_compare(struct ratio_comparison *comparisons, size_t count, double margin, double alpha);

/* Return the common answer of all comparisons: a regression if any of them is
 * one, a pass if all of them are passes, otherwise inconclusive. */
enum verdict ratio_answer(const struct ratio_comparison *comparisons, size_t count);

/* The levels of significance at which each comparison is judged: alpha for a
 * pass, and its share of alpha for a regression. */
struct ratio_levels {
	double pass, regression;
};

/*
 * Take the next step of Holm's method: compute new levels from the verdicts so
 * far. Start with levels of 0 and all verdicts inconclusive, and judge all
 * comparisons again after each step. Return true if a level has risen; if not,
 * the verdicts are final.
 */
bool ratio_share_alpha(const struct ratio_comparison *comparisons, size_t count, double alpha,
		       struct ratio_levels *levels);

/* Return the number of pairs, or of samples of each side, below which no
 * comparison can be a regression. With a single comparison, none can be a pass,
 * either. */
size_t ratio_min_repeats(bool paired, double alpha, size_t comparisons);

/*
 * Estimate how many pairs (or samples of each side) are needed to distinguish,
 * in 4 of 5 cases, a ratio from another one that is exp(distance) times as
 * large. Extrapolate from `interval`, which was computed at the level `alpha`
 * from `count` pairs (or samples of each side). Return 0 if more are needed
 * than anybody measures.
 */
size_t ratio_needed(const struct ratio_interval *interval, bool paired, size_t count, double alpha,
		    double distance);

/*
 * Estimate how many pairs (or samples of each side) are needed for a verdict on
 * an inconclusive comparison whose interval is at these levels. Return a
 * greater number than the comparison has, or 0 if more are needed than anybody
 * measures.
 */
size_t ratio_still_needed(const struct ratio_comparison *comparison, double margin,
			  const struct ratio_levels *levels);

/*
 * Estimate the smallest margin with which two equal targets pass in 4 of 5
 * cases after `wanted` pairs. Extrapolate from `interval`, as ratio_needed
 * does.
 */
double ratio_margin(const struct ratio_interval *interval, size_t count, double alpha,
		    size_t wanted);

#endif
