/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/watchdog.h"

#include "play/barrier.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define HANG_NS (10 * NS_PER_S)

/* Maximum number of users that a message about a deadlock names. */
enum { NAMED_MAX = 3 };

/* Return the op that a user plays. */
static const struct op *op_of(const struct workers_plan *plan, const struct stats_user *own,
			      unsigned user)
{
	return &workers_load_of(plan, user)->program->ops[own->op];
}

/* Check if the user waits for a sequence point not yet reached, or for others
 * at the beginning of a phase. */
static bool is_waiting(const struct workers_plan *plan, const struct stats *stats, unsigned user)
{
	const struct stats_user *own = stats_user(stats, user), *other;
	const struct op *op = op_of(plan, own, user);

	if (__atomic_load_n(&own->waits, __ATOMIC_ACQUIRE) % 2 == 0)
		return false;
	if (own->at_barrier != 0 || op->kind != OP_WAITSP)
		return barrier_is_waiting(stats, user);
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
		snprintf(text, size, "user %u waits for the others at PHASE %s (line %" PRIu32 ")",
			 plan->first_user + user, program->phases[op->number].name, op->line);
	else if (own->at_barrier != 0)
		snprintf(text, size, "user %u waits for the others before the next loop",
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
	unsigned user, hung = 0;

	for (user = 0; user < plan->users; user++) {
		const struct stats_user *own = stats_user(stats, user);
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
	}
	if (oldest_ns < watchdog->resumed_ns)
		oldest_ns = watchdog->resumed_ns;
	if (watchdog->warned || now_ns - oldest_ns < HANG_NS || op_is_control(op->kind))
		return NULL;
	watchdog->warned = true;
	snprintf(watchdog->warning, sizeof(watchdog->warning),
		 "user %u: %.200s:%" PRIu32 ": %.60s has not returned for %" PRIu64
		 " s; still waiting for it",
		 hung, program->source, op->line, program->labels[op->label],
		 (now_ns - oldest_ns) / NS_PER_S);
	return watchdog->warning;
}
