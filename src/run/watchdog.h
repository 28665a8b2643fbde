/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The watchdog: looks once per second for users that wait for each other, and
 * for operations that do not return although nothing limits their time.
 */
#ifndef RUN_WATCHDOG_H
#define RUN_WATCHDOG_H

#include "measure/stats.h"
#include "play/plan.h"

/* Room for a message of the watchdog. */
enum { WATCHDOG_TEXT = 512 };

/* The findings of the last check. */
struct watchdog {
	/* Sum of the users' `waits` (stats.h); 0: not all users waited. */
	uint64_t waits;
	/* End of the last pause of the parent (SIGSTOP); 0: there was none. */
	uint64_t resumed_ns;
	bool warned;
	char warning[WATCHDOG_TEXT];
};

/*
 * Check for a deadlock: each user that still plays waits for a sequence point
 * of another user. Return true when two checks in a row find this, and describe
 * it in `text`.
 */
bool watchdog_find_deadlock(struct watchdog *watchdog, const struct workers_plan *plan,
			    const struct stats *stats, char text[WATCHDOG_TEXT]);

/*
 * Return a warning, once, about an operation that has taken 10 seconds so far,
 * not counting a pause of the run, and may hang forever; or NULL. Don't warn
 * about remote targets, which have a timeout, except while the operation waits
 * for another user.
 */
const char *watchdog_find_hang(struct watchdog *watchdog, const struct workers_plan *plan,
			       const struct stats *stats, uint64_t now_ns);

#endif
