/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "stats/ratio.h"

#include "reference/ratio.h"

#include <errno.h>

static void intervals_match_r(void **state)
{
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		const struct ratio_samples samples = {
			.base = rows[i].base,
			.new = rows[i].other,
			.base_count = rows[i].bases,
			.new_count = rows[i].others,
			.paired = rows[i].paired,
		};
		struct ratio_interval interval;

		assert_int_equal(ratio_interval(&samples, rows[i].alpha, rows[i].alpha, &interval),
				 0);
		expect_near(interval.ratio, rows[i].ratio, 1e-7);
		expect_near(interval.low, rows[i].low, 1e-7);
		expect_near(interval.high, rows[i].high, 1e-7);
	}
}

static const double base[] = {100, 101, 99, 102, 98, 100.5, 99.5, 103, 97, 101.5};

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

static struct ratio_comparison compared(double ratio, size_t count, double margin, double alpha)
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

enum { MANY = 10000 };

/* Fill in unpaired samples whose differences are all different: number k, from
 * 1, is k - bases steps. */
static struct ratio_samples spread_out(size_t bases, size_t news, double *old, double *new,
				       double step)
{
	size_t i;

	for (i = 0; i < bases; i++)
		old[i] = exp((double)i * step);
	for (i = 0; i < news; i++)
		new[i] = exp((double)(i * bases) * step);
	return (struct ratio_samples){old, new, bases, news, false};
}

/*
 * With many samples, the interval ends at least at the difference at which that
 * of the exact distribution ends, and not far from it. The exact ranks were
 * counted with whole numbers, from the generating function of the statistic (H.
 * B. Mann and D. R. Whitney, 1947).
 */
static void normal_intervals_are_close_to_exact_ones(void **state)
{
	static const struct {
		size_t bases, news;
		double alpha;
		unsigned exact, allowed;
	} cases[] = {
		{100, 101, 0.025, 4242, 0},  {100, 101, 0.01, 4093, 2},
		{100, 101, 0.0025, 3897, 4}, {100, 101, 0.0001, 3529, 12},
		{120, 120, 0.025, 6147, 1},  {120, 120, 0.0001, 5214, 14},
		{400, 30, 0.025, 4715, 2},   {30, 400, 0.0001, 3604, 46},
	};
	static double old[400], new[400];
	const double step = 1e-5;
	size_t i;

	for (i = 0; i < LENGTH(cases); i++) {
		size_t bases = cases[i].bases, news = cases[i].news;
		double exact = (double)cases[i].exact, low, high;
		const struct ratio_samples samples = spread_out(bases, news, old, new, step);
		struct ratio_interval interval;

		assert_int_equal(ratio_method(&samples), RATIO_NORMAL);
		assert_int_equal(
			ratio_interval(&samples, cases[i].alpha, cases[i].alpha, &interval), 0);
		low = log(interval.low) / step + (double)bases;
		high = (double)(bases * news) + 1 - (log(interval.high) / step + (double)bases);
		expect_near(low, exact - cases[i].allowed / 2.0, cases[i].allowed / 2.0 + 0.1);
		expect_near(high, low, 0.1);
		expect_near(log(interval.ratio) / step + (double)bases,
			    (double)(bases * news + 1) / 2, 0.1);
	}
}

/* The method changes at 100 samples of each side. Neither one more nor one less
 * changes the interval much. */
static void methods_meet(void **state)
{
	static double old[102], new[102];
	struct ratio_interval exact, normal;
	struct ratio_samples samples;
	size_t i;

	for (i = 0; i < LENGTH(old); i++) {
		old[i] = 100 + (double)(i * 37 % 101) / 10;
		new[i] = 103 + (double)(i * 53 % 101) / 10;
	}
	samples = (struct ratio_samples){old, new, 100, 100, false};
	assert_int_equal(ratio_method(&samples), RATIO_EXACT);
	assert_int_equal(ratio_interval(&samples, 0.025, 0.025, &exact), 0);
	samples.new_count = 101;
	assert_int_equal(ratio_method(&samples), RATIO_NORMAL);
	assert_int_equal(ratio_interval(&samples, 0.025, 0.025, &normal), 0);
	expect_near(normal.low, exact.low, 0.001);
	expect_near(normal.high, exact.high, 0.001);
	expect_near(normal.ratio, exact.ratio, 0.001);
}

