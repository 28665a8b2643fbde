/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "job/order.h"

static const unsigned points[] = {1, 4, 8, 12, 16, 20, 24, 28};

enum { POINTS = LENGTH(points), PASSES = 3 };

static struct order made(bool random, uint64_t seed)
{
	struct order order;

	assert_int_equal(order_make(&order, points, POINTS, PASSES, random,
				    seed), 0);
	assert_int_equal(order.count, POINTS * PASSES);
	return order;
}

static bool same(const unsigned *one, const unsigned *other, size_t count)
{
	return memcmp(one, other, count * sizeof(*one)) == 0;
}

static void the_given_order_is_kept_in_each_pass(void **state)
{
	struct order order = made(false, 1);
	size_t pass;

	(void)state;
	for (pass = 0; pass < PASSES; pass++)
		assert_true(same(order.user_counts + pass * POINTS, points,
				 POINTS));
	order_free(&order);
	assert_null(order.user_counts);
	assert_int_equal(order.count, 0);
}

static void each_pass_has_each_point_once(void **state)
{
	uint64_t seed;
	size_t pass, point, i;

	(void)state;
	for (seed = 0; seed < 50; seed++) {
		struct order order = made(true, seed);

		for (pass = 0; pass < PASSES; pass++) {
			for (point = 0; point < POINTS; point++) {
				unsigned found = 0;

				for (i = 0; i < POINTS; i++)
					found += order.user_counts
							 [pass * POINTS + i] ==
						 points[point];
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

	(void)state;
	assert_true(same(order.user_counts, again.user_counts, order.count));
	assert_false(same(order.user_counts, other.user_counts, order.count));
	/* The first two passes have different orders. */
	assert_false(same(order.user_counts, order.user_counts + POINTS,
			  POINTS));
	order_free(&order);
	order_free(&again);
	order_free(&other);
}

/* In 2,400 passes each of the 8 points is the first one about 300 times. */
static void all_points_come_first_equally_often(void **state)
{
	unsigned first[32] = {0};
	uint64_t seed;
	size_t pass, i;

	(void)state;
	for (seed = 0; seed < 800; seed++) {
		struct order order = made(true, seed);

		for (pass = 0; pass < PASSES; pass++)
			first[order.user_counts[pass * POINTS]]++;
		order_free(&order);
	}
	for (i = 0; i < POINTS; i++)
		assert_in_range(first[points[i]], 230, 370);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_given_order_is_kept_in_each_pass),
		cmocka_unit_test(each_pass_has_each_point_once),
		cmocka_unit_test(the_seed_determines_the_order),
		cmocka_unit_test(all_points_come_first_equally_often),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
