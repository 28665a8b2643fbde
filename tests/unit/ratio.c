/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "stats/ratio.h"

#include "reference/ratio.h"

#include <errno.h>

static void intervals_match_r(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < LENGTH(rows); i++) {
		const struct ratio_samples samples = {
			.base = rows[i].base, .new = rows[i].other,
			.base_count = rows[i].bases,
			.new_count = rows[i].others,
			.paired = rows[i].paired,
		};
		struct ratio_interval interval;

		assert_int_equal(ratio_interval(&samples, rows[i].alpha,
						rows[i].alpha, &interval), 0);
		expect_near(interval.ratio, rows[i].ratio, 1e-7);
		expect_near(interval.low, rows[i].low, 1e-7);
		expect_near(interval.high, rows[i].high, 1e-7);
	}
}

static const double base[] = {100, 101, 99, 102, 98, 100.5, 99.5, 103, 97,
			      101.5};

/* Return `count` pairs in which new / base is `ratio`, with some noise. */
static struct ratio_samples pairs_with(double ratio, size_t count, double *new)
{
	static const double noise[] = {0.004, -0.003, 0.002, -0.001, 0.0005,
				       0.001, -0.002, 0.003, -0.004, 0.0015};
	size_t i;

	for (i = 0; i < count; i++)
		new[i] = base[i] * ratio * (1 + noise[i]);
	return (struct ratio_samples){base, new, count, count, true};
}

static struct ratio_comparison compared(double ratio, size_t count,
					double margin, double alpha)
{
	double new[10];
	struct ratio_comparison comparison = {
		.samples = pairs_with(ratio, count, new),
		.more_is_better = true,
	};

	assert_int_equal(ratio_compare(&comparison, 1, margin, alpha), 0);
	return comparison;
}

static void each_bound_has_its_own_alpha(void **state)
{
	double new[10];
	struct ratio_samples samples = pairs_with(0.95, 8, new);
	struct ratio_interval narrow, wide, mixed;

	(void)state;
	assert_int_equal(ratio_interval(&samples, 0.05, 0.05, &narrow), 0);
	assert_int_equal(ratio_interval(&samples, 0.01, 0.01, &wide), 0);
	assert_int_equal(ratio_interval(&samples, 0.05, 0.01, &mixed), 0);
	assert_true(wide.low < narrow.low && narrow.high < wide.high);
	expect_near(mixed.low, narrow.low, 0);
	expect_near(mixed.high, wide.high, 0);
}

static void too_few_pairs_have_no_interval(void **state)
{
	double new[10];
	struct ratio_samples samples = pairs_with(0.5, 5, new);
	struct ratio_interval interval;

	(void)state;
	assert_int_equal(ratio_interval(&samples, 0.025, 0.025, &interval), 0);
	expect_near(interval.ratio, 0.5, 0.01);
	expect_near(interval.low, 0, 0);
	expect_near(interval.high, INFINITY, 0);
	samples = pairs_with(0.5, 6, new);
	assert_int_equal(ratio_interval(&samples, 0.025, 0.025, &interval), 0);
	assert_true(interval.low > 0.49 && interval.high < 0.51);
	samples.base_count = samples.new_count = 0;
	assert_int_equal(ratio_interval(&samples, 0.025, 0.025, &interval), 0);
	assert_true(isnan(interval.ratio));
	expect_near(interval.high, INFINITY, 0);
}

static void values_without_a_ratio_are_refused(void **state)
{
	static const double bad[] = {0, -1, NAN, INFINITY};
	double new[10];
	struct ratio_samples samples;
	struct ratio_interval interval;
	size_t i;

	(void)state;
	for (i = 0; i < LENGTH(bad); i++) {
		samples = pairs_with(1, 8, new);
		new[7] = bad[i];
		assert_int_equal(ratio_interval(&samples, 0.025, 0.025,
						&interval), -EINVAL);
		samples.base = new;
		samples.new = base;
		assert_int_equal(ratio_interval(&samples, 0.025, 0.025,
						&interval), -EINVAL);
	}
	samples = pairs_with(1, 8, new);
	samples.base_count = 7;
	assert_int_equal(ratio_interval(&samples, 0.025, 0.025, &interval),
			 -EINVAL);
}

