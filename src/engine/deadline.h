/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one deadline of an operation over a network, kept by the parent: a
 * client library bounds each of its requests, of which an operation may take
 * several. It also notes which targets are gone, so that nobody waits for
 * them again.
 */
#ifndef ENGINE_DEADLINE_H
#define ENGINE_DEADLINE_H

#include "engine/stats.h"
#include "engine/workers_plan.h"

struct deadline {
	const struct workers_plan *plan;
	struct stats *stats;
	struct deadline_user *users; /* NULL: no target is remote */
	uint64_t passed_ns; /* since the last look */
};

/* Returns 0 or -ENOMEM. */
int deadline_open(struct deadline *deadline, const struct workers_plan *plan,
		  struct stats *stats);

/* To be called when all users have ended: it still notes what they found. */
void deadline_close(struct deadline *deadline);

/*
 * To be called as time passes: `passed_ns` of it awake. A user whose operation
 * is overdue is killed, as the failure of the run, and its target is gone.
 * The other users of a target that no longer answers are killed soon after,
 * unless they end by themselves. `pids` are the users' processes, 0 one that
 * has ended.
 */
void deadline_pass(struct deadline *deadline, uint64_t passed_ns,
		   const pid_t *pids);

#endif
