/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "sweep/plan_order.h"

enum { POINTS = 8, PASSES = 3 };

static struct order made(bool random, uint64_t seed)
{
	struct order order;

	assert_int_equal(order_make(&order, POINTS, PASSES, random, seed), 0);
	assert_int_equal(order.count, POINTS * PASSES);
	return order;
}

static bool same(const size_t *one, const size_t *other, size_t count)
{
	return memcmp(one, other, count * sizeof(*one)) == 0;
}

static void the_given_order_is_kept_in_each_pass(void **state)
{
	struct order order = made(false, 1);
	size_t i;

	for (i = 0; i < order.count; i++)
		assert_int_equal(order.points[i], i % POINTS);
	order_free(&order);
	assert_null(order.points);
	assert_int_equal(order.count, 0);
}

static void each_pass_has_each_point_once(void **state)
{
	uint64_t seed;
	size_t pass, point, i;

	for (seed = 0; seed < 50; seed++) {
		struct order order = made(true, seed);

		for (pass = 0; pass < PASSES; pass++) {
			for (point = 0; point < POINTS; point++) {
				unsigned found = 0;

				for (i = 0; i < POINTS; i++)
					found += order.points[pass * POINTS + i] == point;
				assert_int_equal(found, 1);
			}
		}
		order_free(&order);
	}
}

static void the_seed_determines_the_order(void **state)
{
	struct order order = made(true, 7), again = made(true, 7);
	struct order other = made(true, 8);

	assert_true(same(order.points, again.points, order.count));
	assert_false(same(order.points, other.points, order.count));
	/* The first two passes have different orders. */
	assert_false(same(order.points, order.points + POINTS, POINTS));
	order_free(&order);
	order_free(&again);
	order_free(&other);
}

/* In 2,400 passes each of the 8 points is the first one about 300 times. */
static void all_points_come_first_equally_often(void **state)
{
	unsigned first[POINTS] = {0};
	uint64_t seed;
	size_t pass, i;

	for (seed = 0; seed < 800; seed++) {
		struct order order = made(true, seed);

		for (pass = 0; pass < PASSES; pass++)
			first[order.points[pass * POINTS]]++;
		order_free(&order);
	}
	for (i = 0; i < POINTS; i++)
		assert_in_range(first[i], 230, 370);
}

/*
 * Measure three equal values at two user counts, three times each, on a target
 * that takes 1 % more time per second. One measurement takes 1 s. Return the
 * value whose points are the fastest in the mean over the repeats.
 */
static size_t winner(bool random, uint64_t seed)
{
	enum { VALUES = 3, USER_COUNTS = 2 };
	double took_s[VALUES] = {0};
	struct order order;
	size_t best = 0, i;

	assert_int_equal(order_make(&order, VALUES * USER_COUNTS, PASSES, random, seed), 0);
	assert_int_equal(order.count, 18);
	for (i = 0; i < order.count; i++)
		took_s[order.points[i] / USER_COUNTS] += 1 + 0.01 * (double)i;
	for (i = 1; i < VALUES; i++)
		if (took_s[i] < took_s[best])
			best = i;
	order_free(&order);
	return best;
}

/* In the given order, the drift always favours the first of equal values. In
 * random order, it favours each now and then. */
static void a_drift_favours_no_value(void **state)
{
	unsigned wins[3] = {0};
	uint64_t seed;
	size_t i;

	for (seed = 1; seed <= 20; seed++) {
		assert_int_equal(winner(false, seed), 0);
		wins[winner(true, seed)]++;
	}
	for (i = 0; i < LENGTH(wins); i++)
		assert_in_range(wins[i], 2, 12);
}

int unit_order(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_given_order_is_kept_in_each_pass),
		cmocka_unit_test(each_pass_has_each_point_once),
		cmocka_unit_test(the_seed_determines_the_order),
		cmocka_unit_test(all_points_come_first_equally_often),
		cmocka_unit_test(a_drift_favours_no_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
