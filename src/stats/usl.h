/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Universal Scalability Law (Gunther, "Guerrilla Capacity Planning", 2007,
 * chapters 4 to 6): with N users the throughput is
 *
 *	X(N) = gamma N / (1 + alpha (N - 1) + beta N (N - 1))
 *
 * where gamma is the throughput of a single user, alpha the share of the work
 * that is serialised (contention), and beta the cost of keeping users coherent
 * with each other (crosstalk).
 */
#ifndef STATS_USL_H
#define STATS_USL_H

#include "result/result.h"

/* Min number of different user counts for a fit. */
enum { USL_MIN_POINTS = 6 };

/*
 * Max width of the 95 % intervals, from end to end. USL_GAMMA_MAX is for gamma,
 * as a share of gamma. USL_SHARE_MAX is for alpha, as a share of 1 + alpha, and
 * for beta N, as a share of 1 + beta N, where N is the largest user count
 * measured. A fit with wider intervals is rejected: it says less than the
 * points themselves.
 */
#define USL_SHARE_MAX 0.2
#define USL_GAMMA_MAX 1.0

/*
 * A fit is also rejected if it misses a point near the peak by more than
 * USL_MISS_MAX of the point's throughput: one with at least USL_NEAR_PEAK of the
 * greatest throughput; or if the points lie further from it than the noise of
 * the repeats explains, except with a probability of USL_LACK_OF_FIT.
 */
#define USL_MISS_MAX 0.1
#define USL_NEAR_PEAK 0.5
#define USL_LACK_OF_FIT 0.01

/*
 * Fit the law to the points, with equal weights, by nonlinear least squares
 * (GSL's trust region method). A point's throughput is the mean mb_per_s of its
 * valid repeats: more repeats make the point more precise, but are no further
 * points. The 95 % confidence intervals are computed from the linearised model,
 * with Student's t.
 *
 * alpha and beta cannot be negative. If one of them is negative in the best
 * fit, set it to 0 and fit the other parameters again. The upper end of its
 * interval is then taken from the first fit. Cut all intervals at 0.
 *
 * peak_users is the N with the max X(N) if this N is within the range of user
 * counts measured. Otherwise it is NAN: do not extrapolate.
 *
 * usl->fitted is false if there are fewer than USL_MIN_POINTS user counts, if
 * there is no throughput, if no best fit is found, or if it is rejected. Return
 * 0 or -ENOMEM.
 */
int usl_fit(const struct result *result, struct result_usl *usl);

/* Return the MB/s that the fitted law gives for `users`. This number must be
 * within the range of user counts measured. */
double usl_at(const struct result_usl *usl, double users);

#endif
