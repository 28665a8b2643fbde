/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep: replay the load with one user count after the other or, with axes,
 * with each combination of a user count and the axes' values. Each measurement
 * of throng goes through here; run/workers.h plays a single one.
 */
#ifndef SWEEP_SWEEP_H
#define SWEEP_SWEEP_H

#include "result/result.h"
#include "run/workers.h"
#include "study/loads.h"
#include "sweep/settings.h"

#include <stdio.h>

/* A state that is saved, in short. */
struct sweep_state {
	unsigned users;
	uint64_t must_bytes; /* number of bytes that must be there */
	const char *reason;  /* why there are none; else NULL */
};

/* The callbacks of a sweep; all are called in the parent. */
struct sweep_observer {
	void *context;
	/* The targets have been probed; the measurements follow. NULL: don't
	 * report it. */
	void (*begin)(void *context, const struct result *result);
	/* Called once per second during a repeat. */
	void (*tick)(void *context, const struct workers_view *view);
	/* With --find-rate, a step of the search has been measured; it is the
	 * last one in `found`. */
	void (*step)(void *context, const struct result_repeat *repeat,
		     const struct result_found_rate *found);
	/* A repeat is done, valid or not, and the result is up to date. Return
	 * 0, or < 0 to stop. */
	int (*repeat)(void *context, const struct result *result,
		      const struct result_repeat *repeat);
	/* Save the state of the users' files (crash/state.h) after a repeat
	 * with --verify, before `repeat` is called: pass `state` to `write`;
	 * `brief` says what is in it.
	 * Return 0, or < 0 to stop. NULL: don't save it. */
	int (*state)(void *context, int (*write)(const void *state, FILE *stream),
		     const void *state, const struct sweep_state *brief);
};

/* One variant of a sweep (result/variant.h): the loads to play, and where. */
struct sweep_variant {
	struct loads *loads; /* already transformed as the options ask */
	const struct target *targets;
	unsigned target_count;
};

struct sweep {
	const struct settings *settings;
	/* One per variant of the result, or just one without axes. */
	const struct sweep_variant *variants;
	size_t variant_count;
	/* The caller has described the loads in the run or, with axes, in
	 * run.variants. */
	struct result *result;
	const struct identity *run; /* of all claims; NULL: a new one for each */
	unsigned pair;              /* number of the pair, from 1; 0: not part of a pair */
	bool resumed;               /* the result is from an interrupted run */
	/* Pause before the first measurement, too, because another one has just
	 * ended. */
	bool settle_first;
	unsigned measurements_max; /* max number to make; 0: all that remain */
};

/* The end of a sweep. */
enum sweep_end {
	SWEEP_DONE,    /* every point is valid */
	SWEEP_INVALID, /* a repeat is not valid; later ones were not played */
	SWEEP_REFUSED, /* nothing was measured; `error` says why */
};

/*
 * Check if every point can be played, as far as that is known before the
 * targets are probed. Return 0, or -1 with `error` set.
 */
int sweep_check(const struct sweep *sweep, struct error *error);

/*
 * Return the number of users of the measurement that sweep_run would make next.
 * Return 0 if none remains, or if memory is short.
 */
unsigned sweep_next_users(const struct sweep *sweep);

/*
 * Measure the points and repeats that the settings ask for and that the result
 * does not have yet. The first call for a result fits the loads to the targets
 * (fitting.h); later calls use the fitted loads.
 */
enum sweep_end sweep_run(const struct sweep *sweep, const struct sweep_observer *observer,
			 struct error *error);

#endif
