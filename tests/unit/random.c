/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/random.h"

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

int unit_random(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_generator_is_splitmix64),
		cmocka_unit_test(a_seed_and_stream_give_the_same_numbers_again),
		cmocka_unit_test(neighbouring_seeds_and_streams_share_no_number),
		cmocka_unit_test(random_fill_fills_exactly_the_buffer),
		cmocka_unit_test(filled_bytes_are_spread_evenly),
		cmocka_unit_test(a_seed_can_be_typed_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
