/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/seconds.h"

#include <errno.h>
#include <stdlib.h>

/* Room when the length of the window is unknown (--loops): one day. */
enum { SECONDS_UNKNOWN = 24 * 3600 };

#define SECOND_MIN_NS (NS_PER_S / 2)

/* Min number of operations for a p99: with fewer operations, the p99 would just
 * be the longest duration. */
enum { SAMPLES_P99 = 100 };

int seconds_open(struct seconds *seconds, uint64_t window_ns)
{
	size_t room = window_ns == CLOCK_NEVER ? SECONDS_UNKNOWN
					       : (size_t)(window_ns / SECOND_MIN_NS) + 2;

	*seconds = (struct seconds){
		.list = calloc(room, sizeof(*seconds->list)),
		.room = room,
		.cells = calloc(HISTOGRAM_CELLS, sizeof(*seconds->cells)),
		.between = calloc(1, sizeof(*seconds->between)),
	};
	return seconds->list != NULL && seconds->cells != NULL && seconds->between != NULL
		       ? 0
		       : -ENOMEM;
}

/* Subtract the sum of all live histograms at the previous sample from
 * their sum now. */
static void subtract(struct seconds *seconds, const struct stats *stats)
{
	unsigned cell, block;

	for (cell = 0; cell < HISTOGRAM_CELLS; cell++)
		seconds->between->cells[cell] = 0;
	for (block = 0; block < stats_blocks(stats); block++) {
		const struct histogram *live = stats_live(stats, block);

		for (cell = 0; cell < HISTOGRAM_CELLS; cell++)
			seconds->between->cells[cell] += live->cells[cell];
	}
	for (cell = 0; cell < HISTOGRAM_CELLS; cell++) {
		uint32_t now = (uint32_t)seconds->between->cells[cell];

		/* Cells may wrap; the difference is still right. */
		seconds->between->cells[cell] = (uint32_t)(now - seconds->cells[cell]);
		seconds->cells[cell] = now;
	}
}

static uint64_t p99_ns(struct seconds *seconds, const struct stats *stats)
{
	if (!stats->live)
		return 0;
	subtract(seconds, stats);
	if (histogram_count(seconds->between) < SAMPLES_P99)
		return 0;
	return histogram_quantile(seconds->between, 0.99, 0, CLOCK_NEVER);
}

/*
 * Count the whole seconds without any operation. Each such second is a reason
 * to distrust the point. The count does not depend on the number of users or
 * processors, because an operation of any user ends a silence. It is right even
 * if the parent samples late.
 */
static void note_silence(struct seconds *seconds, uint64_t still_ns)
{
	uint64_t whole = still_ns / NS_PER_S;

	if (whole > seconds->silent_now)
		seconds->silent += whole - seconds->silent_now;
	seconds->silent_now = whole;
}

void seconds_add(struct seconds *seconds, const struct stats *stats, uint64_t at_ns,
		 const struct seconds_sample *sample)
{
	uint64_t last_ns = seconds->count > 0 ? seconds->list[seconds->count - 1].end_ns : 0;

	if (seconds->count == seconds->room || at_ns < last_ns + SECOND_MIN_NS)
		return;
	seconds->list[seconds->count++] = (struct second){
		.end_ns = at_ns,
		.bytes = sample->bytes - seconds->bytes,
		.p99_ns = p99_ns(seconds, stats),
	};
	note_silence(seconds, sample->still_ns < at_ns ? sample->still_ns : at_ns);
	seconds->bytes = sample->bytes;
}

void seconds_close(struct seconds *seconds)
{
	free(seconds->list);
	free(seconds->cells);
	free(seconds->between);
	*seconds = (struct seconds){0};
}
