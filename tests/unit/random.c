/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions are compared with 100,000 draws each by Pearson's chi-squared
 * test. The seeds are fixed, so that no test fails by chance.
 */
#include "unit.h"

#include "base/random.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

static void the_generator_is_splitmix64(void **state)
{
	/* The published test vector for the state 1234567. */
	static const uint64_t vector[] = {
		UINT64_C(6457827717110365317),  UINT64_C(3203168211198807973),
		UINT64_C(9817491932198370423),  UINT64_C(4593380528125082431),
		UINT64_C(16408922859458223821),
	};
	struct random random = {.state = 1234567};
	size_t i;

	for (i = 0; i < LENGTH(vector); i++)
		assert_true(random_next(&random) == vector[i]);
}

static void a_seed_and_stream_give_the_same_numbers_again(void **state)
{
	struct random first, again;
	unsigned i;

	random_start(&first, 42, 7);
	random_start(&again, 42, 7);
	for (i = 0; i < 100; i++)
		assert_true(random_next(&first) == random_next(&again));
}

static void neighbouring_seeds_and_streams_share_no_number(void **state)
{
	enum { STREAMS = 40, NUMBERS = 50 };
	uint64_t seen[STREAMS * NUMBERS];
	size_t count = 0, i, stream;

	for (stream = 0; stream < STREAMS; stream++) {
		struct random random;
		unsigned number;

		/* Seeds 0 and 1, streams 0 to 19. */
		random_start(&random, stream / 20, stream % 20);
		for (number = 0; number < NUMBERS; number++) {
			uint64_t next = random_next(&random);

			for (i = 0; i < count; i++)
				assert_true(seen[i] != next);
			seen[count++] = next;
		}
	}
}

static void random_fill_fills_exactly_the_buffer(void **state)
{
	size_t bytes;

	for (bytes = 0; bytes < 20; bytes++) {
		unsigned char twice[2][32] = {{0}}, touched[32] = {0};
		struct random random;
		unsigned round, i;

		for (round = 0; round < 2; round++) {
			random_start(&random, 5, 0);
			random_fill(&random, twice[round], bytes);
		}
		assert_memory_equal(twice[0], twice[1], sizeof(twice[0]));
		/* In ten rounds each byte must get a value other than 0. */
		for (round = 0; round < 10; round++) {
			unsigned char buffer[32] = {0};

			random_fill(&random, buffer, bytes);
			for (i = 0; i < sizeof(buffer); i++)
				touched[i] |= buffer[i];
		}
		for (i = 0; i < sizeof(touched); i++)
			assert_int_equal(touched[i] != 0, i < bytes);
	}
}

static void filled_bytes_are_spread_evenly(void **state)
{
	enum { BYTES = 256 * 1024 };
	static unsigned char buffer[BYTES];
	unsigned counts[256] = {0}, i;
	struct random random;

	random_start(&random, 6, 0);
	random_fill(&random, buffer, BYTES);
	for (i = 0; i < BYTES; i++)
		counts[buffer[i]]++;
	/* Expect 1,024 of each value, give or take 6 standard deviations. */
	for (i = 0; i < 256; i++)
		assert_in_range(counts[i], 832, 1216);
}

static void a_seed_can_be_typed_again(void **state)
{
	unsigned i, differ = 0;
	uint64_t first = random_seed();

	for (i = 0; i < 4; i++) {
		uint64_t seed = random_seed();

		assert_true(seed <= UINT32_MAX);
		differ += seed != first;
	}
	assert_true(differ > 0);
}

enum { DRAWS = 100000, CELLS_MAX = 128 };

/* Fail if counts as unlikely as these occur less than once in 1,000 times. */
static void expect_distribution(const unsigned *counts, const double *shares, size_t cells)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < cells; i++) {
		double expected = shares[i] * DRAWS;

		assert_true(expected >= 5);
		sum += (counts[i] - expected) * (counts[i] - expected) / expected;
	}
	assert_true(gsl_cdf_chisq_Q(sum, (double)cells - 1) > 0.001);
}

static void expect_even(const unsigned *counts, size_t cells)
{
	double shares[CELLS_MAX];
	size_t i;

	for (i = 0; i < cells; i++)
		shares[i] = 1.0 / (double)cells;
	expect_distribution(counts, shares, cells);
}

static void numbers_below_a_count_are_even(void **state)
{
	static const uint64_t counts[] = {1, 2, 3, 10, 100};
	struct random random;
	size_t i;
	unsigned n;

	random_start(&random, 1, 0);
	for (i = 0; i < LENGTH(counts); i++) {
		unsigned drawn[CELLS_MAX] = {0};

		for (n = 0; n < DRAWS; n++) {
			uint64_t number = draw_below(&random, counts[i]);

			assert_true(number < counts[i]);
			drawn[number]++;
		}
		if (counts[i] > 1)
			expect_even(drawn, counts[i]);
	}
}

static void the_highest_count_is_reached(void **state)
{
	struct random random;
	uint64_t highest = 0;
	unsigned n;

	random_start(&random, 1, 0);
	for (n = 0; n < 100; n++) {
		uint64_t number = draw_below(&random, UINT64_MAX);

		if (number > highest)
			highest = number;
	}
	assert_true(highest > UINT64_MAX / 10 * 9);
}

static void delays_are_exponential(void **state)
{
	enum { CELLS = 20, MEAN = 5000000 };
	unsigned drawn[CELLS] = {0}, n;
	struct random random;

	random_start(&random, 1, 0);
	for (n = 0; n < DRAWS; n++) {
		double delay = (double)draw_exponential(&random, MEAN);

		drawn[(size_t)(exp(-delay / MEAN) * (CELLS - 1e-6))]++;
	}
	expect_even(drawn, CELLS);
}