static void verdicts_depend_on_the_margin(void **state)
{
	static const struct {
		double low, high;
		enum verdict more, less;
	} cases[] = {
		{0.90, 0.949, VERDICT_REGRESSION, VERDICT_PASS},
		{0.90, 0.95, VERDICT_INCONCLUSIVE, VERDICT_PASS},
		{0.949, 1.2, VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE},
		{0.95, 1.01, VERDICT_PASS, VERDICT_PASS},
		{1.2, 1.3, VERDICT_PASS, VERDICT_REGRESSION},
		/* A time, of which less is better, may grow to 1 / 0.95. */
		{1.0, 1.0526, VERDICT_PASS, VERDICT_PASS},
		{1.0, 1.0527, VERDICT_PASS, VERDICT_INCONCLUSIVE},
		{1.0527, 1.1, VERDICT_PASS, VERDICT_REGRESSION},
		{0, INFINITY, VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE},
	};
	size_t i;

	(void)state;
	for (i = 0; i < LENGTH(cases); i++) {
		struct ratio_interval interval = {1, cases[i].low,
						  cases[i].high};

		assert_int_equal(ratio_judge(&interval, true, 0.05),
				 cases[i].more);
		assert_int_equal(ratio_judge(&interval, false, 0.05),
				 cases[i].less);
	}
}

static void comparisons_are_judged(void **state)
{
	(void)state;
	assert_int_equal(compared(0.9, 10, 0.05, 0.025).verdict,
			 VERDICT_REGRESSION);
	assert_int_equal(compared(1, 10, 0.05, 0.025).verdict, VERDICT_PASS);
	assert_int_equal(compared(0.95, 10, 0.05, 0.025).verdict,
			 VERDICT_INCONCLUSIVE);
	assert_int_equal(compared(0.5, 5, 0.05, 0.025).verdict,
			 VERDICT_INCONCLUSIVE);
}

/* A single comparison is decided after six pairs. Several of them need more
 * pairs, until enough of the others are decided. */
