/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decide when to stop measuring pairs: as soon as the answer is certain, or
 * when the budget is spent. Judging after each pair by the interval of a fixed
 * number of pairs would find far too many regressions. Instead, this is a group
 * sequential sign-flip test.
 *
 * The ratio to be judged is the factor by which all figures of new differ from
 * those that base would have had in their place. Assume that it is exactly at
 * the margin. The order within a pair is random, so each pair's distance from
 * the margin is as likely to have the opposite sign. This holds for noise of
 * any kind, drift, outliers and several modes included, if it is alike on both
 * sides. It does not if one side alone has outliers: then there is no such
 * factor, and the test errs more often than alpha.
 *
 * The test compares the sum of the measured distances with the sums for all
 * combinations of signs (Fisher, 1935), and calls the most extreme sums
 * significant. After n of N pairs, these are a share of
 * alpha (n / N)^2.5 of all sums (Lan and DeMets, 1983; Kim and DeMets, 1987). A
 * combination that was significant after an earlier pair stays significant.
 * Over all pairs together the error rate is then exactly alpha, without the
 * normal theory that the usual tables rely on.
 *
 * Distances are cut at 2.5 times their median, so that an outlier does not
 * outvote the rest. The cut does not depend on any sign, so the test stays
 * exact. For up to 16 pairs, all combinations of signs are enumerated. With
 * more pairs, there are still 65536 combinations: each gets random signs for
 * the further pairs, the same ones in every run.
 *
 * bench/gate simulates how often the test errs and how soon it finds a loss.
 */
#ifndef STATS_SEQUENTIAL_H
#define STATS_SEQUENTIAL_H

#include "stats/ratio.h"

struct sequential_rule {
	double margin; /* the acceptable loss, as a share: 0 to 1 */
	double alpha;  /* max rate of each kind of wrong verdict, below 0.5 */
	size_t budget; /* max number of pairs to be measured, up to 10000 */
	/* No more pairs will be measured, even if the budget is not spent, so
	 * answer "inconclusive" instead of "undecided". */
	bool final;
};

/*
 * Judge all comparisons from the pairs so far; call this after each pair. All
 * comparisons must be paired, with at most `budget` pairs. For regressions they
 * share alpha, as in ratio_compare.
 *
 * The answer is a regression as soon as one comparison is a regression, and a
 * pass when all of them are passes. While the answer is VERDICT_UNDECIDED, only
 * the comparisons' verdicts and estimated ratios are set. After that, the
 * intervals and samples_needed are set, too. An interval contains all ratios
 * that this test has not excluded (Jennison and Turnbull, 1989). Return
 * the same values as ratio_interval.
 */
int sequential_compare(struct ratio_comparison *comparisons, size_t count,
		       const struct sequential_rule *rule, enum verdict *answer);

/*
 * Test if the distances, one per pair, lie significantly below 0. Set `after`
 * to the number of pairs after which they first did, or to 0 if they do not.
 * Return 0 or -ENOMEM.
 */
int sequential_test(const double *distances, size_t pairs, size_t budget, double alpha,
		    size_t *after);

/* Return the min number of pairs for a verdict, or 0 if no verdict is possible
 * within the budget. A regression takes more if there are several
 * comparisons. */
size_t sequential_min_pairs(const struct sequential_rule *rule);

#endif