static void zipf_follows_its_law(void **state)
{
	static const double exponents[] = {0, 0.5, 0.9, 1, 1.2, 2};
	static const uint64_t counts[] = {1, 2, 7, 20, 20000};
	/* Numbers of their own; all further ones share a cell. */
	enum { CELLS = 16 };
	struct random random;
	size_t e, c;

	random_start(&random, 1, 0);
	for (e = 0; e < LENGTH(exponents); e++) {
		for (c = 0; c < LENGTH(counts); c++) {
			uint64_t count = counts[c], i;
			unsigned drawn[CELLS + 1] = {0}, n;
			double shares[CELLS + 1] = {0}, sum = 0;
			struct zipf zipf;
			size_t cells = 0;

			zipf_prepare(&zipf, count, exponents[e]);
			for (i = 0; i < count; i++)
				sum += pow((double)i + 1, -exponents[e]);
			for (i = 0; i < count; i++)
				shares[i < CELLS ? i : CELLS] += pow((double)i + 1, -exponents[e]) /
								 sum;
			for (n = 0; n < DRAWS; n++) {
				i = zipf_draw(&zipf, &random);
				assert_true(i < count);
				drawn[i < CELLS ? i : CELLS]++;
			}
			while (cells <= CELLS && shares[cells] * DRAWS >= 5)
				cells++;
			/* Rare ones count with the last cell. */
			for (i = cells; cells > 0 && i <= CELLS; i++) {
				shares[cells - 1] += shares[i];
				drawn[cells - 1] += drawn[i];
			}
			if (cells > 1)
				expect_distribution(drawn, shares, cells);
		}
	}
}

static void zipf_reaches_all_numbers(void **state)
{
	struct random random;
	struct zipf zipf;
	uint64_t highest = 0;
	unsigned n;

	random_start(&random, 1, 0);
	zipf_prepare(&zipf, UINT64_C(1) << 48, 0.5);
	for (n = 0; n < DRAWS; n++) {
		uint64_t number = zipf_draw(&zipf, &random);

		assert_true(number < UINT64_C(1) << 48);
		if (number > highest)
			highest = number;
	}
	assert_true(highest > UINT64_C(1) << 47);
}

static void a_shuffle_draws_each_number_once(void **state)
{
	static const uint64_t counts[] = {1, 2, 3, 15, 16, 17, 255, 256, 257, 1000, 5000};
	struct random random;
	size_t i;
	unsigned order;

	random_start(&random, 1, 0);
	for (i = 0; i < LENGTH(counts); i++) {
		struct shuffle shuffle;

		shuffle_prepare(&shuffle, counts[i]);
		for (order = 0; order < 3; order++) {
			bool seen[5000] = {false};
			uint64_t n;

			for (n = 0; n < counts[i]; n++) {
				uint64_t number = shuffle_draw(&shuffle, &random);

				assert_true(number < counts[i]);
				assert_false(seen[number]);
				seen[number] = true;
			}
		}
	}
}

/* All 120 orders of 5 numbers occur equally often. */
static void all_orders_of_a_shuffle_are_even(void **state)
{
	enum { COUNT = 5, ORDERS = 120 };
	unsigned drawn[ORDERS] = {0}, n;
	struct shuffle shuffle;
	struct random random;

	random_start(&random, 1, 0);
	shuffle_prepare(&shuffle, COUNT);
	for (n = 0; n < DRAWS; n++) {
		uint64_t order[COUNT];
		size_t rank = 0, i, j;

		for (i = 0; i < COUNT; i++)
			order[i] = shuffle_draw(&shuffle, &random);
		for (i = 0; i < COUNT; i++) {
			size_t lower = 0;

			for (j = i + 1; j < COUNT; j++)
				lower += order[j] < order[i];
			rank = rank * (COUNT - i) + lower;
		}
		drawn[rank]++;
	}
	expect_even(drawn, ORDERS);
}

/* Each number of a long shuffle is as likely at the first place. */
static void a_long_shuffle_begins_anywhere(void **state)
{
	enum { COUNT = 1000, CELLS = 50 };
	unsigned drawn[CELLS] = {0}, n;
	struct shuffle shuffle;
	struct random random;

	random_start(&random, 1, 0);
	shuffle_prepare(&shuffle, COUNT);
	for (n = 0; n < DRAWS; n++) {
		shuffle.drawn = 0;
		drawn[shuffle_draw(&shuffle, &random) / (COUNT / CELLS)]++;
	}
	expect_even(drawn, CELLS);
}

int unit_random(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_generator_is_splitmix64),
		cmocka_unit_test(a_seed_and_stream_give_the_same_numbers_again),
		cmocka_unit_test(neighbouring_seeds_and_streams_share_no_number),
		cmocka_unit_test(random_fill_fills_exactly_the_buffer),
		cmocka_unit_test(filled_bytes_are_spread_evenly),
		cmocka_unit_test(a_seed_can_be_typed_again),
		cmocka_unit_test(numbers_below_a_count_are_even),
		cmocka_unit_test(the_highest_count_is_reached),
		cmocka_unit_test(delays_are_exponential),
		cmocka_unit_test(zipf_follows_its_law),
		cmocka_unit_test(zipf_reaches_all_numbers),
		cmocka_unit_test(a_shuffle_draws_each_number_once),
		cmocka_unit_test(all_orders_of_a_shuffle_are_even),
		cmocka_unit_test(a_long_shuffle_begins_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
