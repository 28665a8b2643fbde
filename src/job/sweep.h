/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep: the load replayed by one user count after the other.
 */
#ifndef JOB_SWEEP_H
#define JOB_SWEEP_H

#include "engine/workers.h"
#include "job/settings.h"
#include "program/profile.h"
#include "result/result.h"

/* The callbacks of a sweep; all are called in the parent. */
struct sweep_observer {
	void *context;
	/* The target is known, nothing has been measured yet. */
	void (*begin)(void *context, const struct result *result);
	/* A second of a repeat has passed. */
	void (*tick)(void *context, const struct workers_view *view);
	/* A repeat is done, valid or not, and the result is up to date. Return
	 * 0, or < 0 to end it all. */
	int (*repeat)(void *context, const struct result *result,
		      const struct result_repeat *repeat);
};

struct sweep {
	const struct settings *settings;
	struct program *program; /* rewritten by the options already */
	const struct profile *profile;
	const struct target *targets;
	unsigned target_count;
	struct result *result; /* run.loadfile is filled in by the caller */
	unsigned pair; /* which the repeats are one half of; 0: none */
	bool resumed; /* an interrupted run began the result */
	bool settle_first; /* something else has just been measured */
};

/* How a sweep ended. */
enum sweep_end {
	SWEEP_DONE,    /* every point is valid */
	SWEEP_INVALID, /* a repeat is not, the rest was not played */
	SWEEP_REFUSED, /* nothing was measured; `error` says why */
};

/*
 * Can every point be played, as far as that is known without a look at the
 * targets? Return 0, or -1 with `error` set.
 */
int sweep_check(const struct sweep *sweep, struct error *error);

/*
 * Measure what the result does not have yet of the settings' points and
 * repeats. The first time the program is fitted to the targets; that holds for
 * all further times with the same result.
 */
enum sweep_end sweep_run(const struct sweep *sweep,
			 const struct sweep_observer *observer,
			 struct error *error);

#endif
