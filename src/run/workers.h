/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The users of one point (one measurement with a given number of users): fork
 * them, start them together, watch and reap them.
 */
#ifndef RUN_WORKERS_H
#define RUN_WORKERS_H

#include "measure/seconds.h"
#include "measure/stats.h"
#include "play/barrier.h"
#include "play/plan.h"
#include "run/watchdog.h"
#include "run/workers_view.h"

/* The end of a point. */
struct workers_report {
	int interrupted; /* the signal that ended the point; 0: none */
	int died_user;   /* the number of the first user that died, or -1 */
	/* Signal that killed this user; 0: it exited with died_status. */
	int died_signal;
	int died_status;
	bool stuck; /* users were killed as none made progress */
	/* Message about users that wait for each other; empty: none. */
	char deadlock[WATCHDOG_TEXT];
	uint64_t stood_still_ns;   /* time for which the run was stopped */
	uint64_t start_ns, end_ns; /* the measured window; 0: there was none */
	/* Seconds of the window; the caller calls seconds_close. */
	struct seconds seconds;
};

/* The callbacks of a point; all are called in the parent. */
struct workers_observer {
	void *context;
	/* Called once per second. */
	void (*tick)(void *context, const struct workers_view *view);
	/* All users wait at the start line. Return the time at which they start;
	 * 0 to be asked again; or CLOCK_NEVER to call the point off. NULL: they
	 * start at once. */
	uint64_t (*start)(void *context);
	/* SETUP shared has been played in this process. Return true when it has been
	 * everywhere, or false to be asked again. NULL: as below. */
	bool (*share)(void *context);
	/*
	 * All users of load number `load` in this process wait for those that play
	 * elsewhere (struct stats_barrier). Set `go` and return true when these have
	 * arrived, too; or return false to be asked again. NULL: all users of the
	 * run are in this process.
	 */
	bool (*meet)(void *context, size_t load, const struct stats_barrier *barrier,
		     struct barrier_go *go);
	/*
	 * Called when all that `report` says of the point is known, before the
	 * users remove their files. Trouble with the removal is only in the
	 * report of workers_run. It is not called if no user has files to
	 * remove, all have died, or they could not be started. NULL: users
	 * remove their files at once.
	 */
	void (*over)(void *context, const struct workers_report *report);
};

/*
 * Play a point. `stats` must be mapped for plan->users. Return 0 if the point
 * ran, however it ended (see `report`), or -errno with `error` set if the users
 * could not be started.
 */
int workers_run(const struct workers_plan *plan, struct stats *stats,
		const struct workers_observer *observer, struct workers_report *report,
		struct error *error);

#endif
