/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/pace.h"

#include "base/random.h"

#include <math.h>

/* The streams of random numbers from here on are for arrivals: those of the
 * users' other numbers have the users' numbers. */
#define ARRIVAL_STREAMS (UINT64_C(1) << 32)

/*
 * Return the period of the load's loops: its last time stamp and, as the time
 * between the last operation and the first one of the next loop is unknown, the
 * mean time between two operations.
 */
static uint64_t find_period_ns(const struct program *program, size_t first)
{
	uint64_t first_ns = 0, last_ns = 0, stamps = 0;
	size_t i;

	for (i = first; i < program->op_count; i++) {
		uint64_t stamp_ns = program->due_ns[i];

		if (stamp_ns == CLOCK_NEVER)
			continue;
		if (stamps++ == 0)
			first_ns = stamp_ns;
		last_ns = stamp_ns;
	}
	if (stamps < 2 || last_ns < first_ns)
		return last_ns;
	return last_ns + (last_ns - first_ns) / (stamps - 1);
}

void pace_open(struct pace *pace, const struct program *program, size_t first, unsigned user,
	       unsigned users, uint64_t seed)
{
	const struct program_rate *rate = &program->rate;
	double sharers = rate->total ? users : 1;
	unsigned turn = user % users;

	*pace = (struct pace){.program = program, .first = first};
	if (rate->per_s > 0) {
		pace->gap_ns = (double)NS_PER_S * sharers / rate->per_s;
		pace->spread_ns = pace->gap_ns * turn / users;
		random_start(&pace->random, seed, ARRIVAL_STREAMS + user);
	} else if (program->due_ns != NULL) {
		pace->period_ns = find_period_ns(program, first);
	}
}

void pace_begin(struct pace *pace, size_t at, uint64_t at_ns, uint64_t stamp_ns)
{
	pace->passed = at;
	pace->late_ns = 0;
	pace->awake_ns = 0;
	pace->base_ns = at_ns - stamp_ns;
}

void pace_follow(struct pace *pace, const struct pace *other, size_t at)
{
	pace->passed = at;
	pace->late_ns = 0;
	pace->awake_ns = 0;
	pace->pending = false;
	pace->base_ns = other->base_ns;
	pace->restarting = other->restarting;
}

void pace_restart(struct pace *pace, uint64_t at_ns)
{
	if (pace->gap_ns > 0)
		pace->from_ns = at_ns;
	else
		pace->base_ns = at_ns;
	pace->late_ns = 0;
	pace->restarting = true;
	pace->pending = false;
}

static uint64_t next_arrival(struct pace *pace)
{
	double after_ns;

	if (pace->program->rate.arrival == ARRIVAL_POISSON)
		after_ns = pace->arrived_ns += draw_exponential_unit(&pace->random) * pace->gap_ns;
	else
		after_ns = pace->spread_ns + (double)pace->count++ * pace->gap_ns;
	/* A later time would not fit into 64 bits. */
	return pace->base_ns + (uint64_t)fmin(after_ns, PROGRAM_DUE_MAX_NS);
}

static uint64_t next_at_rate(struct pace *pace)
{
	uint64_t due_ns = next_arrival(pace);

	if (pace->restarting && due_ns < pace->from_ns) {
		pace->base_ns = pace->from_ns;
		pace->count = 0;
		pace->arrived_ns = 0;
		due_ns = next_arrival(pace);
	}
	pace->restarting = false;
	return due_ns;
}

static uint64_t next_at_stamp(struct pace *pace, uint64_t stamp_ns)
{
	if (pace->restarting)
		pace->base_ns -= stamp_ns;
	pace->restarting = false;
	if (pace->awake_ns == CLOCK_NEVER ||
	    (int64_t)(pace->awake_ns - pace->base_ns) > (int64_t)stamp_ns)
		return pace->awake_ns;
	return pace->base_ns + stamp_ns;
}

uint64_t pace_next(struct pace *pace, size_t at, uint64_t ended_ns)
{
	uint64_t stamp_ns = CLOCK_NEVER;

	pace->pending = true;
	if (pace->gap_ns > 0)
		return pace->due_ns = next_at_rate(pace);
	if (at >= pace->passed) {
		stamp_ns = pace->program->due_ns[at];
		pace->passed = at + 1;
	}
	pace->due_ns = stamp_ns == CLOCK_NEVER ? ended_ns : next_at_stamp(pace, stamp_ns);
	return pace->due_ns;
}

void pace_end_loop(struct pace *pace, uint64_t ended_ns)
{
	pace->passed = pace->first;
	if (pace->gap_ns > 0)
		return;
	if (pace->period_ns > 0)
		pace->base_ns += pace->period_ns;
	else
		pace_restart(pace, ended_ns);
}

/*
 * Advance to the next op with a time stamp. Return false if there is none
 * before a barrier or a pause, or none that is due before `before_ns`.
 */
static bool take_stamp(struct pace *copy, uint64_t before_ns)
{
	const struct program *program = copy->program;

	for (;;) {
		const struct op *op;
		uint64_t stamp_ns;

		if (copy->passed >= program->op_count) {
			if (copy->period_ns == 0)
				return false;
			pace_end_loop(copy, 0);
			/* The loop may have no time stamp outside of a MIX. */
			if ((int64_t)(copy->base_ns - before_ns) >= 0)
				return false;
		}
		op = &program->ops[copy->passed];
		stamp_ns = program->due_ns[copy->passed++];
		if (copy->streams != NULL && copy->streams[op - program->ops] != copy->stream)
			continue;
		if (op->kind == OP_PHASE || op->kind == OP_SLEEP || op->kind == OP_WAITSP)
			return false;
		if (op->kind == OP_MIX || op->kind == OP_BRANCH || op->kind == OP_EVERY)
			copy->passed = op->jump;
		else if (stamp_ns != CLOCK_NEVER && op->kind != OP_SKIP)
			return (copy->due_ns = next_at_stamp(copy, stamp_ns)) < before_ns;
	}
}

bool pace_take(struct pace *copy, uint64_t before_ns, uint64_t *due_ns)
{
	bool due;

	if (copy->pending)
		due = copy->due_ns < before_ns;
	else if (copy->gap_ns == 0)
		due = take_stamp(copy, before_ns);
	else
		due = (copy->due_ns = next_at_rate(copy)) < before_ns;
	copy->pending = false;
	*due_ns = copy->due_ns;
	return due;
}
