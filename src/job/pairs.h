/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Base against new, measured in pairs: all points of one, then all points of
 * the other, in random order, until the answer is certain or the budget spent.
 */
#ifndef JOB_PAIRS_H
#define JOB_PAIRS_H

#include "job/sweep.h"
#include "stats/ratio.h"

struct pairs_side {
	const char *before; /* a command, or NULL */
	const char *option; /* whose that is */
	struct program *program; /* one of its own: it is fitted */
	const struct target *targets;
	unsigned target_count;
	struct result *result;
};

/* Callbacks, all called in the parent. */
struct pairs_observer {
	void *context;
	/* The target of one side is known. */
	void (*begin)(void *context, unsigned side);
	/* A second of a repeat has passed. */
	void (*tick)(void *context, const struct workers_view *view);
	/* A repeat is done, valid or not. Returns 0, or < 0 to end it all. */
	int (*repeat)(void *context, const struct result *result,
		      const struct result_repeat *repeat);
	/* A pair is done, which `first` began. `last`: time will not do for
	 * another. Returns whether it is enough, or < 0 to end it all. */
	int (*pair)(void *context, unsigned first, bool last);
};

struct pairs {
	const struct settings *settings; /* repeats is not looked at */
	const struct profile *profile;
	struct pairs_side sides[SIDES];
	const char *after; /* a command after each side's turn, or NULL */
	unsigned budget;   /* max pairs */
	/* No pair is begun that would end later, and a command that hangs is
	 * ended then. */
	uint64_t time_max_ns;
};

/* Returns SWEEP_REFUSED with `error` set when there was no pair to measure. */
enum sweep_end pairs_run(const struct pairs *pairs,
			 const struct pairs_observer *observer,
			 struct error *error);

#endif
