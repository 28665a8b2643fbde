/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan of a sweep: measure its points in passes, in the given order or in a
 * random one. Measurements that the result has already are skipped, and so are
 * points that a stop condition leaves out.
 */
#ifndef SWEEP_PLAN_ORDER_H
#define SWEEP_PLAN_ORDER_H

#include "sweep/steps.h"

struct order {
	size_t *points; /* the point of each measurement, counted from 0 */
	size_t count;
};

/*
 * Repeat `points` points `passes` times, in order. With `random`, shuffle them
 * in each pass, as determined by `seed`. Return 0 or -ENOMEM; call order_free
 * even after an error.
 */
int order_make(struct order *order, size_t points, unsigned passes, bool random, uint64_t seed);
void order_free(struct order *order);

struct plan_order {
	struct plan plan;
	const struct settings *settings;
	const struct steps_side *side;
	/* Each measurement is a turn of its own. */
	bool in_turns;
	struct order order;
	size_t next; /* index in the order */
};

/* Plan the measurements of a side, in this number of passes. Return 0, or
 * -ENOMEM with `error` set; call plan_order_close in any case. */
int plan_order_open(struct plan_order *plan, const struct settings *settings,
		    const struct steps_side *side, unsigned passes, bool in_turns,
		    struct error *error);
void plan_order_close(struct plan_order *plan);

#endif