/* The ends for pairs: for 201 of them, differences number 8532 and 7080 from
 * each end, and the exact ones 8533 and 7105. The pairs' differences are 0 to
 * 200 steps, so number k is the k-th average of two of these. */
static void many_pairs_have_a_normal_interval(void **state)
{
	static double old[201], new[201];
	struct ratio_samples samples = {old, new, 201, 201, true};
	struct ratio_interval interval;
	const double step = 1e-4;
	size_t i;

	for (i = 0; i < LENGTH(old); i++) {
		old[i] = 1;
		new[i] = exp((double)(i * 53 % 201) * step);
	}
	assert_int_equal(ratio_method(&samples), RATIO_NORMAL);
	assert_int_equal(ratio_interval(&samples, 0.025, 0.0001, &interval), 0);
	/* Sums of two from 0 to s: (s + 2)^2 / 4, rounded down. */
	expect_near(log(interval.low) / step, 183 / 2.0, 0.01);
	expect_near(log(interval.high) / step, 200 - 167 / 2.0, 0.01);
	expect_near(log(interval.ratio) / step, 100, 0.01);
	samples.base_count = samples.new_count = 200;
	assert_int_equal(ratio_method(&samples), RATIO_EXACT);
}

/* This takes neither long nor much memory. */
static void ten_thousand_samples_are_compared(void **state)
{
	double *values = calloc(2 * MANY, sizeof(*values));
	struct ratio_samples samples = {values, values + MANY, MANY, MANY, false};
	struct ratio_interval interval;
	size_t i;

	for (i = 0; i < MANY; i++) {
		values[i] = 100 + (double)(i * 37 % 101) / 10;
		values[MANY + i] = 103 + (double)(i * 53 % 101) / 10;
	}
	assert_int_equal(ratio_interval(&samples, 0.025, 0.025, &interval), 0);
	assert_true(interval.low < interval.ratio && interval.ratio < interval.high);
	expect_near(interval.ratio, 1.0286, 0.001);
	assert_true(interval.high - interval.low < 0.002);
	samples.paired = true;
	assert_int_equal(ratio_interval(&samples, 0.025, 0.025, &interval), 0);
	expect_near(interval.ratio, 1.0286, 0.001);
	/* Samples that are all equal have one difference. */
	for (i = 0; i < 2 * MANY; i++)
		values[i] = 7;
	samples.paired = false;
	assert_int_equal(ratio_interval(&samples, 0.025, 0.025, &interval), 0);
	assert_true(interval.low == 1 && interval.ratio == 1 && interval.high == 1);
	free(values);
}

static void values_without_a_ratio_are_refused(void **state)
{
	static const double bad[] = {0, -1, NAN, INFINITY};
	double new[10];
	struct ratio_samples samples;
	struct ratio_interval interval;
	size_t i;

	for (i = 0; i < LENGTH(bad); i++) {
		samples = pairs_with(1, 8, new);
		new[7] = bad[i];
		assert_int_equal(ratio_interval(&samples, 0.025, 0.025, &interval), -EINVAL);
		samples.base = new;
		samples.new = base;
		assert_int_equal(ratio_interval(&samples, 0.025, 0.025, &interval), -EINVAL);
	}
	samples = pairs_with(1, 8, new);
	samples.base_count = 7;
	assert_int_equal(ratio_interval(&samples, 0.025, 0.025, &interval), -EINVAL);
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

	for (i = 0; i < LENGTH(cases); i++) {
		struct ratio_interval interval = {1, cases[i].low, cases[i].high};

		assert_int_equal(ratio_judge(&interval, true, 0.05), cases[i].more);
		assert_int_equal(ratio_judge(&interval, false, 0.05), cases[i].less);
	}
}

