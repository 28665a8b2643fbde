/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/strace/clock.h"

#include "base/clock.h"

enum {
	DAY_S = 24 * 60 * 60,
	FIRST_EPOCH_S = 1000000000, /* 2001; earlier times are not since 1970 */
};

bool strace_time_is_relative(const struct strace_line *line)
{
	return !line->of_day && line->time_ns < FIRST_EPOCH_S * NS_PER_S;
}

uint64_t strace_clock_read(struct strace_clock *clock, const struct strace_line *line)
{
	uint64_t time_ns = line->time_ns;

	if (!line->timed)
		return 0;
	if (line->of_day) {
		time_ns += clock->day_ns;
		if (time_ns + DAY_S * NS_PER_S / 2 < clock->now_ns) {
			clock->day_ns += DAY_S * NS_PER_S;
			time_ns += DAY_S * NS_PER_S;
		}
	} else if (strace_time_is_relative(line)) {
		time_ns += clock->now_ns;
	}
	clock->now_ns = time_ns > 0 ? time_ns : 1;
	return clock->now_ns;
}
