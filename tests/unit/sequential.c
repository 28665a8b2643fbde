/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "stats/sequential.h"

#include "../../bench/gate-noise.h"

#include <errno.h>

static const double alpha = 0.025;

static size_t found_after(const double *distances, size_t pairs, size_t budget)
{
	size_t after;

	assert_int_equal(sequential_test(distances, pairs, budget, alpha, &after), 0);
	return after;
}

/* Try all combinations of signs for the distances. Return the number of
 * combinations for which the test finds that the distances are below 0. */
static unsigned count_found(const double *magnitudes, size_t pairs)
{
	double distances[16];
	unsigned found = 0, signs;
	size_t i;

	for (signs = 0; signs < 1u << pairs; signs++) {
		for (i = 0; i < pairs; i++)
			distances[i] = signs >> i & 1 ? -magnitudes[i] : magnitudes[i];
		found += found_after(distances, pairs, pairs) > 0;
	}
	return found;
}

static void alpha_is_exact_for_any_distances(void **state)
{
	static const double even[] = {1, 1.1, 0.93, 1.07, 1.02, 0.98, 1.21, 0.87, 1.013, 1.171};
	static const double growing[] = {1, 2.1, 4.3, 8.7, 16.1, 33, 64.5, 127, 259, 510};
	static const double falling[] = {510, 259, 127, 64.5, 33, 16.1, 8.7, 4.3, 2.1, 1};
	static const double outlier[] = {1, 1.1, 0.93, 1.07, 50, 0.98, 1.21, 0.87, 1.013, 1.171};
	static const double *const all[] = {even, growing, falling, outlier};
	size_t i;

	/* At most alpha of all combinations may be found: 0.025 x 64 = 1.6,
	 * 0.025 x 256 = 6.4, 0.025 x 1024 = 25.6. There may be fewer, because
	 * equal sums are significant together or not at all. */
	for (i = 0; i < LENGTH(all); i++) {
		assert_int_equal(count_found(all[i], 6), 1);
		assert_in_range(count_found(all[i], 8), 4, 6);
		assert_in_range(count_found(all[i], 10), 22, 25);
	}
	assert_int_equal(count_found(even, 10), 25);
}

