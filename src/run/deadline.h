/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The deadline of an operation over a network, enforced by the parent. A client
 * library's own timeout is per request, but an operation may take several
 * requests. The parent also notes which targets no longer answer (are gone), so
 * that nothing waits for them again.
 */
#ifndef RUN_DEADLINE_H
#define RUN_DEADLINE_H

#include "measure/stats.h"
#include "play/plan.h"

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
