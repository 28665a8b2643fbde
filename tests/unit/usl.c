/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The expected values come from reference/usl.R.
 */
#include "unit.h"

#include "stats/usl.h"

enum { POINTS_MAX = 12, REPEATS_MAX = 3 };

/* A result with user counts and rates only. */
struct scene {
	struct result result;
	struct result_point points[POINTS_MAX];
	struct result_repeat repeats[POINTS_MAX][REPEATS_MAX];
	struct record records[POINTS_MAX][REPEATS_MAX];
	double values[POINTS_MAX][REPEATS_MAX][FIGURE_MB_PER_S + 1];
};

/* Set up a result. `rates` has the rates of all repeats of the first point,
 * then those of the second, and so on. */
static void set(struct scene *scene, size_t points, size_t repeats, const unsigned *users,
		const double *rates)
{
	size_t i, j;

	*scene = (struct scene){
		.result = {.points = scene->points, .point_count = points},
	};
	for (i = 0; i < points; i++) {
		scene->points[i] = (struct result_point){
			.users = users[i],
			.repeats = scene->repeats[i],
			.repeat_count = repeats,
		};
		for (j = 0; j < repeats; j++) {
			scene->repeats[i][j].records = (struct records){&scene->records[i][j], 1};
			scene->records[i][j].values = scene->values[i][j];
			scene->records[i][j].value_count = FIGURE_MB_PER_S + 1;
			scene->values[i][j][FIGURE_MB_PER_S] = rates[i * repeats + j];
		}
	}
}

static const unsigned specsdm91_users[] = {1, 18, 36, 72, 108, 144, 216};
static const double specsdm91_rates[] = {64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2};
static const unsigned raytracer_users[] = {1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64};
static const double raytracer_rates[] = {20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310};
static const unsigned six_users[] = {1, 2, 4, 8, 16, 32};

/* Compare to five digits; a 0 must be exactly 0. */
static void expect(const struct result_estimate *estimate, double value, double low, double high)
{
	expect_near(estimate->value, value, 1e-5 * value);
	expect_near(estimate->low, low, 1e-5 * low);
	expect_near(estimate->high, high, 1e-5 * high);
}

static void the_fit_matches_r(void **state)
{
	struct scene scene;
	struct result_usl usl;

	set(&scene, 7, 1, specsdm91_users, specsdm91_rates);
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	assert_true(usl.fitted);
	expect(&usl.alpha, 0.0277284861, 0.00240248940, 0.0530544827);
	expect(&usl.beta, 1.04365486e-4, 4.91828765e-5, 1.59548095e-4);
	expect(&usl.gamma, 89.9952512, 50.5322650, 129.458237);
	expect_near(usl.peak_users, 96.51956, 1e-4);
	expect_near(usl_at(&usl, 1), 89.9952512, 1e-3);
	/* The law gives 72 x 89.9952512 / (1 + 0.0277284861 x 71 +
	 * 1.04365486e-4 x 5112). */
	expect_near(usl_at(&usl, 72), 1850.147, 0.02);
}

static void a_negative_beta_is_set_to_zero(void **state)
{
	struct scene scene;
	struct result_usl usl;

	set(&scene, 11, 1, raytracer_users, raytracer_rates);
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	assert_true(usl.fitted);
	expect(&usl.alpha, 0.0577707717, 0.0458763993, 0.0696651441);
	/* The interval's upper end comes from the first fit, before beta was
	 * set to 0. */
	expect(&usl.beta, 0, 0, 7.55871236e-5);
	expect(&usl.gamma, 21.8488410867, 19.0035484668, 24.6941337067);
	assert_true(isnan(usl.peak_users));
}

static const double repeated_rates[] = {
	98, 101, 103, 190, 196, 201, 370, 352, 361, 600, 640, 625, 880, 910, 870, 1010, 990, 1050,
};

static void the_means_of_valid_repeats_are_fitted(void **state)
{
	struct notice reason = {.kind = NOTICE_STUCK};
	struct scene scene;
	struct result_usl usl, without;

	set(&scene, 6, 3, six_users, repeated_rates);
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	assert_true(usl.fitted);
	expect(&usl.alpha, 0.0414156553, 0.0310776922, 0.0517536184);
	expect(&usl.beta, 9.78754274e-4, 7.77143635e-4, 1.18036491e-3);
	expect(&usl.gamma, 103.315125, 97.8681698, 108.762080);
	expect_near(usl.peak_users, 31.29523, 1e-4);
	/* Invalid repeats are ignored. */
	scene.values[5][2][FIGURE_MB_PER_S] = 1;
	scene.points[5].repeats[2].invalid = (struct notices){&reason, 1};
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	scene.points[5].repeat_count = 2;
	assert_int_equal(usl_fit(&scene.result, &without), 0);
	assert_memory_equal(&usl, &without, sizeof(usl));
}

