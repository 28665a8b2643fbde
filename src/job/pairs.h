/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Base against new, measured in pairs: all points of one, then all points of
 * the other, in random order, until the answer is certain or the budget spent.
 */
#ifndef JOB_PAIRS_H
#define JOB_PAIRS_H

#include "job/sweep.h"

enum { PAIRS_BASE, PAIRS_NEW, PAIRS_SIDES };

struct pairs_side {
	const char *before; /* a command, or NULL */
	const char *option; /* whose that is */
	struct program *program; /* one of its own: it is fitted */
	const struct target *targets;
	unsigned target_count;
	struct result *result;
};

/* Whom the pairs tell what happens; all are called in the parent. */
struct pairs_observer {
	void *context;
	/* The target of one side is known. */
	void (*begin)(void *context, unsigned side);
	/* A second of a repeat has passed. */
	void (*tick)(void *context, const struct workers_view *view);
	/* A repeat is done, valid or not. Return 0, or < 0 to end it all. */
	int (*repeat)(void *context, const struct result *result,
		      const struct result_repeat *repeat);
	/* A pair is done, which `first` began. `last`: time will not do for
	 * another. Return whether it is enough, or < 0 to end it all. */
	int (*pair)(void *context, unsigned first, bool last);
};

struct pairs {
	const struct settings *settings; /* repeats is not looked at */
	const struct profile *profile;
	struct pairs_side sides[PAIRS_SIDES];
	const char *after; /* a command after each side's turn, or NULL */
	unsigned budget;   /* pairs at the most */
	/* No pair is begun that would end later, and a command that hangs is
	 * ended then. */
	uint64_t time_max_ns;
};

/* Return SWEEP_REFUSED with `error` set when there was no pair to measure. */
enum sweep_end pairs_run(const struct pairs *pairs,
			 const struct pairs_observer *observer,
			 struct error *error);

#endif
