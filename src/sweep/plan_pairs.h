/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan of a comparison: measure base against new in pairs. A turn measures
 * all points of one side once. A pair is one turn of each side, in random
 * order. Pairs are measured until the answer is certain or the budget is spent.
 */
#ifndef SWEEP_PLAN_PAIRS_H
#define SWEEP_PLAN_PAIRS_H

#include "base/random.h"
#include "sweep/plan_order.h"

struct plan_pairs {
	struct plan plan;
	const struct observer *observer; /* judges each pair (EVENT_PAIR) */
	unsigned budget;                 /* max number of pairs */
	/* Max time of the run. A pair that would not end in time is not
	 * started. */
	uint64_t time_max_ns;
	struct plan_order sides[STEPS_SIDES];
	struct random random;
	unsigned pair;        /* number of the pair, from 1 */
	unsigned turns;       /* number of its turns that are over */
	size_t measured;      /* number of points measured in the turn */
	unsigned first, side; /* the side of its first turn, and of this one */
	uint64_t begin_ns, pair_ns, longest_ns;
};

/* Plan pairs of the two sides of `steps`. Return 0, or -ENOMEM with `error` set;
 * call plan_pairs_close in any case. */
int plan_pairs_open(struct plan_pairs *plan, const struct steps *steps, unsigned budget,
		    const struct observer *observer, struct error *error);
void plan_pairs_close(struct plan_pairs *plan);

#endif
