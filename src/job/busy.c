/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "job/busy.h"

#include "base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define LOOK_MOST_NS NS_PER_S
/* Ten ticks of the kernel's clock. */
#define LOOK_LEAST_NS (100 * NS_PER_MS)
/* A tenth of a point's time. */
enum { POINT_SHARE = 10 };

/* The line ends with numbers that are part of earlier ones. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, TIMES };

uint64_t busy_look_ns(uint64_t time_ns, uint64_t loops)
{
	uint64_t look_ns = time_ns / POINT_SHARE;

	/* Nobody knows how long loops take. */
	if (loops > 0)
		return LOOK_LEAST_NS;
	if (look_ns < LOOK_LEAST_NS)
		return 0;
	return look_ns < LOOK_MOST_NS ? look_ns : LOOK_MOST_NS;
}

int busy_parse(const char *line, struct busy_look *look)
{
	uint64_t times[TIMES];
	unsigned i;

	if (sscanf(line, "cpu %" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64
		   "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64, &times[USER],
		   &times[NICE], &times[SYSTEM], &times[IDLE], &times[IOWAIT],
		   &times[IRQ], &times[SOFTIRQ], &times[STEAL]) != TIMES)
		return -EINVAL;
	*look = (struct busy_look){0};
	for (i = 0; i < TIMES; i++) {
		look->all += times[i];
		/* A processor whose tasks wait for a disk is idle. */
		if (i != IDLE && i != IOWAIT)
			look->busy += times[i];
	}
	return 0;
}

int busy_look(struct busy_look *look)
{
	FILE *stream = fopen("/proc/stat", "re");
	char line[256];
	int rc = -EINVAL;

	if (stream == NULL)
		return -errno;
	if (fgets(line, sizeof(line), stream) != NULL)
		rc = busy_parse(line, look);
	fclose(stream);
	return rc;
}

double busy_share(const struct busy_look *before,
		  const struct busy_look *after, unsigned cpus)
{
	/* Idle time has been seen to run backwards. */
	if (after->busy < before->busy + cpus || after->all <= before->all)
		return 0;
	return (double)(after->busy - before->busy - cpus) /
	       (double)(after->all - before->all);
}