static void several_comparisons_share_alpha_by_holm(void **state)
{
	double new[3][10];
	struct ratio_comparison comparisons[3] = {
		{.samples = pairs_with(0.8, 6, new[0]),
		 .more_is_better = true},
		{.samples = pairs_with(0.8, 6, new[1]),
		 .more_is_better = true},
		{.samples = pairs_with(0.8, 6, new[2]),
		 .more_is_better = true},
	};

	(void)state;
	assert_int_equal(ratio_compare(comparisons, 1, 0.05, 0.025), 0);
	assert_int_equal(comparisons[0].verdict, VERDICT_REGRESSION);
	/* Six pairs don't decide two comparisons: 1/64 > 0.025 / 2. */
	assert_int_equal(ratio_compare(comparisons, 2, 0.05, 0.025), 0);
	assert_int_equal(comparisons[0].verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(comparisons[1].verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(comparisons[1].samples_needed, 7);
	/* Seven pairs decide the second comparison, as 1/128 < 0.025 / 2. That
	 * leaves all of alpha to the first one and decides it as well: 1/64 <
	 * 0.025. */
	comparisons[1].samples = pairs_with(0.8, 7, new[1]);
	assert_int_equal(ratio_compare(comparisons, 2, 0.05, 0.025), 0);
	assert_int_equal(comparisons[0].verdict, VERDICT_REGRESSION);
	assert_int_equal(comparisons[1].verdict, VERDICT_REGRESSION);
	/* A pass leaves no alpha for a regression: passes and regressions each
	 * have an alpha of their own. */
	comparisons[1].samples = pairs_with(1.2, 7, new[1]);
	assert_int_equal(ratio_compare(comparisons, 2, 0.05, 0.025), 0);
	assert_int_equal(comparisons[0].verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(comparisons[1].verdict, VERDICT_PASS);
	/* The comparisons are decided one after the other: 1/128 < 0.025 / 3,
	 * then 1/128 < 0.025 / 2, then 1/64 < 0.025. */
	comparisons[1].samples = pairs_with(0.8, 7, new[1]);
	comparisons[2].samples = pairs_with(0.7, 7, new[2]);
	assert_int_equal(ratio_compare(comparisons, 3, 0.05, 0.025), 0);
	assert_int_equal(comparisons[0].verdict, VERDICT_REGRESSION);
	assert_int_equal(comparisons[1].verdict, VERDICT_REGRESSION);
	assert_int_equal(comparisons[2].verdict, VERDICT_REGRESSION);
}

static void an_error_in_one_comparison_is_returned(void **state)
{
	double new[10];
	struct ratio_comparison comparison = {
		.samples = pairs_with(1, 8, new), .more_is_better = true,
	};

	(void)state;
	new[3] = 0;
	assert_int_equal(ratio_compare(&comparison, 1, 0.05, 0.025), -EINVAL);
}

static void the_min_number_of_pairs_is_known(void **state)
{
	(void)state;
	assert_int_equal(ratio_min_repeats(true, 0.025, 1), 6);
	assert_int_equal(ratio_min_repeats(true, 0.05, 1), 5);
	assert_int_equal(ratio_min_repeats(true, 0.025, 2), 7);
	assert_int_equal(ratio_min_repeats(true, 0.025, 10), 9);
	assert_int_equal(ratio_min_repeats(true, 1.0 / 64, 1), 6);
	/* Unpaired: 4 repeats of each side can be ordered in 70 ways, 5 of each
	 * in 252. For a verdict, one order must be rarer than alpha, and for
	 * two comparisons rarer than half of alpha. */
	assert_int_equal(ratio_min_repeats(false, 0.025, 1), 4);
	assert_int_equal(ratio_min_repeats(false, 0.025, 2), 5);
}

static void a_loss_near_the_margin_needs_more_pairs(void **state)
{
	struct ratio_comparison far = compared(0.9482, 8, 0.05, 0.025);
	struct ratio_comparison near = compared(0.949, 8, 0.05, 0.025);
	struct ratio_comparison decided = compared(0.9, 8, 0.05, 0.025);
	struct ratio_comparison few = compared(0.9, 4, 0.05, 0.025);

	(void)state;
	assert_int_equal(far.verdict, VERDICT_INCONCLUSIVE);
	assert_in_range(far.samples_needed, 9, 60);
	assert_in_range(near.samples_needed, far.samples_needed + 1, 500);
	assert_int_equal(decided.samples_needed, 0);
	assert_int_equal(few.samples_needed, 6);
}

/*
 * If the interval reaches further on one side of the ratio than on the other,
 * the estimate of the pairs needed is too low. The result must still be at
 * least one more than the number of pairs measured.
 */
static void an_undecided_comparison_needs_more_pairs(void **state)
{
	static const double new[] = {93, 93.01, 93.02, 93.03, 93.04, 95.1};
	static const double same[] = {100, 100, 100, 100, 100, 100};
	struct ratio_comparison comparison = {
		.samples = {same, new, 6, 6, true}, .more_is_better = true,
	};

	(void)state;
	assert_int_equal(ratio_compare(&comparison, 1, 0.05, 0.025), 0);
	assert_int_equal(comparison.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(comparison.samples_needed, 7);
}

/* Use the 95 % interval of 16 pairs whose log ratios are normal with a mean of
 * 0 and a standard deviation of 0.04: exp(+-1.96 x 0.04 / sqrt(16)). */
static void needs_and_margins_follow_normal_theory(void **state)
{
	const double half = 1.959964 * 0.04 / 4;
	const struct ratio_interval interval = {1, exp(-half), exp(half)};
	size_t needed = ratio_needed(&interval, true, 16, 0.025,
				     log(0.95 / 0.99));

	(void)state;
	/* ((1.959964 + 0.841621) x 0.04 / 0.041243)^2 = 7.4 */
	assert_int_equal(needed, 8);
	assert_int_equal(ratio_needed(&interval, true, 16, 0.025, 0.01), 126);
	assert_int_equal(ratio_needed(&interval, true, 16, 0.025, 0.5), 6);
	assert_int_equal(ratio_needed(&interval, true, 16, 0.025, 1e-4), 0);
	assert_int_equal(ratio_needed(&interval, true, 16, 0.025, 0), 0);
	expect_near(ratio_margin(&interval, 16, 0.025, 16), 0.0276279, 1e-6);
	expect_near(ratio_margin(&interval, 16, 0.025, 64), 0.0139112, 1e-6);
}

int unit_ratio(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_match_r),
		cmocka_unit_test(each_bound_has_its_own_alpha),
		cmocka_unit_test(too_few_pairs_have_no_interval),
		cmocka_unit_test(values_without_a_ratio_are_refused),
		cmocka_unit_test(verdicts_depend_on_the_margin),
		cmocka_unit_test(comparisons_are_judged),
		cmocka_unit_test(several_comparisons_share_alpha_by_holm),
		cmocka_unit_test(an_error_in_one_comparison_is_returned),
		cmocka_unit_test(the_min_number_of_pairs_is_known),
		cmocka_unit_test(a_loss_near_the_margin_needs_more_pairs),
		cmocka_unit_test(an_undecided_comparison_needs_more_pairs),
		cmocka_unit_test(needs_and_margins_follow_normal_theory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