static void comparisons_are_judged(void **state)
{
	assert_int_equal(compared(0.9, 10, 0.05, 0.025).verdict, VERDICT_REGRESSION);
	assert_int_equal(compared(1, 10, 0.05, 0.025).verdict, VERDICT_PASS);
	assert_int_equal(compared(0.95, 10, 0.05, 0.025).verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(compared(0.5, 5, 0.05, 0.025).verdict, VERDICT_INCONCLUSIVE);
}

/* A single comparison is decided after six pairs. Several of them need more
 * pairs, until enough of the others are decided. */
static void several_comparisons_share_alpha_by_holm(void **state)
{
	double new[3][10];
	struct ratio_comparison comparisons[3] = {
		{.samples = pairs_with(0.8, 6, new[0]), .more_is_better = true},
		{.samples = pairs_with(0.8, 6, new[1]), .more_is_better = true},
		{.samples = pairs_with(0.8, 6, new[2]), .more_is_better = true},
	};

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

/* All comparisons must pass, so each of them may pass at alpha. */
static void each_comparison_passes_at_alpha(void **state)
{
	double new[3][10];
	struct ratio_comparison comparisons[3] = {
		{.samples = pairs_with(1, 6, new[0]), .more_is_better = true},
		{.samples = pairs_with(1.2, 6, new[1]), .more_is_better = true},
		{.samples = pairs_with(0.8, 6, new[2])},
	};
	size_t i;

	assert_int_equal(ratio_compare(comparisons, 3, 0.05, 0.025), 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(comparisons[i].verdict, VERDICT_PASS);
	assert_int_equal(ratio_answer(comparisons, 3), VERDICT_PASS);
	comparisons[1].samples = pairs_with(1.2, 5, new[1]);
	assert_int_equal(ratio_compare(comparisons, 3, 0.05, 0.025), 0);
	assert_int_equal(comparisons[1].verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(comparisons[1].samples_needed, 6);
	assert_int_equal(ratio_answer(comparisons, 3), VERDICT_INCONCLUSIVE);
}

/* With several comparisons, a pass takes fewer pairs than a regression with the
 * same distance from the margin. */
static void a_pass_needs_fewer_pairs_than_a_regression(void **state)
{
	const struct ratio_levels alone = {.pass = 0.025, .regression = 0.025};
	const struct ratio_levels shared = {.pass = 0.025, .regression = 0.025 / 8};
	struct ratio_comparison better = {
		.samples = {.base_count = 8, .new_count = 8, .paired = true},
		.more_is_better = true,
		.interval = {exp(0.01), 0.95, 1.05},
	};
	struct ratio_comparison worse = better;

	worse.interval.ratio = exp(-0.01);
	assert_int_equal(ratio_still_needed(&better, 0, &alone), 410);
	assert_int_equal(ratio_still_needed(&worse, 0, &alone), 410);
	/* The interval's half of 0.0500417 is (1.95996 + 2.73437) / 2 standard
	 * errors wide. For a pass, 8 ((1.95996 + 0.84162) x 0.0213201 / 0.01)^2
	 * pairs are needed. */
	assert_int_equal(ratio_still_needed(&better, 0, &shared), 286);
	assert_int_equal(ratio_still_needed(&worse, 0, &shared), 466);
	worse.more_is_better = false;
	assert_int_equal(ratio_still_needed(&worse, 0, &shared), 286);
}

static void an_error_in_one_comparison_is_returned(void **state)
{
	double new[10];
	struct ratio_comparison comparison = {
		.samples = pairs_with(1, 8, new),
		.more_is_better = true,
	};

	new[3] = 0;
	assert_int_equal(ratio_compare(&comparison, 1, 0.05, 0.025), -EINVAL);
}

static void the_min_number_of_pairs_is_known(void **state)
{
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
		.samples = {same, new, 6, 6, true},
		.more_is_better = true,
	};

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
	size_t needed = ratio_needed(&interval, true, 16, 0.025, log(0.95 / 0.99));

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
		cmocka_unit_test(normal_intervals_are_close_to_exact_ones),
		cmocka_unit_test(methods_meet),
		cmocka_unit_test(many_pairs_have_a_normal_interval),
		cmocka_unit_test(ten_thousand_samples_are_compared),
		cmocka_unit_test(values_without_a_ratio_are_refused),
		cmocka_unit_test(verdicts_depend_on_the_margin),
		cmocka_unit_test(comparisons_are_judged),
		cmocka_unit_test(several_comparisons_share_alpha_by_holm),
		cmocka_unit_test(each_comparison_passes_at_alpha),
		cmocka_unit_test(a_pass_needs_fewer_pairs_than_a_regression),
		cmocka_unit_test(an_error_in_one_comparison_is_returned),
		cmocka_unit_test(the_min_number_of_pairs_is_known),
		cmocka_unit_test(a_loss_near_the_margin_needs_more_pairs),
		cmocka_unit_test(an_undecided_comparison_needs_more_pairs),
		cmocka_unit_test(needs_and_margins_follow_normal_theory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