/* Set up three repeats of each point of specsdm91, which differ by `noise`. */
static void repeat_specsdm91(struct scene *scene, double noise)
{
	double rates[7 * 3];
	size_t i;

	for (i = 0; i < LENGTH(rates); i++)
		rates[i] = specsdm91_rates[i / 3] * (1 + noise * ((double)(i % 3) - 1));
	set(scene, 7, 3, specsdm91_users, rates);
}

static void repeats_are_no_further_points(void **state)
{
	struct scene scene;
	struct result_usl once, thrice;

	set(&scene, 7, 1, specsdm91_users, specsdm91_rates);
	assert_int_equal(usl_fit(&scene.result, &once), 0);
	repeat_specsdm91(&scene, 0);
	assert_int_equal(usl_fit(&scene.result, &thrice), 0);
	assert_true(thrice.fitted);
	expect_near(thrice.alpha.low, once.alpha.low, 1e-9);
	expect_near(thrice.beta.high, once.beta.high, 1e-9);
	expect_near(thrice.gamma.low, once.gamma.low, 1e-4);
}

/* The fit misses the points of specsdm91 by up to 8 %, and the first one, which
 * is far from the peak, by 39 %. */
static void a_fit_further_away_than_the_noise_is_rejected(void **state)
{
	struct scene scene;
	struct result_usl usl;

	repeat_specsdm91(&scene, 0.15);
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	assert_true(usl.fitted);
	repeat_specsdm91(&scene, 0.01);
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	assert_false(usl.fitted);
	assert_true(isnan(usl.peak_users));
}

/* Six users occupy the target, and more change nothing. The law would have a
 * peak at 27 users. */
static void a_fit_that_misses_the_peak_is_rejected(void **state)
{
	static const unsigned many[] = {1, 4, 8, 12, 16, 20, 24, 32, 40, 48, 56, 60};
	double rates[LENGTH(many)];
	struct scene scene;
	struct result_usl usl;
	size_t i;

	for (i = 0; i < LENGTH(many); i++)
		rates[i] = many[i] < 6 ? many[i] : 6;
	set(&scene, LENGTH(many), 1, many, rates);
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	assert_false(usl.fitted);
	assert_true(isnan(usl.peak_users));
}

static void fewer_than_six_user_counts_are_not_fitted(void **state)
{
	struct notice reason = {.kind = NOTICE_STUCK};
	struct scene scene;
	struct result_usl usl;
	size_t i;

	set(&scene, 5, 3, six_users, repeated_rates);
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	assert_false(usl.fitted);
	assert_true(isnan(usl.peak_users));
	set(&scene, 6, 3, six_users, repeated_rates);
	for (i = 0; i < 3; i++)
		scene.points[2].repeats[i].invalid = (struct notices){&reason, 1};
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	assert_false(usl.fitted);
	set(&scene, 0, 0, NULL, NULL);
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	assert_false(usl.fitted);
}

/* Set up rates that follow the law exactly. */
static void follow(struct scene *scene, double alpha, double beta, const unsigned *users)
{
	double rates[6];
	size_t i;

	for (i = 0; i < 6; i++)
		rates[i] = 100.0 * users[i] /
			   (1 + alpha * (users[i] - 1) + beta * users[i] * (users[i] - 1.0));
	set(scene, 6, 1, users, rates);
}

static void expect_law(double alpha, double beta, double peak)
{
	struct scene scene;
	struct result_usl usl;

	follow(&scene, alpha, beta, six_users);
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	assert_true(usl.fitted);
	expect_near(usl.alpha.value, alpha, 1e-6);
	expect_near(usl.beta.value, beta, 1e-6);
	expect_near(usl.gamma.value, 100, 1e-3);
	expect_near(usl.peak_users, peak, 1e-3);
	assert_true(usl.alpha.low >= 0 && usl.beta.low >= 0);
}

