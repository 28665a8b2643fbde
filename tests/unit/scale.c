/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "doc/scale.h"

#include <math.h>

/* Compare two values, with a tolerance that no drawing shows. */
static void assert_near(double found, double expected)
{
	if (!(fabs(found - expected) <= 1e-6 * fmax(1, fabs(expected))))
		fail_msg("%g instead of %g", found, expected);
}

static const struct scale upright = {.start = 320, .end = 30};
static const struct scale level = {.start = 80, .end = 610};

static void expect_ticks(const struct scale *scale, const double *ticks, size_t count)
{
	size_t i;

	assert_int_equal(scale->tick_count, count);
	for (i = 0; i < count; i++)
		assert_near(scale->ticks[i], ticks[i]);
}

static void throughput_begins_at_zero(void **state)
{
	static const struct {
		double max, to, step;
	} rows[] = {
		{1417, 1500, 500}, {1500, 1500, 500}, {1501, 2000, 500}, {0.9, 1, 0.2},
		{100, 100, 20},    {101, 150, 50},    {3, 3, 1},         {1e-7, 1e-7, 2e-8},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct scale scale = upright;

		scale_linear(&scale, rows[i].max);
		assert_false(scale.logarithmic);
		assert_near(scale.from, 0);
		assert_near(scale.to / rows[i].to, 1);
		assert_near(scale.step / rows[i].step, 1);
		assert_near(scale_place(&scale, 0), 320);
		assert_near(scale_place(&scale, scale.to), 30);
		assert_near(scale_place(&scale, scale.to / 2), 175);
	}
}

static void zero_has_a_scale(void **state)
{
	struct scale scale = upright;

	scale_linear(&scale, 0);
	assert_near(scale_place(&scale, 0), 320);
	scale_up_to(&scale, 0);
	assert_near(scale_place(&scale, 0), 320);
	/* With a max as small as this, the step between ticks would be 0. */
	scale_up_to(&scale, 5e-324);
	assert_near(scale.to, 1);
}

static void short_axes_have_few_ticks(void **state)
{
	struct scale scale = {.start = 322, .end = 230};

	scale_linear(&scale, 3.9);
	expect_ticks(&scale, (const double[]){0, 2, 4}, 3);
}

static void wide_ranges_are_logarithmic(void **state)
{
	struct scale scale = upright;

	scale_wide(&scale, 3e4, 8e6);
	assert_true(scale.logarithmic);
	expect_ticks(&scale, (const double[]){2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7}, 9);
	assert_near(scale_place(&scale, 2e4), 320);
	assert_near(scale_place(&scale, 1e7), 30);
}

static void round_ends_are_kept(void **state)
{
	struct scale scale = upright;

	scale_wide(&scale, 1e3, 1e5);
	assert_near(scale.from, 1e3);
	assert_near(scale.to, 1e5);
}

/* Ticks between the powers of ten are left out if labels would overlap. */
static void short_logarithmic_axes_have_decades_only(void **state)
{
	struct scale scale = {.start = 322, .end = 230};

	scale_wide(&scale, 900, 4e5);
	assert_true(scale.logarithmic);
	expect_ticks(&scale, (const double[]){1e3, 1e4, 1e5}, 3);
	assert_near(scale.from, 500);
	assert_near(scale.to, 5e5);
}

static void narrow_ranges_begin_at_zero(void **state)
{
	struct scale scale = upright;

	scale_wide(&scale, 1e6, 19e6);
	assert_false(scale.logarithmic);
	assert_near(scale.from, 0);
}

/* Scales of ratios are logarithmic, have a tick at 1, and do not make small changes
 * look large. */
