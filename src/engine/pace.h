/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The times at which operations are due. Pure arithmetic, for unit tests.
 */
#ifndef ENGINE_PACE_H
#define ENGINE_PACE_H

#include "base/clock.h"

/*
 * Return the time at which an operation with the time stamp `stamp_ns` is due
 * in a loop that began at `loop_begin_ns`; 0 (at once) if the stamp is
 * CLOCK_NEVER, which means that there is none.
 */
static inline uint64_t pace_due_ns(uint64_t loop_begin_ns, uint64_t stamp_ns)
{
	return stamp_ns == CLOCK_NEVER ? 0 : loop_begin_ns + stamp_ns;
}

/* Return the time that `bytes` take at a rate. */
static inline uint64_t pace_bytes_ns(uint64_t bytes, uint64_t bytes_per_s)
{
	double rest_s = (double)(bytes % bytes_per_s) / (double)bytes_per_s;

	return bytes / bytes_per_s * NS_PER_S +
	       (uint64_t)(rest_s * (double)NS_PER_S);
}

/* Interval at which a sleeping user checks whether it must stop. */
#define PACE_SLICE_NS (100 * NS_PER_MS)

/* Return the end of the next slice of a sleep from now until `due_ns`. */
static inline uint64_t pace_slice_ns(uint64_t now_ns, uint64_t due_ns)
{
	return due_ns - now_ns > PACE_SLICE_NS ? now_ns + PACE_SLICE_NS
					       : due_ns;
}

#endif