static void exact_data_gives_exact_parameters(void **state)
{
	expect_law(0.1, 0.01, sqrt(90));
	expect_law(0, 0.01, 10);
	expect_law(0.1, 0, NAN);
	expect_law(0, 0, NAN); /* each user adds as much as the first */
	expect_law(1, 0, NAN); /* all rates are equal */
	expect_law(1, 1, NAN); /* each user reduces the rate */
	expect_law(3, 0.5, NAN);
}

static void the_peak_is_never_extrapolated(void **state)
{
	static const unsigned many[] = {20, 24, 28, 32, 40, 60};
	struct scene scene;
	struct result_usl usl;

	expect_law(0.1, 0.9 / (31.9 * 31.9), 31.9);
	expect_law(0.1, 0.9 / (32.1 * 32.1), NAN);
	follow(&scene, 0.1, 0.9 / (19 * 19), many);
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	assert_true(usl.fitted);
	assert_true(isnan(usl.peak_users));
	follow(&scene, 0.1, 0.9 / (30 * 30), many);
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	expect_near(usl.peak_users, 30, 1e-2);
}

static void an_imprecise_fit_is_rejected(void **state)
{
	/* In each case the interval of just one parameter is too wide. */
	static const double cases[][6] = {
		{93.1, 151.9, 180.6, 197.2, 207.8, 221.4},  /* alpha's */
		{109.3, 215.8, 302.6, 390.9, 297.4, 171.6}, /* beta's */
		{126.5, 147, 346.7, 806.6, 1162.3, 1671.3}, /* gamma's */
	};
	/* The fit has a contention of 102 %, with an interval of 0 to 278 %. */
	static const double noise[] = {100, 60, 150, 30, 120, 90};
	struct scene scene;
	struct result_usl usl;
	size_t i;

	for (i = 0; i < LENGTH(cases); i++) {
		set(&scene, 6, 1, six_users, cases[i]);
		assert_int_equal(usl_fit(&scene.result, &usl), 0);
		assert_false(usl.fitted);
	}
	set(&scene, 6, 1, six_users, noise);
	assert_int_equal(usl_fit(&scene.result, &usl), 0);
	assert_false(usl.fitted);
	assert_true(isnan(usl.peak_users));
}

static void data_unlike_the_law_is_survived(void **state)
{
	static const unsigned many[] = {10, 11, 12, 13, 14, 15};
	static const double cases[][6] = {
		{0, 0, 0, 0, 0, 0},
		{0, 0, 0, 0, 0, 1},
		{1, 0, 0, 0, 0, 0},
		{1e-300, 1e-300, 1e-300, 1e-300, 1e-300, 1e-300},
		{1e300, 1e300, 1, 1, 1, 1},
		{1, 2, 4, 8, 16, 1e6},
		{1e6, 1e5, 1e4, 1e3, 1e2, 10},
		{1, 1000, 1, 1000, 1, 1000},
		{1, 4, 16, 64, 256, 1024}, /* grows faster than the users */
		{NAN, 1, 2, 3, 4, 5},
		{INFINITY, 1, 2, 3, 4, 5},
	};
	struct scene scene;
	struct result_usl usl;
	size_t i;

	for (i = 0; i < 2 * LENGTH(cases); i++) {
		set(&scene, 6, 1, i % 2 == 0 ? six_users : many, cases[i / 2]);
		assert_int_equal(usl_fit(&scene.result, &usl), 0);
		if (!usl.fitted)
			continue;
		assert_true(usl.alpha.value >= 0 && usl.beta.value >= 0 && usl.gamma.value > 0);
		assert_true(isfinite(usl.alpha.high) && isfinite(usl.beta.high) &&
			    isfinite(usl.gamma.high));
	}
}

int unit_usl(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fit_matches_r),
		cmocka_unit_test(a_negative_beta_is_set_to_zero),
		cmocka_unit_test(the_means_of_valid_repeats_are_fitted),
		cmocka_unit_test(repeats_are_no_further_points),
		cmocka_unit_test(a_fit_further_away_than_the_noise_is_rejected),
		cmocka_unit_test(a_fit_that_misses_the_peak_is_rejected),
		cmocka_unit_test(fewer_than_six_user_counts_are_not_fitted),
		cmocka_unit_test(exact_data_gives_exact_parameters),
		cmocka_unit_test(the_peak_is_never_extrapolated),
		cmocka_unit_test(an_imprecise_fit_is_rejected),
		cmocka_unit_test(data_unlike_the_law_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
