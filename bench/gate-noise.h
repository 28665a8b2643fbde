/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several kinds of noise, for testing the rules of the gate (`throng compare`)
 * in gate-simulation.c and tests/unit/sequential.c.
 */
#ifndef BENCH_GATE_NOISE_H
#define BENCH_GATE_NOISE_H

#include "base/random.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum noise_kind {
	NOISE_NORMAL,
	NOISE_DRIFT,
	NOISE_OUTLIERS,
	NOISE_TWO_MODES,
	NOISE_RECORDED,
	NOISE_ONE_SIDE, /* slow runs of base only, which the gate is not made for */
	NOISE_KINDS
};

struct noise {
	enum noise_kind kind;
	struct random random;
	double level, slope;    /* the drift so far, and its trend per run */
	bool slow;              /* NOISE_TWO_MODES: now in the slow mode */
	const double *recorded; /* the figures of consecutive runs */
	size_t recorded_count, next;
};

/* The standard deviation of the logarithm of one run's figure (not of the ratio
 * of two runs). */
static const double noise_spread = 0.027;

/* Return a uniform number between 0 and 1, exclusive. */
static inline double noise_uniform(struct noise *noise)
{
	return ((double)(random_next(&noise->random) >> 11) + 0.5) / (double)(UINT64_C(1) << 53);
}

/* Return a normally distributed number (Box and Muller, 1958). */
static inline double noise_bell(struct noise *noise)
{
	double radius = sqrt(-2 * log(noise_uniform(noise)));

	return radius * cos(2 * acos(-1) * noise_uniform(noise));
}

/* Start a session: draw its drift, its mode and its first recorded run. */
static inline void noise_start(struct noise *noise)
{
	noise->level = 0;
	/* The slope alone changes the level by at most a third in 20 pairs. */
	noise->slope = 0.015 * (noise_uniform(noise) - 0.5);
	noise->slow = noise_uniform(noise) < 0.5;
	if (noise->recorded_count > 0)
		noise->next = random_next(&noise->random) % noise->recorded_count;
}

/* Slow a share of the runs down. Return the logarithm of a run's slowness. */
static inline double noise_slowness(struct noise *noise, double share)
{
	return noise_uniform(noise) < share ? -0.7 * noise_uniform(noise) : 0;
}

/* Return the next measurement: a true value of 1, with noise. */
static inline double noise_next(struct noise *noise)
{
	double run = noise_spread * noise_bell(noise);

	switch (noise->kind) {
	case NOISE_DRIFT:
		noise->level += noise->slope + 0.01 * noise_bell(noise);
		run += noise->level;
		break;
	case NOISE_OUTLIERS:
		run += noise_slowness(noise, 0.05);
		break;
	case NOISE_TWO_MODES:
		if (noise_uniform(noise) < 0.2)
			noise->slow = !noise->slow;
		run -= noise->slow ? 0.1 : 0;
		break;
	case NOISE_RECORDED:
		return noise->recorded[noise->next++ % noise->recorded_count];
	default:
		break;
	}
	return exp(run);
}

/* Simulate a session of pairs, each in random order. The true ratio of new to
 * base is `ratio`. */
static inline void noise_pairs(struct noise *noise, double ratio, size_t count, double *base,
			       double *new)
{
	size_t i;

	noise_start(noise);
	for (i = 0; i < count; i++) {
		double first = noise_next(noise), second = noise_next(noise);
		bool swapped = noise_uniform(noise) < 0.5;

		base[i] = swapped ? second : first;
		new[i] = ratio *(swapped ? first : second);
		if (noise->kind == NOISE_ONE_SIDE)
			base[i] *= exp(noise_slowness(noise, 0.15));
	}
}

#endif
