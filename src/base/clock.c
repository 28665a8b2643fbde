/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/clock.h"

#include <stdlib.h>
#include <sys/prctl.h>

/* The sleeps that are measured, and the max result: spinning costs CPU time,
 * which the target may need. */
enum { WAKES = 100 };
#define WAKE_SLEEP_NS (200 * NS_PER_US)
#define WAKE_MAX_NS (50 * NS_PER_US)

void clock_be_punctual(void)
{
	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

uint64_t clock_sleep_until_ns(uint64_t deadline_ns)
{
	struct timespec wake = {
		.tv_sec = (time_t)(deadline_ns / NS_PER_S),
		.tv_nsec = (long)(deadline_ns % NS_PER_S),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, NULL) != 0)
		;
	return clock_now_ns();
}

uint64_t clock_sleep_exactly_until_ns(uint64_t deadline_ns, uint64_t early_ns)
{
	uint64_t now_ns = clock_now_ns();

	if (now_ns + early_ns < deadline_ns)
		now_ns = clock_sleep_until_ns(deadline_ns - early_ns);
	while (now_ns < deadline_ns)
		now_ns = clock_now_ns();
	return now_ns;
}

static int by_length(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

uint64_t clock_wake_ns(void)
{
	uint64_t late_ns[WAKES];
	unsigned i;

	for (i = 0; i < WAKES; i++) {
		uint64_t deadline_ns = clock_now_ns() + WAKE_SLEEP_NS;

		late_ns[i] = clock_sleep_until_ns(deadline_ns) - deadline_ns;
	}
	qsort(late_ns, WAKES, sizeof(late_ns[0]), by_length);
	return late_ns[WAKES - 2] < WAKE_MAX_NS ? late_ns[WAKES - 2] : WAKE_MAX_NS;
}
