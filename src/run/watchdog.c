/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/watchdog.h"

#include "play/barrier.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An operation that takes longer may hang forever. */
#define HANG_NS (10 * NS_PER_S)

/* Max number of users that a message about a deadlock names. */
enum { NAMED_MAX = 3 };

/* Interval between two checks of the deadlines. */
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

/* Return the op that a user plays. */
static const struct op *op_of(const struct workers_plan *plan, const struct stats_user *own,
			      unsigned user)
{
	return &workers_load_of(plan, user)->program->ops[own->op];
}

/* Check if the user waits for a sequence point not yet reached, or for others
 * of this process at the beginning of a phase. */
static bool is_waiting(const struct workers_plan *plan, const struct stats *stats, unsigned user)
{
	const struct stats_user *own = stats_user(stats, user), *other;
	const struct op *op = op_of(plan, own, user);

	if (__atomic_load_n(&own->waits, __ATOMIC_ACQUIRE) % 2 == 0)
		return false;
	if (own->at_barrier != 0 || op->kind != OP_WAITSP)
		return stats_load_of(stats, user)->barrier.elsewhere == 0 &&
		       barrier_is_waiting(stats, user);
	other = stats_user(stats, op->user);
	return __atomic_load_n(&other->sequence_point, __ATOMIC_ACQUIRE) < own->awaits &&
	       __atomic_load_n(&other->state, __ATOMIC_ACQUIRE) < STATS_ENDING;
}

static void describe_wait(const struct workers_plan *plan, const struct stats *stats, unsigned user,
			  char *text, size_t size)
{
	const struct program *program = workers_load_of(plan, user)->program;
	const struct stats_user *own = stats_user(stats, user);
	const struct op *op = op_of(plan, own, user);
	bool several = plan->loads->count > 1;

	if (own->at_barrier != 0 && op->kind == OP_PHASE)
		snprintf(text, size,
			 "user %u waits for the other users of its load at PHASE %s (line %" PRIu32
			 ")",
			 plan->first_user + user, program->phases[op->number].name, op->line);
	else if (own->at_barrier != 0)
		snprintf(text, size,
			 "user %u waits for the other users of its load before the next loop",
			 plan->first_user + user);
	else
		snprintf(text, size,
			 "user %u waits for sequence point %" PRIu64 " of user %" PRIu32
			 " (%s%.100s%sline %" PRIu32 ")",
			 plan->first_user + user, op->number, plan->first_user + op->user,
			 several ? "in " : "", several ? program->source : "", several ? ", " : "",
			 op->line);
}

static void describe_deadlock(const struct workers_plan *plan, const struct stats *stats,
			      unsigned waiting, char text[WATCHDOG_TEXT])
{
	size_t size = WATCHDOG_TEXT, length;
	unsigned user, named = 0;

	if (plan->loads->count > 1)
		snprintf(text, size, "deadlock");
	else
		snprintf(text, size, "deadlock in %.200s", plan->loads->list[0].program->source);
	for (user = 0; user < plan->users && named < NAMED_MAX; user++) {
		if (!is_waiting(plan, stats, user))
			continue;
		length = strlen(text);
		snprintf(text + length, size - length, "%s ", named++ == 0 ? ":" : ",");
		length = strlen(text);
		describe_wait(plan, stats, user, text + length, size - length);
	}
	length = strlen(text);
	if (waiting > named)
		snprintf(text + length, size - length, " and %u more", waiting - named);
}

bool watchdog_find_deadlock(struct watchdog *watchdog, const struct workers_plan *plan,
			    const struct stats *stats, char text[WATCHDOG_TEXT])
{
	uint64_t waits = 0, before = watchdog->waits;
	unsigned user, waiting = 0;

	watchdog->waits = 0;
	for (user = 0; user < plan->users; user++) {
		const struct stats_user *own = stats_user(stats, user);

		if (__atomic_load_n(&own->state, __ATOMIC_ACQUIRE) >= STATS_ENDING)
			continue;
		if (!is_waiting(plan, stats, user))
			return false;
		waits += own->waits;
		waiting++;
	}
	watchdog->waits = waits;
	/* If any user had moved since the last check, `waits` would differ. */
	if (waiting == 0 || waits != before)
		return false;
	describe_deadlock(plan, stats, waiting, text);
	return true;
}

const char *watchdog_find_hang(struct watchdog *watchdog, const struct workers_plan *plan,
			       const struct stats *stats, uint64_t now_ns)
{
	uint64_t oldest_ns = now_ns;
	const struct program *program = NULL;
	const struct op *op = NULL;
	char stream[PROGRAM_STREAM_TEXT];
	unsigned block, hung = 0, lane = 0;

	for (block = 0; block < stats_blocks(stats); block++) {
		const struct stats_user *own = stats_user(stats, block);
		unsigned user = block % stats->users;
		uint64_t since_ns = own->busy_since_ns;

		if ((own->state != STATS_STARTING && own->state != STATS_RUNNING) ||
		    since_ns == 0 || since_ns >= oldest_ns ||
		    (workers_target_of(plan, user)->target->backend->remote &&
		     own->blocked_since_ns != since_ns))
			continue;
		oldest_ns = since_ns;
		program = workers_load_of(plan, user)->program;
		op = &program->ops[own->op];
		hung = plan->first_user + user;
		lane = stats->lanes > 1 ? block / stats->users : PROGRAM_STREAMS_MAX;
	}
	if (oldest_ns < watchdog->resumed_ns)
		oldest_ns = watchdog->resumed_ns;
	if (watchdog->warned || now_ns - oldest_ns < HANG_NS || op_is_control(op->kind))
		return NULL;
	watchdog->warned = true;
	program_print_stream(program, (size_t)(op - program->ops), lane, stream);
	snprintf(watchdog->warning, sizeof(watchdog->warning),
		 "user %u%s: %.200s:%" PRIu32 ": the operation %.60s has not returned for %" PRIu64
		 " s; throng continues to wait",
		 hung, stream, program->source, op->line, program->labels[op->label],
		 (now_ns - oldest_ns) / NS_PER_S);
	return watchdog->warning;
}

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
		failure->lane = stats->lanes > 1 ? 0 : PROGRAM_STREAMS_MAX;
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
