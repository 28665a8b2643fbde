/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When an operation is due. Pure arithmetic, so that it can be tested.
 */
#ifndef ENGINE_PACE_H
#define ENGINE_PACE_H

#include "base/clock.h"

/*
 * The time at which an operation with the time stamp `stamp_ns` is due in a
 * loop that began at `loop_begin_ns`; CLOCK_NEVER (no stamp): at once, 0.
 */
static inline uint64_t pace_due_ns(uint64_t loop_begin_ns, uint64_t stamp_ns)
{
	return stamp_ns == CLOCK_NEVER ? 0 : loop_begin_ns + stamp_ns;
}

/* How long so many bytes take at a rate. */
static inline uint64_t pace_bytes_ns(uint64_t bytes, uint64_t bytes_per_s)
{
	double rest_s = (double)(bytes % bytes_per_s) / (double)bytes_per_s;

	return bytes / bytes_per_s * NS_PER_S +
	       (uint64_t)(rest_s * (double)NS_PER_S);
}

/* How long a sleeping user goes without looking whether it is to stop. */
#define PACE_SLICE_NS (100 * NS_PER_MS)

/* Where a sleep until `due_ns` that begins now is next interrupted. */
static inline uint64_t pace_slice_ns(uint64_t now_ns, uint64_t due_ns)
{
	return due_ns - now_ns > PACE_SLICE_NS ? now_ns + PACE_SLICE_NS
					       : due_ns;
}

#endif
