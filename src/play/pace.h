/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The schedule of a user: the times at which its operations are due, from the
 * time stamps of its load or from a rate. A schedule does not depend on how
 * long operations take. Pure arithmetic, for unit tests.
 */
#ifndef PLAY_PACE_H
#define PLAY_PACE_H

#include "base/clock.h"
#include "base/random.h"
#include "program/program.h"

struct pace {
	const struct program *program;
	/* If several streams are played at the same time: the stream of each op, and
	 * the stream that this schedule is for. NULL: it is for all ops. */
	const uint8_t *streams;
	uint8_t stream;
	size_t first; /* index of the first op of a loop, after the set-up */
	/* Rate: mean time between two operations. 0: the program's time stamps
	 * count or, if it has none, there is no schedule. */
	double gap_ns;
	double spread_ns; /* time of the first operation, at a constant rate */
	/* Time between the beginnings of two loops; 0: each begins when the one
	 * before it has ended. */
	uint64_t period_ns;
	struct random random; /* for arrivals at random times */

	/* The beginning of the schedule. Time stamps and `count` count from
	 * here; it may be before the clock's zero, and then wraps around. */
	uint64_t base_ns;
	uint64_t count; /* number of due times since then, at a constant rate */
	/* Last due time since then, at random times. Not rounded, as this would
	 * change the mean of a high rate. */
	double arrived_ns;
	/* The next operation with a time stamp is due at base_ns or, at a rate,
	 * the next operation is not due before from_ns. */
	bool restarting;
	uint64_t from_ns;
	/* Ops before this one have been played in this loop. Their time stamps
	 * are over, also when a LOOP plays them again. */
	size_t passed;

	/* End of the last SLEEP or WAITSP: no operation with a time stamp is due
	 * before. CLOCK_NEVER: it has not ended yet. */
	uint64_t awake_ns;

	uint64_t due_ns; /* of the current operation */
	bool pending;    /* it has not ended yet */
	/* How much later it began than if throng had begun all operations on
	 * time. */
	uint64_t late_ns;
};

/*
 * Prepare the schedule of user number `user`, who plays loops from op `first`
 * on. `users` users with consecutive numbers share a total rate. At a constant
 * rate, their first operations are spread evenly over one gap. Call pace_begin
 * next.
 */
void pace_open(struct pace *pace, const struct program *program, size_t first, unsigned user,
	       unsigned users, uint64_t seed);

/* Check if operations have due times at all. */
static inline bool pace_is_on(const struct pace *pace)
{
	return program_is_paced(pace->program);
}

/* Begin the schedule at `at_ns`, the time of the time stamp `stamp_ns`. Op `at`
 * is the first one to be played. */
void pace_begin(struct pace *pace, size_t at, uint64_t at_ns, uint64_t stamp_ns);

/* Begin a loop with op `at`, or go on with it, as the schedule of another stream does. */
void pace_follow(struct pace *pace, const struct pace *other, size_t at);

/*
 * End a backlog of operations: none is due before `at_ns`. The next operation
 * with a time stamp is due then. A rate continues if its next operation is due
 * later, or short loops and phases would be played at a higher rate.
 */
void pace_restart(struct pace *pace, uint64_t at_ns);

/* Postpone the schedule by `pause_ns`. */
static inline void pace_postpone(struct pace *pace, uint64_t pause_ns)
{
	pace->base_ns += pause_ns;
}

/*
 * Return the time at which the next operation, op `at`, is due. `ended_ns` is
 * the end of the operation before it: an operation without a time stamp is due
 * then.
 */
uint64_t pace_next(struct pace *pace, size_t at, uint64_t ended_ns);

/*
 * The current operation begins at `start_ns`; the one before it ended at
 * `ready_ns`. A late start also delays the operations after it, until one is due
 * after the end of the one before it: their lateness contains this delay, which
 * is not the target's fault.
 */
static inline void pace_begin_op(struct pace *pace, uint64_t ready_ns, uint64_t start_ns)
{
	uint64_t on_time_ns = ready_ns - pace->late_ns;

	if (pace->due_ns > on_time_ns)
		on_time_ns = pace->due_ns;
	pace->late_ns = start_ns - on_time_ns;
}

/* A SLEEP or WAITSP, op `at`, begins. It delays the operations after it, which
 * is not the target's fault. */
static inline void pace_begin_pause(struct pace *pace, size_t at)
{
	if (at >= pace->passed)
		pace->passed = at + 1;
	pace->awake_ns = CLOCK_NEVER;
}

/* It has ended at `now_ns`. */
static inline void pace_end_pause(struct pace *pace, uint64_t now_ns)
{
	pace->awake_ns = now_ns;
}

/* The current operation has ended. */
static inline void pace_end_op(struct pace *pace)
{
	pace->pending = false;
}

/* A loop of the load has ended at `ended_ns`. */
void pace_end_loop(struct pace *pace, uint64_t ended_ns);

/*
 * Advance a copy of a schedule to the next operation that has not ended, first
 * to the current one, and set *due_ns to its due time. Return false if it is not
 * due before `before_ns`. Operations without a time stamp, in a MIX, or after a
 * pause that has not ended are left out, because their times are unknown.
 */
bool pace_take(struct pace *copy, uint64_t before_ns, uint64_t *due_ns);

/* Return the time that `bytes` take at a rate. */
static inline uint64_t pace_bytes_ns(uint64_t bytes, uint64_t bytes_per_s)
{
	double rest_s = (double)(bytes % bytes_per_s) / (double)bytes_per_s;

	return bytes / bytes_per_s * NS_PER_S + (uint64_t)(rest_s * (double)NS_PER_S);
}

/* Interval at which a sleeping user checks whether it must stop. */
#define PACE_SLICE_NS (100 * NS_PER_MS)

/* Return the end of the next slice of a sleep from now until `due_ns`. */
static inline uint64_t pace_slice_ns(uint64_t now_ns, uint64_t due_ns)
{
	return due_ns - now_ns > PACE_SLICE_NS ? now_ns + PACE_SLICE_NS : due_ns;
}

#endif
