/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/deadline.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Interval between two checks of all users. */
#define CHECK_NS (100 * NS_PER_MS)
/*
 * Time added to the client library's own timeout. The library's timeout should
 * expire first, because then the user can report the failure in more detail.
 * The kernel rounds up the timeout of a socket: 20 s may become 22 s.
 */
#define GRACE_NS (5 * NS_PER_S / 2)
/* Time that the other users of a target have to end after the target has
 * stopped answering. After that they are killed. */
#define LEAVE_NS NS_PER_S

/* To clean up may take this time, and CLEAN_UP_TIMES that of what made the
 * files. */
#define CLEAN_UP_NS (3600 * NS_PER_S)
enum { CLEAN_UP_TIMES = 2 };

struct deadline_user {
	uint64_t progress; /* changes whenever the user does something */
	uint64_t quiet_ns; /* time without progress */
	uint64_t gone_ns;  /* time since its target was found to be gone */
};

uint64_t deadline_clean_up_ns(uint64_t played_ns)
{
	return CLEAN_UP_NS + CLEAN_UP_TIMES * played_ns;
}

int deadline_open(struct deadline *deadline, const struct workers_plan *plan, struct stats *stats)
{
	bool remote = false;
	unsigned i;

	*deadline = (struct deadline){.plan = plan, .stats = stats};
	for (i = 0; i < plan->target_count; i++)
		remote |= plan->targets[i].target->backend->remote;
	if (!remote)
		return 0;
	deadline->users = calloc(plan->users, sizeof(*deadline->users));
	return deadline->users != NULL ? 0 : -ENOMEM;
}

/* Mark a target as gone if it did not answer a user within the library's
 * timeout. That user itself may have ended since. */
static void note_losses(const struct deadline *deadline)
{
	const struct workers_plan *plan = deadline->plan;
	unsigned user;

	for (user = 0; user < plan->users; user++)
		if (stats_user(deadline->stats, user)->lost == -ETIMEDOUT)
			workers_target_of(plan, user)->gone = -ETIMEDOUT;
}

void deadline_close(struct deadline *deadline)
{
	if (deadline->users == NULL)
		return;
	note_losses(deadline);
	free(deadline->users);
	deadline->users = NULL;
}

/* Check if the user is in a call to its target. */
static bool is_in_call(const struct stats_user *own)
{
	switch (own->state) {
	case STATS_STARTING: /* sets up, or plays its prologue */
		return own->busy_since_ns != 0 && own->busy_since_ns != CLOCK_NEVER;
	case STATS_RUNNING:
		return own->busy_since_ns != CLOCK_NEVER;
	case STATS_ENDING:
		return true;
	default:
		return false;
	}
}

/* Report the missing answer as the failure of the run. */
static void fail(const struct deadline *deadline, unsigned user, const struct target *target)
{
	struct stats *stats = deadline->stats;
	struct stats_failure *failure = &stats->run->failure;
	const struct stats_user *own = stats_user(stats, user);
	const struct load *load = workers_load_of(deadline->plan, user);
	bool plays = own->state != STATS_ENDING && !op_is_control(load->program->ops[own->op].kind);

	if (stats_claim_failure(stats)) {
		failure->user = deadline->plan->first_user + user;
		failure->op = plays ? own->op : UINT32_MAX;
		failure->returned = -ETIMEDOUT;
		/* Leave the path of an operation to failure_describe. */
		failure->path[0] = '\0';
		snprintf(failure->doing, sizeof(failure->doing), "get an answer from");
		if (!plays)
			snprintf(failure->path, sizeof(failure->path), "%s", target->url);
		stats_publish_failure(stats);
	}
	stats_stop(stats);
}

static void check_user(struct deadline *deadline, unsigned user, pid_t pid)
{
	const struct workers_plan *plan = deadline->plan;
	struct workers_target *on = workers_target_of(plan, user);
	struct deadline_user *watched = &deadline->users[user];
	const struct stats_user *own = stats_user(deadline->stats, user);
	uint64_t progress = own->steps + own->state + own->busy_since_ns;

	watched->quiet_ns += deadline->passed_ns;
	if (progress != watched->progress || !is_in_call(own))
		watched->quiet_ns = 0;
	watched->progress = progress;
	if (watched->quiet_ns > on->target->timeout_s * NS_PER_S + GRACE_NS) {
		fail(deadline, user, on->target);
		on->gone = -ETIMEDOUT;
		kill(pid, SIGKILL);
	}
	if (on->gone != 0)
		watched->gone_ns += deadline->passed_ns;
	if (watched->gone_ns > LEAVE_NS)
		kill(pid, SIGKILL);
}

void deadline_pass(struct deadline *deadline, uint64_t passed_ns, const pid_t *pids)
{
	const struct workers_plan *plan = deadline->plan;
	unsigned user;

	deadline->passed_ns += passed_ns;
	if (deadline->users == NULL || deadline->passed_ns < CHECK_NS)
		return;
	note_losses(deadline);
	for (user = 0; user < plan->users; user++)
		if (pids[user] > 0 && workers_target_of(plan, user)->target->backend->remote)
			check_user(deadline, user, pids[user]);
	deadline->passed_ns = 0;
}
