/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "engine/pace.h"

static void a_stamp_counts_from_the_beginning_of_its_loop(void **state)
{
	(void)state;
	assert_true(pace_due_ns(1000, 0) == 1000);
	assert_true(pace_due_ns(1000, 250) == 1250);
	assert_true(pace_due_ns(5 * NS_PER_S, 3600 * NS_PER_S) ==
		    3605 * NS_PER_S);
}

static void without_a_stamp_an_operation_is_due_at_once(void **state)
{
	(void)state;
	assert_true(pace_due_ns(1000, CLOCK_NEVER) == 0);
}

static void a_sleeper_wakes_ten_times_per_second(void **state)
{
	const uint64_t now_ns = 7 * NS_PER_S;

	(void)state;
	assert_true(pace_slice_ns(now_ns, now_ns + 1) == now_ns + 1);
	assert_true(pace_slice_ns(now_ns, now_ns + PACE_SLICE_NS) ==
		    now_ns + PACE_SLICE_NS);
	assert_true(pace_slice_ns(now_ns, now_ns + PACE_SLICE_NS + 1) ==
		    now_ns + PACE_SLICE_NS);
	assert_true(pace_slice_ns(now_ns, now_ns + 3600 * NS_PER_S) ==
		    now_ns + PACE_SLICE_NS);
	assert_true(PACE_SLICE_NS == NS_PER_S / 10);
}

static void bytes_take_time_at_a_rate(void **state)
{
	(void)state;
	assert_true(pace_bytes_ns(0, 1) == 0);
	assert_true(pace_bytes_ns(1, 1000) == NS_PER_MS);
	assert_true(pace_bytes_ns(2500, 1000) == 2500 * NS_PER_MS);
	assert_true(pace_bytes_ns(UINT64_C(500000000000),
				  UINT64_C(1000000000000)) == NS_PER_S / 2);
	/* A week's bytes, at a rate with which a simple product would
	 * overflow. */
	assert_true(pace_bytes_ns(UINT64_C(604800) * 1000000000000,
				  UINT64_C(1000000000000)) ==
		    604800 * NS_PER_S);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_stamp_counts_from_the_beginning_of_its_loop),
		cmocka_unit_test(without_a_stamp_an_operation_is_due_at_once),
		cmocka_unit_test(a_sleeper_wakes_ten_times_per_second),
		cmocka_unit_test(bytes_take_time_at_a_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
