/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/busy.h"

#include "base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define INTERVAL_MAX_NS NS_PER_S
/* Ten ticks of the kernel's clock. */
#define INTERVAL_MIN_NS (100 * NS_PER_MS)
/* Sample for this part of a point's time: a tenth. */
enum { POINT_SHARE = 10 };

/* The fields of the first line of /proc/stat. The later ones (guest times) are
 * already part of USER and NICE. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, TIMES };

uint64_t busy_interval_ns(uint64_t time_ns, uint64_t loops)
{
	uint64_t interval_ns = time_ns / POINT_SHARE;

	/* Loops take an unknown time: use the shortest interval. */
	if (loops > 0)
		return INTERVAL_MIN_NS;
	if (interval_ns < INTERVAL_MIN_NS)
		return 0;
	return interval_ns < INTERVAL_MAX_NS ? interval_ns : INTERVAL_MAX_NS;
}

int busy_parse(const char *line, struct busy_times *times)
{
	uint64_t ticks[TIMES];
	unsigned i;

	if (sscanf(line,
		   "cpu %" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64
		   "%" SCNu64,
		   &ticks[USER], &ticks[NICE], &ticks[SYSTEM], &ticks[IDLE], &ticks[IOWAIT],
		   &ticks[IRQ], &ticks[SOFTIRQ], &ticks[STEAL]) != TIMES)
		return -EINVAL;
	*times = (struct busy_times){0};
	for (i = 0; i < TIMES; i++) {
		times->all += ticks[i];
		/* A processor whose programs wait for a disk is free for
		 * others. */
		if (i != IDLE && i != IOWAIT)
			times->busy += ticks[i];
	}
	return 0;
}

int busy_read(struct busy_times *times)
{
	FILE *stream = fopen("/proc/stat", "re");
	char line[256];
	int rc = -EINVAL;

	if (stream == NULL)
		return -errno;
	if (fgets(line, sizeof(line), stream) != NULL)
		rc = busy_parse(line, times);
	fclose(stream);
	return rc;
}

double busy_share(const struct busy_times *before, const struct busy_times *after, unsigned cpus)
{
	/* Return 0 if the busy time has grown by less than the rounding error
	 * of one tick per processor, or if `all` has not grown: the kernel's
	 * idle time sometimes decreases. */
	if (after->busy < before->busy + cpus || after->all <= before->all)
		return 0;
	return (double)(after->busy - before->busy - cpus) / (double)(after->all - before->all);
}
