/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of a running point. The parent samples it once per second, from the
 * memory that it shares with the users, for the display, and to tell a stuck
 * user from a slow one.
 */
#ifndef RUN_WORKERS_VIEW_H
#define RUN_WORKERS_VIEW_H

#include "measure/seconds.h"
#include "measure/stats.h"
#include "play/plan.h"

enum workers_stage {
	WORKERS_SETUP,
	WORKERS_WARMUP,
	WORKERS_MEASURE,
	WORKERS_RAMP_DOWN,
	WORKERS_CLEANUP
};

/* The state of a running point, reported once per second. */
struct workers_view {
	enum workers_stage stage;
	unsigned users, ready, alive;
	uint64_t elapsed_ns; /* time since this stage began */
	uint64_t left_ns;    /* time until it ends; CLOCK_NEVER: unknown */
	/* Sums since the point began, over all phases. */
	uint64_t ops, bytes, sum_ns;
	uint64_t mismatches;
	uint64_t measured_bytes; /* bytes in the measured phase alone */
	uint64_t p99_ns;         /* p99 in the last measured second; 0: unknown */
	/* The longest operation since the last tick. An operation in progress
	 * counts with the time that it has taken so far. */
	uint64_t peak_ns;
	const char *warning; /* one line, for people to read; NULL: none */
};

struct workers_sampler {
	const struct workers_plan *plan;
	struct stats *stats;
	struct seconds *seconds; /* the seconds of the measured window */
	uint64_t began_ns;       /* the point's beginning */
	/* Time by which the end of the measured window was postponed after
	 * SIGSTOPs that fell into it. */
	uint64_t postponed_ns;
	/* The last sample: the users' progress, the number of operations that
	 * had ended, and the time of the last sample at which it had grown. */
	uint64_t progress, ops, moved_ns;
};

/* Return the beginning of the measured window, without the stops in it. */
static inline uint64_t workers_window_ns(const struct workers_sampler *sampler)
{
	return sampler->stats->run->measure_ns + sampler->postponed_ns;
}

/*
 * Sample the point: fill in a view except for `alive` and `warning`, and record
 * the second of the measured window that ends now. Return true if any user has
 * made progress since the last sample.
 */
bool workers_sample(struct workers_sampler *sampler, uint64_t now_ns, struct workers_view *view);

/* Record the last second of the measured window, after all users have left. */
void workers_sample_last(const struct workers_sampler *sampler, uint64_t end_ns);

/* Return the time at which the last user finished. With whole loops, this is
 * the end of the measured window. */
uint64_t workers_last_finish_ns(const struct stats *stats);

#endif
