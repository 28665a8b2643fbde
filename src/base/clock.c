/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/clock.h"

#include <sys/prctl.h>

/* To meet a deadline exactly, wake up this long before it and spin: the
 * scheduler may wake us late. */
#define SPIN_NS (120 * NS_PER_US)

/* Return the difference between the wall clock and the monotonic clock. */
static uint64_t wall_lead_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec -
	       clock_now_ns();
}

uint64_t clock_wall_ns(uint64_t at_ns)
{
	return at_ns + wall_lead_ns();
}

uint64_t clock_from_wall_ns(uint64_t wall_ns)
{
	return wall_ns - wall_lead_ns();
}

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

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake,
			       NULL) != 0)
		;
	return clock_now_ns();
}

uint64_t clock_sleep_exactly_until_ns(uint64_t deadline_ns)
{
	uint64_t now_ns = clock_now_ns();

	if (now_ns + SPIN_NS < deadline_ns)
		now_ns = clock_sleep_until_ns(deadline_ns - SPIN_NS);
	while (now_ns < deadline_ns)
		now_ns = clock_now_ns();
	return now_ns;
}