static void equal_distances_are_a_sign_test(void **state)
{
	static const double equal[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

	assert_int_equal(count_found(equal, 5), 0);
	assert_int_equal(count_found(equal, 6), 1);
	assert_in_range(count_found(equal, 10), 8, 25);
}

static void distances_of_zero_are_not_significant(void **state)
{
	double distances[20] = {0};
	size_t i;

	assert_int_equal(found_after(distances, 0, 20), 0);
	assert_int_equal(found_after(distances, 20, 20), 0);
	/* The other distances count, even if most are 0. */
	for (i = 0; i < 9; i++)
		distances[i] = -1;
	assert_int_equal(found_after(distances, 20, 20), 9);
	for (i = 0; i < 20; i++)
		distances[i] = i < 11 ? 0 : -1;
	assert_in_range(found_after(distances, 20, 20), 17, 18);
}

static void a_finding_stays_after_further_pairs(void **state)
{
	struct noise noise = {.kind = NOISE_NORMAL};
	double distances[20];
	size_t pairs, after = 0, i;

	random_start(&noise.random, 3, 0);
	for (i = 0; i < 20; i++)
		distances[i] = noise_bell(&noise) - 1;
	for (pairs = 0; pairs <= 20; pairs++) {
		size_t now = found_after(distances, pairs, 20);

		if (after > 0)
			assert_int_equal(now, after);
		else if (now > 0)
			assert_int_equal(now, pairs);
		after = now;
	}
	assert_in_range(after, 10, 19);
}

/* Up to 16 pairs, the test tries all combinations of signs. With more pairs, it
 * draws combinations at random. */
static void losses_are_found_after_more_than_16_pairs(void **state)
{
	static const unsigned seeds[] = {1, 3, 8, 20, 30, 35, 36};
	static const size_t wanted[] = {19, 18, 18, 19, 17, 20, 17};
	struct noise noise = {.kind = NOISE_NORMAL};
	double distances[20];
	size_t i, j;

	for (i = 0; i < LENGTH(seeds); i++) {
		random_start(&noise.random, seeds[i], 0);
		for (j = 0; j < 20; j++)
			distances[j] = noise_bell(&noise) - 0.7;
		assert_int_equal(found_after(distances, 20, 20), wanted[i]);
	}
}

/* Simulate sessions with one kind of noise. Return the number of sessions that
 * find a loss beyond the margin; `pairs` is the sum of pairs measured. */
static unsigned play(enum noise_kind kind, double ratio, double margin, size_t budget,
		     unsigned sessions, double *pairs)
{
	struct noise noise = {.kind = kind};
	double base[20], new[20], distances[20];
	unsigned found = 0, i;
	size_t after, j;

	random_start(&noise.random, 1, 0);
	*pairs = 0;
	for (i = 0; i < sessions; i++) {
		noise_pairs(&noise, ratio, budget, base, new);
		for (j = 0; j < budget; j++)
			distances[j] = log(new[j] / base[j] / (1 - margin));
		after = found_after(distances, budget, budget);
		found += after > 0;
		*pairs += (double)(after > 0 ? after : budget);
	}
	return found;
}

/* The bounds allow for three standard errors. bench/gate simulates more
 * sessions. */
static void equal_builds_are_called_equal(void **state)
{
	enum noise_kind kind;
	double pairs;

	for (kind = NOISE_NORMAL; kind < NOISE_RECORDED; kind++) {
		assert_in_range(play(kind, 1, 0, 6, 2000, &pairs), 10, 71);
		assert_in_range(play(kind, 1, 0, 10, 2000, &pairs), 20, 71);
		assert_in_range(play(kind, 1, 0, 18, 200, &pairs), 0, 12);
	}
}

static void losses_are_found_soon(void **state)
{
	double pairs;

	assert_in_range(play(NOISE_NORMAL, 0.95, 0.01, 15, 400, &pairs), 372, 400);
	assert_true(pairs / 400 < 0.7 * 15);
	assert_in_range(play(NOISE_NORMAL, 0.9, 0.05, 10, 1000, &pairs), 930, 1000);
	assert_true(pairs / 1000 < 8);
}

static const double base[] = {100, 101, 99, 102, 98, 100.5, 99.5, 103, 97, 101.5};

/* Comparisons in which new / base is the `ratio` that set() is called with. */
struct scene {
	double new[3][10];
	struct ratio_comparison comparisons[3];
	enum verdict answer;
};

static void set(struct scene *scene, size_t which, double ratio, size_t pairs)
{
	static const double noise[] = {0.004, -0.003, 0.002, -0.001, 0.0005,
				       0.001, -0.002, 0.003, -0.004, 0.0015};
	double *new = scene->new[which];
	size_t i;

	for (i = 0; i < pairs; i++)
		new[i] = base[i] * ratio * (1 + noise[i]);
	scene->comparisons[which] = (struct ratio_comparison){
		.samples = {base, new, pairs, pairs, true},
		.more_is_better = true,
	};
}

static enum verdict judge(struct scene *scene, size_t count)
{
	static const struct sequential_rule rule = {
		.margin = 0.05,
		.alpha = 0.025,
		.budget = 10,
	};

	assert_int_equal(sequential_compare(scene->comparisons, count, &rule, &scene->answer), 0);
	return scene->answer;
}

static void pairs_are_measured_until_the_answer_is_certain(void **state)
{
	struct scene scene;

	/* After 7 of 10 pairs, 0.025 x 0.7^2.5 x 128 = 1.3 combinations of
	 * signs may be significant, so a verdict is possible. After 6 pairs,
	 * 0.025 x 0.6^2.5 x 64 = 0.4: no combination may be. */
	set(&scene, 0, 0.9, 6);
	assert_int_equal(judge(&scene, 1), VERDICT_UNDECIDED);
	set(&scene, 0, 0.9, 7);
	assert_int_equal(judge(&scene, 1), VERDICT_REGRESSION);
	assert_int_equal(scene.comparisons[0].verdict, VERDICT_REGRESSION);
	set(&scene, 0, 1, 7);
	assert_int_equal(judge(&scene, 1), VERDICT_PASS);
	assert_int_equal(scene.comparisons[0].verdict, VERDICT_PASS);
	set(&scene, 0, 0.95, 9);
	assert_int_equal(judge(&scene, 1), VERDICT_UNDECIDED);
	set(&scene, 0, 0.95, 10);
	assert_int_equal(judge(&scene, 1), VERDICT_INCONCLUSIVE);
	assert_true(scene.comparisons[0].samples_needed == 0 ||
		    scene.comparisons[0].samples_needed > 10);
}

static void without_another_pair_nothing_stays_undecided(void **state)
{
	static const struct sequential_rule rule = {
		.margin = 0.05,
		.alpha = 0.025,
		.budget = 10,
		.final = true,
	};
	const struct ratio_comparison *judged;
	struct scene scene;

	set(&scene, 0, 0.95, 9);
	judged = &scene.comparisons[0];
	assert_int_equal(sequential_compare(scene.comparisons, 1, &rule, &scene.answer), 0);
	assert_int_equal(scene.answer, VERDICT_INCONCLUSIVE);
	assert_int_equal(judged->verdict, VERDICT_INCONCLUSIVE);
	assert_true(judged->interval.low > 0.9 && judged->interval.low < 0.95);
	assert_true(judged->interval.high < 1 && judged->interval.high > 0.95);
	/* An answer that is certain does not depend on rule.final. */
	set(&scene, 0, 0.9, 7);
	assert_int_equal(sequential_compare(scene.comparisons, 1, &rule, &scene.answer), 0);
	assert_int_equal(scene.answer, VERDICT_REGRESSION);
}

static void less_is_better_for_times(void **state)
{
	struct scene scene;

	set(&scene, 0, 1.1, 8);
	scene.comparisons[0].more_is_better = false;
	assert_int_equal(judge(&scene, 1), VERDICT_REGRESSION);
	assert_true(scene.comparisons[0].interval.low > 1 / 0.95);
	set(&scene, 0, 0.9, 8);
	scene.comparisons[0].more_is_better = false;
	assert_int_equal(judge(&scene, 1), VERDICT_PASS);
	/* For times the margin is the same loss: up to 1 / 0.95 = 1.0526. */
	set(&scene, 0, 1.045, 10);
	scene.comparisons[0].more_is_better = false;
	assert_int_equal(judge(&scene, 1), VERDICT_PASS);
	set(&scene, 0, 1.06, 10);
	scene.comparisons[0].more_is_better = false;
	assert_int_equal(judge(&scene, 1), VERDICT_REGRESSION);
}

/* The test excludes all ratios outside of the interval, and none inside. */
static void intervals_end_where_the_test_excludes(void **state)
{
	struct scene scene;
	const struct ratio_interval *interval = &scene.comparisons[0].interval;
	double distances[10];
	size_t i;

	set(&scene, 0, 0.95, 10);
	judge(&scene, 1);
	expect_near(interval->ratio, 0.95, 0.002);
	assert_true(interval->low > 0.945 && interval->low < interval->ratio);
	assert_true(interval->high < 0.955 && interval->high > interval->ratio);
	for (i = 0; i < 10; i++)
		distances[i] = log(scene.new[0][i] / base[i] / interval->high) - 1e-6;
	assert_true(found_after(distances, 10, 10) > 0);
	for (i = 0; i < 10; i++)
		distances[i] += 2e-6;
	assert_int_equal(found_after(distances, 10, 10), 0);
	/* The verdict agrees with the interval. */
	set(&scene, 0, 0.94, 10);
	judge(&scene, 1);
	assert_int_equal(scene.comparisons[0].verdict, VERDICT_REGRESSION);
	assert_true(interval->high < 0.95);
	set(&scene, 0, 0.96, 10);
	judge(&scene, 1);
	assert_int_equal(scene.comparisons[0].verdict, VERDICT_PASS);
	assert_true(interval->low >= 0.95);
}

static void several_comparisons_share_alpha(void **state)
{
	const struct ratio_interval *interval;
	struct ratio_interval alone;
	struct scene scene;

	set(&scene, 0, 0.9, 7);
	set(&scene, 1, 1, 7);
	/* With half of alpha, 7 pairs are too few: 0.0125 x 0.7^2.5 x 128 is
	 * less than 1. */
	assert_int_equal(judge(&scene, 2), VERDICT_UNDECIDED);
	set(&scene, 0, 0.9, 8);
	set(&scene, 1, 1, 8);
	assert_int_equal(judge(&scene, 2), VERDICT_REGRESSION);
	set(&scene, 0, 1.1, 8);
	assert_int_equal(judge(&scene, 2), VERDICT_PASS);
	/* One comparison is undecided, and none is a regression. */
	set(&scene, 1, 0.95, 8);
	assert_int_equal(judge(&scene, 2), VERDICT_UNDECIDED);
	assert_int_equal(scene.comparisons[0].verdict, VERDICT_PASS);
	set(&scene, 0, 1.1, 10);
	set(&scene, 1, 0.95, 10);
	assert_int_equal(judge(&scene, 2), VERDICT_INCONCLUSIVE);
	/* Each comparison has all of alpha for a pass, but only half of it for a
	 * regression. */
	interval = &scene.comparisons[0].interval;
	alone = scene.comparisons[1].interval;
	set(&scene, 0, 0.95, 10);
	judge(&scene, 1);
	expect_near(alone.low, interval->low, 1e-6);
	assert_true(alone.high > interval->high + 1e-5);
	/* After one comparison is decided, its share of alpha goes to the other
	 * one. */
	set(&scene, 0, 0.9, 8);
	set(&scene, 1, 0.9, 7);
	judge(&scene, 2);
	assert_int_equal(scene.comparisons[1].verdict, VERDICT_REGRESSION);
}

/* All comparisons must pass, so each of them may pass at alpha: 7 pairs are
 * enough, as for a single comparison. */
static void each_comparison_passes_at_alpha(void **state)
{
	struct scene scene;

	set(&scene, 0, 1, 7);
	set(&scene, 1, 1.1, 7);
	set(&scene, 2, 1.01, 7);
	assert_int_equal(judge(&scene, 3), VERDICT_PASS);
	set(&scene, 2, 0.95, 7);
	assert_int_equal(judge(&scene, 3), VERDICT_UNDECIDED);
	assert_int_equal(scene.comparisons[0].verdict, VERDICT_PASS);
	set(&scene, 2, 0.9, 7);
	assert_int_equal(judge(&scene, 3), VERDICT_UNDECIDED);
}

static void values_without_a_ratio_are_refused(void **state)
{
	static const struct sequential_rule rule = {
		.margin = 0.05,
		.alpha = 0.025,
		.budget = 10,
	};
	struct scene scene;

	set(&scene, 0, 1, 8);
	scene.new[0][3] = 0;
	assert_int_equal(sequential_compare(scene.comparisons, 1, &rule, &scene.answer), -EINVAL);
}

static void the_min_number_of_pairs_is_known(void **state)
{
	static const struct {
		size_t budget, min;
	} cases[] = {
		{5, 0}, {6, 6}, {10, 7}, {20, 9}, {100, 13},
	};
	size_t i;

	for (i = 0; i < LENGTH(cases); i++) {
		const struct sequential_rule rule = {
			.alpha = 0.025,
			.budget = cases[i].budget,
		};

		assert_int_equal(sequential_min_pairs(&rule), cases[i].min);
	}
}

int unit_sequential(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(alpha_is_exact_for_any_distances),
		cmocka_unit_test(equal_distances_are_a_sign_test),
		cmocka_unit_test(distances_of_zero_are_not_significant),
		cmocka_unit_test(a_finding_stays_after_further_pairs),
		cmocka_unit_test(losses_are_found_after_more_than_16_pairs),
		cmocka_unit_test(equal_builds_are_called_equal),
		cmocka_unit_test(losses_are_found_soon),
		cmocka_unit_test(pairs_are_measured_until_the_answer_is_certain),
		cmocka_unit_test(without_another_pair_nothing_stays_undecided),
		cmocka_unit_test(less_is_better_for_times),
		cmocka_unit_test(intervals_end_where_the_test_excludes),
		cmocka_unit_test(several_comparisons_share_alpha),
		cmocka_unit_test(each_comparison_passes_at_alpha),
		cmocka_unit_test(values_without_a_ratio_are_refused),
		cmocka_unit_test(the_min_number_of_pairs_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
