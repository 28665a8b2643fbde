/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes and latency of a point in each second of its measured window,
 * sampled by the parent while the users play. All memory is allocated before
 * that.
 */
#ifndef MEASURE_SECONDS_H
#define MEASURE_SECONDS_H

#include "measure/stats.h"

/* One second; it begins at the end of the previous one. */
struct second {
	uint64_t end_ns; /* end, in ns since the window began */
	uint64_t bytes;
	/* 99th percentile of the operations' durations; 0: unknown. */
	uint64_t p99_ns;
};

struct seconds {
	struct second *list;
	size_t count, room; /* seconds beyond the room are dropped */
	uint64_t bytes;     /* sum up to the end of the last second in `list` */
	/* Number of whole seconds without any operation: in total, and since
	 * the last operation ended. */
	uint64_t silent, silent_now;
	uint32_t *cells;                 /* sum of the live histograms at the last sample */
	struct histogram_total *between; /* durations in the last second */
};

/*
 * Allocate room for a window of `window_ns`; CLOCK_NEVER: its length is
 * unknown. Return 0 or -ENOMEM.
 */
int seconds_open(struct seconds *seconds, uint64_t window_ns);

/* The state of all users at one time. */
struct seconds_sample {
	uint64_t bytes; /* bytes measured so far */
	/* Time for which no operation has ended, although one was due. */
	uint64_t still_ns;
};

/*
 * Add the second that ends `at_ns` after the beginning of the window. Ignore a
 * sample less than half a second after the previous one.
 */
void seconds_add(struct seconds *seconds, const struct stats *stats, uint64_t at_ns,
		 const struct seconds_sample *sample);

void seconds_close(struct seconds *seconds);

#endif
