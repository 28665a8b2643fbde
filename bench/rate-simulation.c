/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rate-simulation TRIALS: simulate how far the rate that --find-rate finds is
 * from the capacity of the target, if each measurement of the capacity has
 * noise. bench/estimates starts this program.
 */
#include "bench/gate-noise.h"
#include "sweep/plan_rate.h"

#include <stdio.h>
#include <stdlib.h>

enum { SEED = 20260101 };

static int by_value(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

/* Search once. The target holds a rate if it is up to `capacity`, times noise.
 * Return the rate found / capacity, and count the steps. */
static double search_once(struct noise *noise, double capacity, double spread, unsigned *steps)
{
	struct rate_search search = {.rate = FIND_RATE_FIRST, .min = FIND_RATE_MIN};
	bool holds;

	do {
		holds = search.rate <= capacity * exp(spread * noise_bell(noise));
		(*steps)++;
	} while (rate_search_next(&search, holds ? RESULT_HOLDS : RESULT_FAILS));
	return search.low / capacity;
}

static void try_noise(double spread, unsigned trials)
{
	struct noise noise = {0};
	double *found = calloc(trials, sizeof(*found)), sum = 0;
	unsigned steps = 0, above = 0, i;

	if (found == NULL)
		abort();
	random_start(&noise.random, SEED, 0);
	for (i = 0; i < trials; i++) {
		double capacity = 200 * pow(100, noise_uniform(&noise));

		found[i] = search_once(&noise, capacity, spread, &steps);
		sum += found[i];
		above += found[i] > 1;
	}
	qsort(found, trials, sizeof(*found), by_value);
	printf("%4.0f%% %+7.1f%% %+6.1f%% %+6.1f%% %6.0f%% %6.1f\n", 100 * spread,
	       100 * (sum / trials - 1), 100 * (found[trials / 20] - 1),
	       100 * (found[trials - 1 - trials / 20] - 1), 100.0 * above / trials,
	       (double)steps / trials);
	free(found);
}

int main(int argc, char **argv)
{
	static const double spreads[] = {0, 0.01, 0.02, 0.05, 0.1};
	unsigned trials = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	size_t i;

	if (trials == 0) {
		fputs("usage: rate-simulation TRIALS\n", stderr);
		return 2;
	}
	printf("%5s %8s %7s %7s %7s %6s\n", "noise", "mean", "5%", "95%", "above", "steps");
	for (i = 0; i < sizeof(spreads) / sizeof(spreads[0]); i++)
		try_noise(spreads[i], trials);
	return 0;
}
