/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The planned phases of a measurement: warm-up, measure, ramp-down. The
 * settings, the workers' plan and the result each have a copy.
 */
#ifndef WORDS_PHASES_H
#define WORDS_PHASES_H

#include <stdbool.h>
#include <stdint.h>

struct phases {
	uint64_t warmup_ns;    /* before the measurement, not counted */
	uint64_t time_ns;      /* the measured time */
	uint64_t ramp_down_ns; /* after the measurement, not counted */
	uint64_t settle_ns;    /* pause before the next measurement */
	/* > 0: each user plays this many loops, and the first three durations
	 * above are ignored. */
	uint64_t loops;
	/* Without `loops`: play whole loops, and begin none when time_ns has
	 * passed. There is no warm-up and no ramp-down. */
	bool whole_loops;
	bool from_start; /* measure the load's prologue, too */
	/* Drop the load's files from the page cache before the measurement. */
	bool cold;
};

/* Check if all loops are played to their end, so that it is unknown how long
 * they take. */
static inline bool phases_in_loops(const struct phases *phases)
{
	return phases->loops > 0 || phases->whole_loops;
}

/* Return the duration of one measurement, not including set-up, clean-up and
 * the pause after it. With `whole_loops`, it takes at least this long. Do not
 * call this if `loops` is set. */
static inline uint64_t phases_total_ns(const struct phases *phases)
{
	return phases->warmup_ns + phases->time_ns + phases->ramp_down_ns;
}

/* Return the planned duration of `count` measurements and the pauses between them; or
 * UINT64_MAX if it is longer. */
static inline uint64_t phases_all_ns(const struct phases *phases, uint64_t count)
{
	uint64_t total_ns, settle_ns;

	if (__builtin_mul_overflow(count, phases_total_ns(phases), &total_ns) ||
	    __builtin_mul_overflow(count - 1, phases->settle_ns, &settle_ns) ||
	    __builtin_add_overflow(total_ns, settle_ns, &total_ns))
		return UINT64_MAX;
	return total_ns;
}

#endif
