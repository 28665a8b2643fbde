/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read the monotonic clock, in nanoseconds, and sleep until a given time.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_US UINT64_C(1000)

/* A time that is never reached: later than any other. */
#define CLOCK_NEVER UINT64_MAX

/* Return CLOCK_MONOTONIC in nanoseconds. A call takes about 22 ns. */
static inline uint64_t clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/*
 * Set the calling process's timer slack to 1 ns instead of the default 50 us,
 * so that it wakes on time. Call this once per process.
 */
void clock_be_punctual(void);

/*
 * Sleep until `deadline_ns`; return at once if it is in the past. Return the
 * current time, which may be a little later than the deadline.
 */
uint64_t clock_sleep_until_ns(uint64_t deadline_ns);

/*
 * Like clock_sleep_until_ns(), but sleep only until `early_ns` before the
 * deadline, then spin, because a sleep ends late (clock_wake_ns).
 */
uint64_t clock_sleep_exactly_until_ns(uint64_t deadline_ns, uint64_t early_ns);

/*
 * Measure how late sleeps of this process end: return the 99th percentile, but
 * at most 50 us. This takes about 25 ms.
 */
uint64_t clock_wake_ns(void);

#endif
