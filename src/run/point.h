/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One point on this machine: map the memory that its users share, let them play,
 * and sum up what they have counted.
 */
#ifndef RUN_POINT_H
#define RUN_POINT_H

#include "run/tally.h"
#include "run/workers_view.h"

/* The end of a point. */
struct point_end {
	const struct tally *tally; /* NULL: memory is short */
	/* The users have also removed their files, and only failures of that are
	 * new: the rest was reported before. */
	bool again;
	const char *not_started; /* why users could not be started, or a host failed; or NULL */
	const char *host;        /* the host whose users have failed; NULL: this one */
	/* The host that was lost, for the reason above; or NULL. */
	const char *lost_host;
	uint64_t window_ns; /* length of the measured window; 0: there was none */
};

/* The callbacks of a point, all in the parent. */
struct point_observer {
	void *context;
	/* Called before the users are forked. They all see `run`, which gets the times
	 * of the phases when they start. NULL: not needed. */
	void (*begin)(void *context, const struct stats_run *run);
	/* Called once per second. */
	void (*tick)(void *context, const struct workers_view *view);
	/* As in struct workers_observer, as the next ones. */
	uint64_t (*start)(void *context);
	bool (*share)(void *context);
	bool (*meet)(void *context, size_t load, const struct stats_barrier *barrier,
		     struct barrier_go *go);
	/* The users have played. */
	void (*over)(void *context, const struct point_end *end);
	/* All is over, but plan->verification is still there. NULL: not needed. */
	void (*end)(void *context);
};

/*
 * Play a point. With `early`, call observer->over before the users remove their
 * files, if they have any. Return 0 if the point ran, however it ended, or -errno
 * if its users could not be started. observer->over has the reason.
 */
int point_play(struct workers_plan *plan, const struct point_observer *observer, bool early);

#endif
