/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How busy the machine is with other things, before anything is measured.
 *
 * The processors' time is looked at over a moment in which throng itself does
 * nothing and nothing that it has measured is still being written: once, before
 * the first users are forked. Later the load of the point before would count.
 * The load average would not do: it is high for minutes after a build.
 */
#ifndef JOB_BUSY_H
#define JOB_BUSY_H

#include <stdint.h>

/* The time of all processors since the boot, in hundredths of a second. */
struct busy_look {
	uint64_t busy, all;
};

/*
 * How long to look before points of `time_ns` each, 0 with `loops`: a tenth of
 * that, and at most a second, so that it costs little. Return 0 where that is
 * too short to see anything.
 */
uint64_t busy_look_ns(uint64_t time_ns, uint64_t loops);

/* Read how it is now from /proc/stat. Return 0 or -errno. */
int busy_look(struct busy_look *look);

/* Read the first line of that file. Return 0, or -EINVAL. */
int busy_parse(const char *line, struct busy_look *look);

/*
 * Return the share of `cpus` processors that was busy between two looks, 0 to
 * 1. Up to one tick of each may be chance, and is left out.
 */
double busy_share(const struct busy_look *before,
		  const struct busy_look *after, unsigned cpus);

#endif
