/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many calls of a source were in flight. */
#include "unit.h"

#include "capture/model/flight.h"

/* Check the calls with these times: pairs of their begin and their end. */
static void expect(const uint64_t *times, size_t count, double mean, size_t max)
{
	struct flight flight = {0};
	double found_mean;
	size_t found_max, i;

	for (i = 0; i < count; i++)
		flight_add(&flight, times[2 * i], times[2 * i + 1]);
	assert_true(flight_measure(&flight, &found_mean, &found_max));
	assert_float_equal(found_mean, mean, 1e-9);
	assert_int_equal(found_max, max);
	flight_free(&flight);
}

static void calls_in_turn_are_one_at_a_time(void **state)
{
	const uint64_t times[] = {10, 20, 20, 30, 100, 101};

	expect(times, 3, 1, 1);
}

static void time_without_calls_does_not_count(void **state)
{
	/* Two calls for 10 of 15 ns; then one after a pause. */
	const uint64_t times[] = {5, 20, 0, 15, 1000, 1005};

	expect(times, 3, 35.0 / 25, 2);
}

static void order_does_not_matter(void **state)
{
	const uint64_t times[] = {30, 40, 0, 40, 10, 20, 5, 35};

	expect(times, 4, 90.0 / 40, 3);
}

static void parts_of_a_compound_are_one_call(void **state)
{
	const uint64_t times[] = {10, 20, 10, 20, 10, 20};

	expect(times, 3, 1, 1);
}

static void damaged_times_are_ignored(void **state)
{
	const uint64_t times[] = {10, 20, 30, 5, 7, 7};
	struct flight flight = {0};
	double mean;
	size_t max;

	expect(times, 3, 1, 1);
	flight_add(&flight, 5, 0);
	assert_false(flight_measure(&flight, &mean, &max));
	flight_free(&flight);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(calls_in_turn_are_one_at_a_time),
	cmocka_unit_test(time_without_calls_does_not_count),
	cmocka_unit_test(order_does_not_matter),
	cmocka_unit_test(parts_of_a_compound_are_one_call),
	cmocka_unit_test(damaged_times_are_ignored),
};

int unit_flight(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
