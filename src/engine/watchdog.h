/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks once a second for users that wait for each other, and for operations
 * of a local target that do not return.
 */
#ifndef ENGINE_WATCHDOG_H
#define ENGINE_WATCHDOG_H

#include "engine/stats.h"
#include "engine/workers_plan.h"

/* Room for what the watchdog says. */
enum { WATCHDOG_TEXT = 512 };

struct watchdog {
	uint64_t waits;         /* of all users, when all of them waited */
	uint64_t hung_since_ns; /* the longest operation of the last look */
	bool warned;
	char warning[WATCHDOG_TEXT];
};

/*
 * Do all users that still play wait for sequence points that none of them can
 * come to any more? A second look must find the same before it is true; then
 * `text` says who waits for whom.
 */
bool watchdog_find_deadlock(struct watchdog *watchdog,
			    const struct workers_plan *plan,
			    const struct stats *stats,
			    char text[WATCHDOG_TEXT]);

/*
 * Returns a warning, once, about an operation that has been going on for 10
 * seconds on a local target, which may hang for ever; or NULL. A library that
 * plays over a network has a time-out.
 */
const char *watchdog_find_hang(struct watchdog *watchdog,
			       const struct workers_plan *plan,
			       const struct stats *stats, uint64_t now_ns);

#endif
