/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The phases of a measurement, as planned: warm-up, measure, ramp-down. The
 * settings, the plan of the workers and a result hold the same ones.
 */
#ifndef BASE_PHASES_H
#define BASE_PHASES_H

#include <stdbool.h>
#include <stdint.h>

struct phases {
	uint64_t warmup_ns;    /* played before time_ns, not counted */
	uint64_t time_ns;      /* counted */
	uint64_t ramp_down_ns; /* played after time_ns, not counted */
	uint64_t settle_ns;    /* pause before the next measurement */
	uint64_t loops; /* > 0: play this number of loops, ignore the times */
	bool from_start; /* count the load's prologue, too */
};

/* Return how long one measurement takes, without set-up, clean-up and the pause
 * after it. Meaningless for loops. */
static inline uint64_t phases_total_ns(const struct phases *phases)
{
	return phases->warmup_ns + phases->time_ns + phases->ramp_down_ns;
}

#endif
