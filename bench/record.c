/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print the cost of recording a duration in a histogram, in nanoseconds: the
 * median of several rounds. The durations are typical of operations (1 us to
 * 1 ms), so that the cells in use fit into the cache, as in a run.
 */
#include "base/clock.h"
#include "base/histogram.h"
#include "base/random.h"
#include "result/combine.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 11, REPEATS = 2000, DURATIONS = 1 << 12 };

int main(void)
{
	static uint64_t durations_ns[DURATIONS];
	static struct histogram histogram;
	double rounds[ROUNDS];
	unsigned wrapped = 0;
	struct random random;
	size_t i, j, k;

	random_start(&random, 1, 0);
	for (i = 0; i < DURATIONS; i++)
		durations_ns[i] = 1000 + random_next(&random) %
						 (UINT64_C(1) << (random_next(&random) % 20));
	for (i = 0; i < ROUNDS; i++) {
		uint64_t start_ns = clock_now_ns();

		for (j = 0; j < REPEATS; j++)
			for (k = 0; k < DURATIONS; k++)
				wrapped |= histogram_record(&histogram, durations_ns[k]);
		rounds[i] = (double)(clock_now_ns() - start_ns) / REPEATS / DURATIONS;
	}
	printf("%.2f\n", combine_median(rounds, ROUNDS));
	return wrapped != 0;
}
