/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Monotonic time in nanoseconds, and sleeping until a given time.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_US UINT64_C(1000)

/* A time that never comes. */
#define CLOCK_NEVER UINT64_MAX

/* Nanoseconds of CLOCK_MONOTONIC. Costs some 22 ns. */
static inline uint64_t clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/*
 * Convert a time of that clock to nanoseconds since the epoch, by what both
 * clocks show now; and back.
 */
uint64_t clock_wall_ns(uint64_t at_ns);
uint64_t clock_from_wall_ns(uint64_t wall_ns);

/*
 * Lets the calling process be woken as punctually as the kernel can: timer
 * slack of 1 ns in place of the default 50 us. Once a process.
 */
void clock_be_punctual(void);

/*
 * Sleeps until the clock shows `deadline_ns`, or a little later. Returns the
 * time then. A deadline in the past returns at once.
 */
uint64_t clock_sleep_until_ns(uint64_t deadline_ns);

/*
 * The same to the microsecond: sleeps to 120 us before the deadline and spins
 * the rest, since a sleep alone wakes up to 180 us late.
 */
uint64_t clock_sleep_exactly_until_ns(uint64_t deadline_ns);

#endif
