/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measure base against new in pairs. A turn measures all points of one side
 * once. A pair is one turn of each side, in random order. Pairs are measured
 * until the answer is certain or the budget is spent.
 */
#ifndef SWEEP_PAIRS_H
#define SWEEP_PAIRS_H

#include "stats/ratio.h"
#include "sweep/sweep.h"

struct pairs_side {
	const char *before;  /* command to run before a turn, or NULL */
	const char *option;  /* the option that set `before` */
	struct loads *loads; /* the loads, fitted to this side's targets */
	const struct target *targets;
	unsigned target_count;
	struct result *result;
};

/* The callbacks of the pairs; all are called in the parent. */
struct pairs_observer {
	void *context;
	/* The first turn of a side begins; its targets have been probed. */
	void (*begin)(void *context, unsigned side);
	/* Called once per second during a repeat. */
	void (*tick)(void *context, const struct workers_view *view);
	/* A repeat is done, valid or not. Return 0, or < 0 to stop. */
	int (*repeat)(void *context, const struct result *result,
		      const struct result_repeat *repeat);
	/* A pair is done; `first` is the side that was measured first. With
	 * `last`, there is no time for another pair. Return 0 for another pair,
	 * 1 to end, or < 0 to end as invalid. */
	int (*pair)(void *context, unsigned first, bool last);
};

struct pairs {
	const struct settings *settings; /* settings->repeats is ignored */
	struct pairs_side sides[SIDES];
	const char *after; /* command to run after each turn, or NULL */
	unsigned budget;   /* max number of pairs */
	/* Time limit, counted from the start. A pair that would not end in
	 * time is not started, and a command that hangs is killed. */
	uint64_t time_max_ns;
};

/* Measure pairs. Return SWEEP_REFUSED with `error` set if none was measured. */
enum sweep_end pairs_run(const struct pairs *pairs, const struct pairs_observer *observer,
			 struct error *error);

#endif
