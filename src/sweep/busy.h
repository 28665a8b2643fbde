/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The share of CPU time that other programs use before anything is measured.
 *
 * It is sampled only once, before the first users are forked, while throng
 * itself is idle: after a point, the kernel may still be writing back data of
 * that point. The load average is of no use, as it stays high for minutes after
 * a build.
 */
#ifndef SWEEP_BUSY_H
#define SWEEP_BUSY_H

#include <stdint.h>

/* The time of all processors since boot, in hundredths of a second. */
struct busy_times {
	uint64_t busy, all;
};

/*
 * Return the time to sample before points of `time_ns` each: a tenth of
 * `time_ns`, at most a second, or 0 if that is too short to be useful. With
 * `loops` > 0 the time of a point is unknown, so return the shortest useful
 * time.
 */
uint64_t busy_interval_ns(uint64_t time_ns, uint64_t loops);

/* Read the current times from /proc/stat. Return 0 or -errno. */
int busy_read(struct busy_times *times);

/* Parse the first line of /proc/stat. Return 0 or -EINVAL. */
int busy_parse(const char *line, struct busy_times *times);

/*
 * Return the share of `cpus` processors that was busy between two samples, 0 to
 * 1. One tick per processor is subtracted, as it may be a rounding error.
 */
double busy_share(const struct busy_times *before, const struct busy_times *after, unsigned cpus);

#endif
