/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When to stop measuring pairs: as soon as the answer is certain, or when the
 * budget is spent. Looking after each pair with the interval of a fixed number
 * of them would find far too many regressions; this is a group sequential
 * sign-flip test instead.
 *
 * Were the ratio just at the margin then, the order within a pair being random,
 * each pair's distance from it could as well have had the other sign, whatever
 * the noise is like: drift, outliers and modes included. So the sum of what was
 * measured is held against the sums with all other signs (Fisher, 1935), of
 * which a certain share, the most extreme ones, are called significant. Over
 * the looks these shares grow to alpha, after n of N pairs to alpha
 * (n / N)^2.5 (Lan and DeMets, 1983; Kim and DeMets, 1987), where signs that
 * were called significant at an earlier look remain so: alpha is met exactly
 * over all looks together, without the normal theory of the usual tables.
 *
 * Distances beyond 2.5 times their median count as that, so that an outlier
 * does not outvote the rest; that depends on no sign and costs no exactness.
 * Up to 16 pairs all signs are enumerated; with more pairs, each of these 65536
 * is continued by signs drawn at random, the same ones each time.
 *
 * bench/gate measures how often it errs and how soon it finds a loss.
 */
#ifndef STATS_SEQUENTIAL_H
#define STATS_SEQUENTIAL_H

#include "stats/ratio.h"

struct sequential_rule {
	double margin; /* the acceptable loss, 0 to 1 */
	double alpha;  /* of each kind of wrong verdict, below 0.5 */
	size_t budget; /* max pairs, up to 10000 */
	/* No pair will follow, even if the budget is not spent: what is
	 * undecided is inconclusive. */
	bool final;
};

/*
 * Judge all comparisons from the pairs so far; call it after each pair. All
 * comparisons are paired and have at most `budget` pairs. They share
 * alpha by Holm's method, as in ratio_compare.
 *
 * The answer is a regression as soon as one of them is; a pass when they all
 * are. With an answer each has its interval, that of the ratios which this rule
 * has not excluded (Jennison and Turnbull, 1989), and samples_needed; before
 * it, they have verdicts only. Returns as ratio_interval does.
 */
int sequential_compare(struct ratio_comparison *comparisons, size_t count,
		       const struct sequential_rule *rule,
		       enum verdict *answer);

/*
 * Run the test itself: `after` is the number of pairs after which the
 * distances, one per pair, are found to lie below 0; 0: they are not. Returns 0
 * or -ENOMEM.
 */
int sequential_test(const double *distances, size_t pairs, size_t budget,
		    double alpha, size_t *after);

/* Return the min number of pairs for a verdict. 0: more than the budget. */
size_t sequential_min_pairs(const struct sequential_rule *rule,
			    size_t comparisons);

#endif
