/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The watchdog of the parent over users that are stuck: it looks for users that
 * wait for each other, warns about operations that do not return although
 * nothing limits their time, and ends those over a network that take too long.
 */
#ifndef RUN_WATCHDOG_H
#define RUN_WATCHDOG_H

#include "measure/stats.h"
#include "play/plan.h"

/* Room for a message of the watchdog. */
enum { WATCHDOG_TEXT = 512 };

/* The findings of the last check for deadlocks and hangs, once per second. */
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

/*
 * The deadline of an operation over a network. A client library's own timeout is
 * per request, but an operation may take several requests. The parent also notes
 * which targets no longer answer (are gone), so that nothing waits for them
 * again.
 */
struct deadline {
	const struct workers_plan *plan;
	struct stats *stats;
	/* One per user; NULL: no target is remote. */
	struct deadline_user *users;
	uint64_t passed_ns; /* time since the last check of the users */
};

/* Return the time that all users together have to clean up after they have played
 * for `played_ns`. Some targets never run out of names to remove. */
uint64_t deadline_clean_up_ns(uint64_t played_ns);

/* Begin to watch the users of a point. Return 0 or -ENOMEM. */
int deadline_open(struct deadline *deadline, const struct workers_plan *plan, struct stats *stats);

/* Note the targets that did not answer a user, and end the watch. Call this
 * after all users have ended. */
void deadline_close(struct deadline *deadline);

/*
 * Account for `passed_ns` of time, not counting time for which the run was
 * stopped (SIGSTOP). If an operation is overdue, kill the user that plays it,
 * report this as the failure of the run, and mark the target as gone. Kill the
 * other users of a target that is gone if they do not end within a second.
 * `pids` has the PID of each user, or 0 if the user has ended.
 */
void deadline_pass(struct deadline *deadline, uint64_t passed_ns, const pid_t *pids);

#endif
