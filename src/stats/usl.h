/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Universal Scalability Law (Gunther, "Guerrilla Capacity Planning", 2007,
 * chapters 4 to 6): with N users the throughput is
 *
 *	X(N) = gamma N / (1 + alpha (N - 1) + beta N (N - 1))
 *
 * where gamma is what one user alone would do, alpha the share of the work for
 * which users wait for each other, and beta what they pay for keeping each
 * other up to date.
 */
#ifndef STATS_USL_H
#define STATS_USL_H

#include "result/result.h"

/* With fewer user counts than this nothing is fitted. */
enum { USL_MIN_POINTS = 6 };

/*
 * How wide intervals may be, from end to end: that of gamma as a share of
 * gamma; that of alpha as a share of 1 + alpha; that of beta N as a share of
 * 1 + beta N, where N is the most users measured. A fit with a wider interval
 * says less than the points themselves.
 */
#define USL_SHARE_MAX 0.2
#define USL_GAMMA_MAX 1.0

/*
 * Fit the law to mb_per_s of all valid repeats, each of which weighs the same,
 * by nonlinear least squares (GSL's trust region method). The intervals, of 95
 * % confidence, are those of the linearised model, with Student's t.
 *
 * alpha and beta cannot be below 0. Where the best fit has one there, that one
 * is 0 and the others are fitted again; its interval then reaches from 0 to
 * where that of the free fit ends. No interval reaches below 0.
 *
 * peak_users is the N with the greatest X if that is within the user counts
 * that were measured, NAN otherwise: the law says nothing about more users.
 *
 * usl->fitted is false with fewer than USL_MIN_POINTS user counts, without any
 * throughput, where no best fit is found, and where its intervals are wider
 * than the bounds above. Return 0 or -ENOMEM.
 */
int usl_fit(const struct result *result, struct result_usl *usl);

/* Return MB/s by the fitted law; `users` must be within those measured. */
double usl_at(const struct result_usl *usl, double users);

#endif
