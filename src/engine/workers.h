/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The users of one point: forked, started together, watched, reaped.
 */
#ifndef ENGINE_WORKERS_H
#define ENGINE_WORKERS_H

#include "engine/seconds.h"
#include "engine/stats.h"
#include "engine/watchdog.h"
#include "engine/workers_plan.h"

enum workers_stage {
	WORKERS_SETUP,
	WORKERS_WARMUP,
	WORKERS_MEASURE,
	WORKERS_RAMP_DOWN,
	WORKERS_CLEANUP
};

/* The state of a running point, once a second. */
struct workers_view {
	enum workers_stage stage;
	unsigned users, ready, alive;
	uint64_t elapsed_ns; /* in this stage */
	uint64_t left_ns;    /* of this stage; CLOCK_NEVER: not known */
	/* Since the point began, all phases together. */
	uint64_t ops, bytes, sum_ns;
	uint64_t mismatches;
	uint64_t measured_bytes; /* of these, in the measured phase */
	uint64_t p99_ns; /* of the last measured second; 0: not known */
	/* The longest operation since the last look, one that is not over yet
	 * with the time that it has taken so far. */
	uint64_t peak_ns;
	const char *warning; /* for people, on one line; NULL: none */
};

/* How a point ended. */
struct workers_report {
	int interrupted;  /* by this signal; 0: not */
	int died_user;    /* the number of the first user that died, or -1 */
	int died_signal;  /* what killed it; 0: it exited ... */
	int died_status;  /* ... with this status */
	bool stuck;       /* users were killed since they did not end */
	/* The users that wait for each other for ever; empty: none. */
	char deadlock[WATCHDOG_TEXT];
	uint64_t stood_still_ns; /* the whole run was stopped for so long */
	uint64_t start_ns, end_ns; /* of the measured window; 0: none */
	struct seconds seconds; /* of it; the caller closes them */
};

/* The callbacks of a point; all are called in the parent. */
struct workers_observer {
	void *context;
	/* A second has passed. */
	void (*tick)(void *context, const struct workers_view *view);
	/*
	 * All users of this process are ready. Return when they start, by
	 * clock_now_ns and not before `earliest_ns`; 0 to call the point off;
	 * or CLOCK_NEVER to be asked again soon, as long as it is not known.
	 * NULL: they start as soon as they can.
	 */
	uint64_t (*line)(void *context, uint64_t earliest_ns);
};

/*
 * Play a point. `stats` has been mapped for plan->users. Returns 0 when the
 * point ran, however it ended (report), or -errno with `error` set: the users
 * could not be started.
 */
int workers_run(const struct workers_plan *plan, struct stats *stats,
		const struct workers_observer *observer,
		struct workers_report *report, struct error *error);

#endif
