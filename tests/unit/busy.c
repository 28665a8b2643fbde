/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/clock.h"
#include "sweep/busy.h"

#include <errno.h>

static void a_tenth_of_a_points_time_is_sampled(void **state)
{
	assert_true(busy_interval_ns(600 * NS_PER_S, 0) == NS_PER_S);
	assert_true(busy_interval_ns(10 * NS_PER_S, 0) == NS_PER_S);
	assert_true(busy_interval_ns(4 * NS_PER_S, 0) == 400 * NS_PER_MS);
	assert_true(busy_interval_ns(NS_PER_S, 0) == 100 * NS_PER_MS);
	/* Fewer than ten clock ticks of 10 ms would be too coarse a
	 * measurement. */
	assert_true(busy_interval_ns(NS_PER_S - 1, 0) == 0);
	assert_true(busy_interval_ns(0, 3) == 100 * NS_PER_MS);
}

static void waiting_for_a_disk_is_not_busy(void **state)
{
	struct busy_times times;

	assert_int_equal(
		busy_parse("cpu  1 20 300 4000 50000 600000 7000000 80000000 5 6\n", &times), 0);
	assert_int_equal(times.busy, 87600321);
	assert_int_equal(times.all, 87654321);
	/* Linux before 2.6.11, which has no steal time, is not supported. */
	assert_int_equal(busy_parse("cpu 1 2 3 4 5 6 7\n", &times), -EINVAL);
	assert_int_equal(busy_parse("intr 1 2 3 4 5 6 7 8\n", &times), -EINVAL);
	assert_int_equal(busy_parse("", &times), -EINVAL);
	assert_int_equal(busy_read(&times), 0);
	assert_true(times.all > times.busy);
}

static void one_tick_per_processor_is_subtracted(void **state)
{
	const struct busy_times before = {1000, 5000};
	const struct busy_times after = {1060, 5200};

	assert_float_equal(busy_share(&before, &after, 20), 0.2, 1e-9);
	assert_float_equal(busy_share(&before, &after, 60), 0, 1e-9);
	assert_float_equal(busy_share(&before, &after, 61), 0, 1e-9);
	assert_float_equal(busy_share(&before, &before, 0), 0, 1e-9);
	/* The kernel's counters may decrease: the share is then 0. */
	assert_float_equal(busy_share(&after, &before, 2), 0, 1e-9);
}

int unit_busy(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tenth_of_a_points_time_is_sampled),
		cmocka_unit_test(waiting_for_a_disk_is_not_busy),
		cmocka_unit_test(one_tick_per_processor_is_subtracted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
