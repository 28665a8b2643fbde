/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock of a trace by strace, whose lines have times of several kinds.
 */
#ifndef CAPTURE_STRACE_CLOCK_H
#define CAPTURE_STRACE_CLOCK_H

#include "capture/strace/line.h"

/* Is the time of a line that since the line before (-r)? */
bool strace_time_is_relative(const struct strace_line *line);

/* It begins as zero. */
struct strace_clock {
	uint64_t now_ns; /* of the line before */
	uint64_t day_ns; /* when the current day began, if days are known */
};

/*
 * Return the time of the trace's next line in nanoseconds, or 0 if it has none:
 * since the epoch (-ttt), since the midnight before the trace (-t, -tt), or since
 * the trace began (-r; then lines have the time since the line before).
 */
uint64_t strace_clock_read(struct strace_clock *clock, const struct strace_line *line);

#endif
