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
enum { USL_LEAST_POINTS = 6 };

/*
 * Fits the law to mb_per_s of all valid repeats, each of which weighs the same,
 * by nonlinear least squares (GSL's trust region method). The intervals, of 95
 * % confidence, are those of the linearised model, with Student's t.
 *
 * alpha and beta cannot be below 0. Where the best fit has one there, that one
 * is 0 and the others are fitted again; its interval then reaches from 0 to
 * where that of the free fit ends. No interval reaches below 0.
 *
 * peak_users is the N with the greatest X, if that lies within the user counts
 * that were measured, and NAN if not: nothing is said beyond these.
 *
 * Not fitted: with fewer than USL_LEAST_POINTS user counts, without any
 * throughput, or where no best fit is found. Returns 0 or -ENOMEM.
 */
int usl_fit(const struct result *result, struct result_usl *usl);

/* MB/s by the fitted law. Of no worth beyond the user counts measured. */
double usl_at(const struct result_usl *usl, double users);

#endif