static void ratios_are_around_one(void **state)
{
	struct scale scale = level;

	scale_ratios(&scale, 0.93, 1.04);
	assert_true(scale.logarithmic);
	expect_ticks(&scale, (const double[]){0.92, 0.94, 0.96, 0.98, 1, 1.02, 1.04}, 7);
	scale_ratios(&scale, 0.88, 1.2);
	expect_ticks(&scale, (const double[]){0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2}, 8);
	scale_ratios(&scale, 1.3, 2.3);
	expect_ticks(&scale, (const double[]){0.5, 1, 1.5, 2, 2.5}, 5);
	scale_ratios(&scale, 0.001, 1.5);
	expect_ticks(&scale, (const double[]){0.001, 0.01, 0.1, 1}, 4);
	assert_near(scale.to, 2);
	scale_ratios(&scale, 1, 1);
	expect_ticks(&scale, (const double[]){0.98, 0.99, 1, 1.01, 1.02}, 5);
	assert_near(scale_place(&scale, 0.98), 80);
	assert_near(scale_place(&scale, 1.02), 610);
	assert_near(scale_place(&scale, 0.5), 80);
	/* Twice as much and half as much are equally far from 1. */
	scale_ratios(&scale, 0.5, 2);
	assert_near(scale_place(&scale, 1) - scale_place(&scale, 0.5),
		    scale_place(&scale, 2) - scale_place(&scale, 1));
	/* Labels that are one above the other need less room. */
	scale = upright;
	scale_ratios(&scale, 0.93, 1.04);
	assert_near(scale.step, 0.01);
	assert_near(scale_place(&scale, 1.04), 30);
}

static void a_single_number_has_a_scale(void **state)
{
	static const double users = 8;
	struct scale scale = level;

	scale_numbers(&scale, &users, 1);
	expect_ticks(&scale, (const double[]){8}, 1);
	assert_near(scale_place(&scale, 8), 80);
}

static void numbers_that_double_are_logarithmic(void **state)
{
	static const double doubling[] = {1, 2, 4, 8, 16, 32, 64};
	static const double steps[] = {1, 5, 9, 13, 17, 21, 25, 29, 33};
	static const double two[] = {1, 64};
	struct scale scale = level;

	scale_numbers(&scale, doubling, LENGTH(doubling));
	assert_true(scale.logarithmic);
	assert_near(scale_place(&scale, 1), 80);
	assert_near(scale_place(&scale, 8), 345);
	assert_near(scale_place(&scale, 64), 610);
	assert_int_equal(scale.tick_count, LENGTH(doubling));
	scale_numbers(&scale, steps, LENGTH(steps));
	assert_false(scale.logarithmic);
	assert_near(scale_place(&scale, 17), 345);
	scale_numbers(&scale, two, LENGTH(two));
	assert_false(scale.logarithmic);
}

/* Labels that would overlap are left out, but never the last one. */
static void labels_do_not_overlap(void **state)
{
	static const double users[] = {1, 2, 3, 30, 59, 60};
	struct scale scale = level;

	scale_numbers(&scale, users, LENGTH(users));
	expect_ticks(&scale, (const double[]){1, 30, 60}, 3);
}

static void many_numbers_are_thinned_out(void **state)
{
	struct scale scale = level;
	double users[600];
	size_t i;

	for (i = 0; i < LENGTH(users); i++)
		users[i] = (double)i + 1;
	scale_numbers(&scale, users, LENGTH(users));
	assert_in_range(scale.tick_count, 8, 14);
	assert_near(scale.ticks[0], 1);
	assert_near(scale.ticks[scale.tick_count - 1], 600);
	for (i = 1; i < scale.tick_count; i++)
		assert_true(scale_place(&scale, scale.ticks[i]) -
				    scale_place(&scale, scale.ticks[i - 1]) >=
			    42);
}

static void values_outside_are_put_at_the_ends(void **state)
{
	struct scale scale = upright;

	scale_linear(&scale, 100);
	assert_near(scale_place(&scale, 200), 30);
	assert_near(scale_place(&scale, -1), 320);
	scale_wide(&scale, 1e3, 1e6);
	assert_near(scale_place(&scale, 0), 320);
}

int unit_scale(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(throughput_begins_at_zero),
		cmocka_unit_test(zero_has_a_scale),
		cmocka_unit_test(short_axes_have_few_ticks),
		cmocka_unit_test(wide_ranges_are_logarithmic),
		cmocka_unit_test(round_ends_are_kept),
		cmocka_unit_test(short_logarithmic_axes_have_decades_only),
		cmocka_unit_test(narrow_ranges_begin_at_zero),
		cmocka_unit_test(ratios_are_around_one),
		cmocka_unit_test(a_single_number_has_a_scale),
		cmocka_unit_test(numbers_that_double_are_logarithmic),
		cmocka_unit_test(labels_do_not_overlap),
		cmocka_unit_test(many_numbers_are_thinned_out),
		cmocka_unit_test(values_outside_are_put_at_the_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
