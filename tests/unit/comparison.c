/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "compare/comparison.h"
#include "compare/phrases.h"
#include "result/variant.h"

#include <errno.h>

/* Two results and their comparison. */
struct scene {
	struct result results[SIDES];
	const char *names[SIDES];
	struct metric metrics[2];
	struct comparison_question question;
	struct comparison comparison;
	struct error error;
};

static void describe(struct result *result)
{
	result->run.version = strdup("0.1");
	result->run.host = strdup("host");
	result->run.kernel = strdup("6.1");
	result->run.phases.time_ns = 1000000000;
	result->run.pairs = 20;
	assert_int_equal(variant_make_all(&result->run), 0);
	result->run.variants[0].loads = calloc(1, sizeof(struct result_load));
	result->run.variants[0].load_count = 1;
	result->run.variants[0].loads[0].sha256 = strdup("abc");
}

/* Set up a comparison of the metric mb_per_s and, unless it is NULL, of the
 * metric `other`. */
static void begin(struct scene *scene, const char *other)
{
	*scene = (struct scene){
		.names = {"old.json", "new.json"},
		.question = {.metrics = scene->metrics,
			     .metric_count = 1,
			     .margin = 0.05,
			     .alpha = 0.025,
			     .final = true},
	};
	describe(&scene->results[BASE]);
	describe(&scene->results[NEW]);
	metric_parse("mb_per_s", 8, "test", &scene->metrics[0], &scene->error);
	if (other != NULL)
		metric_parse(other, strlen(other), "test",
			     &scene->metrics[scene->question.metric_count++], &scene->error);
	assert_false(scene->error.set);
}

/* Add a repeat, and return its total. */
static struct record *add(struct result *result, unsigned users, unsigned pair, double mb_per_s)
{
	struct result_repeat *repeat = result_add_repeat(result, 0, users);
	struct record *total = records_add(&repeat->records, &(struct record_key){0});

	repeat->pair = pair;
	record_set(total, FIGURE_SECONDS, 1);
	record_set(total, FIGURE_MB_PER_S, mb_per_s);
	return total;
}

/* Add pairs whose new side is about `ratio` times as fast as the base. No two
 * pairs have the same figures or the same ratio. */
static void add_pairs(struct scene *scene, unsigned users, unsigned pairs, double ratio)
{
	unsigned pair;

	for (pair = 1; pair <= pairs; pair++) {
		double wave = 0.003 * (pair % 2 == 0 ? pair : -(double)pair);

		add(&scene->results[BASE], users, pair, 100 + pair);
		add(&scene->results[NEW], users, pair, (100 + pair) * ratio * (1 + wave));
	}
}

static void end(struct scene *scene)
{
	comparison_free(&scene->comparison);
	result_free(&scene->results[BASE]);
	result_free(&scene->results[NEW]);
}

static int make(struct scene *scene)
{
	comparison_free(&scene->comparison);
	scene->error = (struct error){0};
	return comparison_make(&scene->comparison, scene->results, scene->names, &scene->question,
			       &scene->error);
}

static const struct comparison *made(struct scene *scene)
{
	if (make(scene) < 0)
		fail_msg("%s", scene->error.text);
	return &scene->comparison;
}

static void expect_refused(struct scene *scene, const char *why)
{
	assert_int_equal(make(scene), -EINVAL);
	assert_string_equal(scene->error.text, why);
	assert_null(scene->comparison.rows);
	assert_null(scene->comparison.names[BASE]);
}

static void expect_values(const double *values, size_t count, const double *wanted,
			  size_t wanted_count)
{
	size_t i;

	assert_int_equal(count, wanted_count);
	for (i = 0; i < count; i++)
		expect_near(values[i], wanted[i], 0);
}

static void expect_samples(const struct comparison_row *row, const double *base, const double *new,
			   size_t count)
{
	const struct ratio_samples *samples = &row->judged.samples;

	assert_true(samples->paired);
	expect_values(samples->base, samples->base_count, base, count);
	expect_values(samples->new, samples->new_count, new, count);
}

static bool has_warning(const struct notices *warnings, const char *text)
{
	bool found = false;
	size_t i;

	for (i = 0; i < warnings->count; i++) {
		char *printed = notice_text(&warnings->list[i]);

		found |= strcmp(printed, text) == 0;
		free(printed);
	}
	return found;
}

static void repeats_are_paired_by_pair_number(void **state)
{
	static const double base[] = {10, 20, 30}, new[] = {11, 21, 31};
	const struct comparison *comparison;
	struct scene scene;

	begin(&scene, NULL);
	add(&scene.results[BASE], 4, 30, 30);
	add(&scene.results[BASE], 4, 1, 10);
	add(&scene.results[BASE], 4, 2, 20);
	add(&scene.results[NEW], 4, 2, 21);
	add(&scene.results[NEW], 4, 30, 31);
	add(&scene.results[NEW], 4, 1, 11);
	comparison = made(&scene);
	assert_true(comparison->paired);
	assert_int_equal(comparison->pairs, 3);
	assert_int_equal(comparison->row_count, 1);
	assert_int_equal(comparison->warnings.count, 0);
	expect_samples(&comparison->rows[0], base, new, 3);
	expect_near(comparison->rows[0].medians[BASE], 20, 0);
	expect_near(comparison->rows[0].medians[NEW], 21, 0);
	end(&scene);
}

static void incomplete_pairs_are_ignored(void **state)
{
	static const double base[] = {10, 30}, new[] = {11, 31};
	struct scene scene;

	begin(&scene, NULL);
	add(&scene.results[BASE], 4, 1, 10);
	add(&scene.results[BASE], 4, 2, 20);
	add(&scene.results[BASE], 4, 3, 30);
	add(&scene.results[NEW], 4, 1, 11);
	add(&scene.results[NEW], 4, 3, 31);
	add(&scene.results[NEW], 4, 4, 41);
	expect_samples(&made(&scene)->rows[0], base, new, 2);
	end(&scene);
}

static void all_rows_have_the_same_number_of_pairs(void **state)
{
	static const double base_1[] = {10, 20}, new_1[] = {11, 21};
	static const double base_4[] = {110, 120}, new_4[] = {111, 121};
	const struct comparison *comparison;
	struct scene scene;

	begin(&scene, NULL);
	add(&scene.results[BASE], 1, 1, 10);
	add(&scene.results[BASE], 1, 2, 20);
	add(&scene.results[BASE], 1, 3, 30);
	add(&scene.results[BASE], 4, 1, 110);
	add(&scene.results[BASE], 4, 2, 120);
	add(&scene.results[NEW], 1, 1, 11);
	add(&scene.results[NEW], 1, 2, 21);
	add(&scene.results[NEW], 1, 3, 31);
	add(&scene.results[NEW], 4, 1, 111);
	add(&scene.results[NEW], 4, 2, 121);
	add(&scene.results[NEW], 4, 3, 131);
	comparison = made(&scene);
	assert_int_equal(comparison->pairs, 2);
	expect_samples(&comparison->rows[0], base_1, new_1, 2);
	expect_samples(&comparison->rows[1], base_4, new_4, 2);
	end(&scene);
}

static void results_without_complete_pairs_are_refused(void **state)
{
	struct scene scene;

	begin(&scene, NULL);
	add(&scene.results[BASE], 4, 1, 10);
	add(&scene.results[NEW], 4, 2, 20);
	expect_refused(&scene,
		       "cannot compare \"old.json\" with \"new.json\": with 4 users, no pair has "
		       "measurements of both base and new (measure again, with more pairs)");
	add(&scene.results[NEW], 4, 1, 10);
	made(&scene);
	add(&scene.results[NEW], 4, 2, 20);
	expect_refused(&scene,
		       "new.json: two measurements with 4 users have the pair number 2; expected a "
		       "different pair number for each measurement (measure again)");
	end(&scene);
}

static void unpaired_repeats_get_a_warning(void **state)
{
	static const double base[] = {30, 10}, new[] = {31, 11, 21};
	const struct comparison *comparison;
	const struct ratio_samples *samples;
	struct scene scene;

	begin(&scene, NULL);
	add(&scene.results[BASE], 4, 1, 30);
	add(&scene.results[BASE], 4, 2, 10);
	add(&scene.results[NEW], 4, 2, 31);
	add(&scene.results[NEW], 4, 1, 11);
	/* One repeat without a pair number makes the comparison unpaired. */
	add(&scene.results[NEW], 4, 0, 21);
	comparison = made(&scene);
	assert_false(comparison->paired);
	assert_int_equal(comparison->pairs, 0);
	assert_int_equal(comparison->budget, 0);
	samples = &comparison->rows[0].judged.samples;
	assert_false(samples->paired);
	expect_values(samples->base, samples->base_count, base, 2);
	expect_values(samples->new, samples->new_count, new, 3);
	assert_int_equal(comparison->warnings.count, 1);
	expect_notice(&comparison->warnings.list[0],
		      "base and new were measured one after the other, so a machine that became "
		      "slower looks like a slower target; to measure in pairs, use compare --base "
		      "TARGET --new TARGET");
	end(&scene);
}

static void rows_are_sorted_by_users_then_metric(void **state)
{
	const struct comparison *comparison;
	struct scene scene;
	size_t i;

	begin(&scene, "p99");
	record_set(add(&scene.results[BASE], 4, 1, 40), FIGURE_P99_MS, 4);
	record_set(add(&scene.results[BASE], 1, 1, 10), FIGURE_P99_MS, 1);
	record_set(add(&scene.results[NEW], 1, 1, 10), FIGURE_P99_MS, 1);
	record_set(add(&scene.results[NEW], 4, 1, 40), FIGURE_P99_MS, 5);
	comparison = made(&scene);
	assert_int_equal(comparison->row_count, 4);
	for (i = 0; i < 4; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		assert_int_equal(row->users, i < 2 ? 1 : 4);
		assert_string_equal(row->metric, i % 2 == 0 ? "mb_per_s" : "p99");
		assert_string_equal(row->unit, i % 2 == 0 ? "MB/s" : "ms");
		assert_true(row->judged.more_is_better == (i % 2 == 0));
	}
	expect_near(comparison->rows[2].medians[BASE], 40, 0);
	expect_near(comparison->rows[3].medians[BASE], 4, 0);
	expect_near(comparison->rows[3].medians[NEW], 5, 0);
	expect_near(comparison->rows[3].judged.interval.ratio, 1.25, 1e-9);
	end(&scene);
}

static void a_budget_selects_the_sequential_rule(void **state)
{
	const struct comparison *comparison;
	struct scene scene;

	begin(&scene, NULL);
	add_pairs(&scene, 4, 8, 0.5);
	comparison = made(&scene);
	assert_int_equal(comparison->budget, 20);
	assert_int_equal(comparison->min, 9);
	assert_int_equal(comparison->answer, VERDICT_INCONCLUSIVE);
	scene.question.final = false;
	assert_int_equal(made(&scene)->answer, VERDICT_UNDECIDED);
	add(&scene.results[BASE], 4, 9, 100);
	add(&scene.results[NEW], 4, 9, 50);
	assert_int_equal(made(&scene)->answer, VERDICT_REGRESSION);
	end(&scene);
}

static void without_a_budget_the_interval_decides(void **state)
{
	const struct comparison *comparison;
	struct scene scene;

	begin(&scene, NULL);
	add_pairs(&scene, 4, 6, 0.5);
	scene.results[NEW].run.pairs = 30;
	comparison = made(&scene);
	assert_int_equal(comparison->budget, 0);
	assert_int_equal(comparison->min, 6);
	assert_int_equal(comparison->answer, VERDICT_REGRESSION);
	/* A budget smaller than the number of pairs is ignored. */
	scene.results[BASE].run.pairs = scene.results[NEW].run.pairs = 5;
	assert_int_equal(made(&scene)->budget, 0);
	scene.results[BASE].run.pairs = scene.results[NEW].run.pairs = 6;
	assert_int_equal(made(&scene)->budget, 6);
	end(&scene);
}

static void find_interval_line(void *context, const char *name, const char *text)
{
	const char **found = context;

	if (strcmp(name, "interval") == 0)
		*found = text;
}

/* Return what is said about the method of the intervals, or NULL. */
static const char *said_of_intervals(const struct comparison *comparison)
{
	const char *found = NULL;

	phrases_describe(comparison, find_interval_line, &found);
	return found;
}

static void many_repeats_get_the_normal_approximation(void **state)
{
	const struct comparison *comparison;
	struct scene scene;

	begin(&scene, NULL);
	scene.results[BASE].run.pairs = scene.results[NEW].run.pairs = 0;
	add_pairs(&scene, 4, 201, 0.5);
	comparison = made(&scene);
	assert_int_equal(comparison->rows[0].judged.method, RATIO_NORMAL);
	assert_int_equal(comparison->answer, VERDICT_REGRESSION);
	assert_string_equal(said_of_intervals(comparison),
			    "by the normal approximation, as there are many values");
	/* Another point, of which the comparison has few repeats. */
	add(&scene.results[NEW], 4, 0, 50);
	add_pairs(&scene, 8, 5, 0.5);
	comparison = made(&scene);
	assert_false(comparison->paired);
	assert_int_equal(comparison->rows[1].judged.method, RATIO_EXACT);
	assert_string_equal(said_of_intervals(comparison),
			    "by the normal approximation where there are many values, else exact");
	end(&scene);
	begin(&scene, NULL);
	add_pairs(&scene, 4, 6, 0.5);
	assert_null(said_of_intervals(made(&scene)));
	assert_int_equal(scene.comparison.rows[0].judged.method, RATIO_SEQUENTIAL);
	end(&scene);
}

static void the_answer_is_a_pass_if_all_rows_pass(void **state)
{
	struct scene scene;

	begin(&scene, NULL);
	add_pairs(&scene, 1, 8, 1.1);
	add_pairs(&scene, 4, 8, 1.1);
	scene.results[BASE].run.pairs = 0;
	assert_int_equal(made(&scene)->answer, VERDICT_PASS);
	end(&scene);

	begin(&scene, NULL);
	add_pairs(&scene, 1, 8, 1.1);
	add_pairs(&scene, 4, 8, 0.95);
	scene.results[BASE].run.pairs = 0;
	assert_int_equal(made(&scene)->answer, VERDICT_INCONCLUSIVE);
	end(&scene);

	begin(&scene, NULL);
	add_pairs(&scene, 1, 8, 0.95);
	add_pairs(&scene, 4, 8, 0.8);
	scene.results[BASE].run.pairs = 0;
	assert_int_equal(made(&scene)->answer, VERDICT_REGRESSION);
	end(&scene);
}

static void too_few_pairs_name_the_number_needed(void **state)
{
	struct scene scene;
	char *summary;

	begin(&scene, NULL);
	add_pairs(&scene, 1, 5, 0.5);
	add_pairs(&scene, 4, 5, 0.5);
	scene.results[BASE].run.pairs = scene.results[NEW].run.pairs = 5;
	assert_int_equal(made(&scene)->answer, VERDICT_INCONCLUSIVE);
	/* Each user count may pass at alpha, so the answer needs 6 pairs: 1 / 2^6
	 * is less than alpha. */
	assert_int_equal(scene.comparison.min, 6);
	summary = comparison_summary(&scene.comparison);
	assert_string_equal(
		summary, "inconclusive after 5 pairs: at least 6 pairs are needed for a verdict");
	free(summary);
	end(&scene);
}

static void different_points_are_refused(void **state)
{
	struct scene scene;

	begin(&scene, NULL);
	expect_refused(&scene, "old.json has no completed measurement");
	add(&scene.results[BASE], 1, 1, 10);
	expect_refused(
		&scene,
		"old.json was measured with 1 user, but new.json was not measured with 1 user");
	add(&scene.results[NEW], 1, 1, 10);
	add(&scene.results[NEW], 4, 1, 10);
	expect_refused(
		&scene,
		"new.json was measured with 4 users, but old.json was not measured with 4 users");
	end(&scene);
}

static void an_invalid_point_is_refused(void **state)
{
	struct scene scene;

	begin(&scene, NULL);
	add_pairs(&scene, 4, 6, 1);
	NOTICE_ADD(&scene.results[NEW].points[0].invalid, NOTICE_OPERATION_FAILED,
		   .detail = "user 3 died");
	expect_refused(&scene, "new.json: the measurement with 4 users is invalid: user 3 died");
	end(&scene);
}

static void a_different_load_is_refused(void **state)
{
	struct scene scene;

	begin(&scene, NULL);
	add_pairs(&scene, 4, 6, 1);
	strcpy(scene.results[NEW].run.variants[0].loads[0].sha256, "def");
	expect_refused(&scene, "old.json and new.json do not match: load is unknown (abc) and "
			       "unknown (def) (to compare nevertheless, use --allow load)");
	/* This is said first, even if the points differ as well. */
	scene.results[NEW].points[0].users = 2;
	expect_refused(&scene, "old.json and new.json do not match: load is unknown (abc) and "
			       "unknown (def) (to compare nevertheless, use --allow load)");
	scene.results[NEW].points[0].users = 4;
	/* If both results have the same file name, the message calls them base
	 * and new. */
	scene.names[NEW] = scene.names[BASE];
	expect_refused(
		&scene,
		"base and new do not match: load is unknown (abc) and unknown (def) (to compare "
		"nevertheless, use --allow load)");
	end(&scene);
}

static void allowed_differences_become_warnings(void **state)
{
	char *names[] = {(char[]){"cold"}, (char[]){"load"}};
	struct scene scene;

	begin(&scene, NULL);
	add_pairs(&scene, 4, 6, 1);
	strcpy(scene.results[NEW].run.variants[0].loads[0].sha256, "def");
	scene.results[NEW].run.phases.cold = true;
	scene.question.allowed = (struct result_reasons){names, 1};
	expect_refused(&scene, "old.json and new.json do not match: load is unknown (abc) and "
			       "unknown (def) (to compare nevertheless, use --allow load)");
	scene.question.allowed.count = 2;
	made(&scene);
	assert_int_equal(scene.comparison.warnings.count, 2);
	assert_true(has_warning(
		&scene.comparison.warnings,
		"load differs between base and new (unknown (abc) and unknown (def)), which "
		"--allow permits; this may be why the figures of base and new differ"));
	assert_true(
		has_warning(&scene.comparison.warnings,
			    "cold differs between base and new (not given and given), which "
			    "--allow permits; this may be why the figures of base and new differ"));
	assert_int_equal(scene.comparison.allowed.count, 2);
	/* Other names are refused, whether there is such a fact or not. */
	names[1] = (char[]){"warmup"};
	expect_refused(&scene, "--allow: \"warmup\" does not differ between old.json and new.json; "
			       "expected one of the names that differ: load,cold");
	scene.results[NEW].run.phases.cold = false;
	strcpy(scene.results[NEW].run.variants[0].loads[0].sha256, "abc");
	expect_refused(&scene, "--allow: \"cold\" does not differ between old.json and new.json");
	/* Points that do not match cannot be compared in any way. */
	scene.results[NEW].run.phases.cold = true;
	scene.results[NEW].points[0].users = 2;
	scene.question.allowed.count = 1;
	expect_refused(
		&scene,
		"old.json was measured with 4 users, but new.json was not measured with 4 users");
	end(&scene);
}

static void set_unsupported(struct result *result, const char *name, enum result_how how,
			    uint64_t ops)
{
	struct result_variant *variant = &result->run.variants[0];

	variant->unsupported = calloc(1, sizeof(*variant->unsupported));
	variant->unsupported_count = 1;
	variant->unsupported[0] = (struct result_unsupported){
		.name = strdup(name), .how = how, .ops = ops};
}

static void different_unsupported_ops_are_refused(void **state)
{
	struct scene scene;

	begin(&scene, NULL);
	add_pairs(&scene, 4, 6, 1);
	set_unsupported(&scene.results[NEW], "LockX", RESULT_SKIPPED, 7);
	expect_refused(&scene, "old.json and new.json do not match: skipped is 0 LockX and 7 LockX "
			       "(to compare nevertheless, use --allow skipped)");
	set_unsupported(&scene.results[BASE], "LockX", RESULT_SKIPPED, 7);
	made(&scene);
	scene.results[BASE].run.variants[0].unsupported[0].ops = 9;
	expect_refused(&scene, "old.json and new.json do not match: skipped is 9 LockX and 7 LockX "
			       "(to compare nevertheless, use --allow skipped)");
	scene.results[BASE].run.variants[0].unsupported[0].ops = 7;
	scene.results[BASE].run.variants[0].unsupported[0].how = RESULT_EMULATED;
	expect_refused(&scene, "old.json and new.json do not match: emulated is 7 LockX and 0 "
			       "LockX; skipped is 0 LockX and 7 LockX (to compare nevertheless, "
			       "use --allow emulated,skipped)");
	end(&scene);
}

static void figures_without_a_ratio_are_refused(void **state)
{
	struct scene scene;

	begin(&scene, "p99");
	add_pairs(&scene, 4, 6, 1);
	expect_refused(&scene, "old.json: with 4 users, the metric p99 is unknown, so this metric "
			       "cannot be compared");
	end(&scene);

	begin(&scene, "errors");
	add_pairs(&scene, 4, 6, 1);
	expect_refused(&scene, "old.json: with 4 users, the metric errors is 0, so this metric "
			       "cannot be compared");
	end(&scene);

	begin(&scene, NULL);
	add_pairs(&scene, 1, 6, 1);
	record_set(scene.results[NEW].points[0].repeats[5].records.list, FIGURE_MB_PER_S, 0);
	expect_refused(&scene, "new.json: with 1 user, the metric mb_per_s is 0, so this metric "
			       "cannot be compared");
	end(&scene);
}

static void a_different_host_is_a_warning_or_refused(void **state)
{
	struct scene scene;

	begin(&scene, NULL);
	add_pairs(&scene, 4, 6, 1);
	strcpy(scene.results[NEW].run.host, "more");
	strcpy(scene.results[NEW].run.kernel, "6.2");
	made(&scene);
	assert_int_equal(scene.comparison.warnings.count, 2);
	assert_true(has_warning(&scene.comparison.warnings,
				"base and new were measured on different machines (host and "
				"more), which may be why their figures differ"));
	assert_true(has_warning(&scene.comparison.warnings,
				"base and new were measured with different kernels (6.1 and "
				"6.2), which may be why their figures differ"));
	scene.question.same_host = true;
	expect_refused(&scene, "old.json and new.json do not match: host is host and more; kernel "
			       "is 6.1 and 6.2 (to compare nevertheless, use --allow host,kernel)");
	strcpy(scene.results[NEW].run.host, "host");
	expect_refused(&scene,
		       "old.json and new.json do not match: kernel is 6.1 and 6.2 (to compare "
		       "nevertheless, use --allow kernel)");
	strcpy(scene.results[NEW].run.kernel, "6.1");
	made(&scene);
	end(&scene);
}

static void a_different_version_is_a_warning(void **state)
{
	struct scene scene;

	begin(&scene, NULL);
	add_pairs(&scene, 4, 6, 1);
	strcpy(scene.results[NEW].run.version, "0.2");
	made(&scene);
	assert_int_equal(scene.comparison.warnings.count, 1);
	expect_notice(&scene.comparison.warnings.list[0],
		      "base and new were measured by different versions of throng (0.1 "
		      "and 0.2), which may be why their figures differ");
	/* With same_host, a different version is still no more than a
	 * warning. */
	scene.question.same_host = true;
	assert_int_equal(made(&scene)->warnings.count, 1);
	end(&scene);
}

static void warnings_are_merged_over_points_and_sides(void **state)
{
	const struct notices *warnings;
	struct scene scene;

	begin(&scene, NULL);
	add_pairs(&scene, 1, 6, 1);
	add_pairs(&scene, 4, 6, 1);
	add_pairs(&scene, 8, 6, 1);
	NOTICE_ADD(&scene.results[BASE].points[0].warnings, NOTICE_SHORT_WINDOW, .numbers = {0.5});
	NOTICE_ADD(&scene.results[BASE].points[2].warnings, NOTICE_STUCK);
	NOTICE_ADD(&scene.results[BASE].points[2].warnings, NOTICE_SHORT_WINDOW, .numbers = {0.5});
	NOTICE_ADD(&scene.results[NEW].points[0].warnings, NOTICE_STUCK);
	warnings = &made(&scene)->warnings;
	assert_int_equal(warnings->count, 2);
	expect_notice(&warnings->list[0], "base at 1, 8 users: only 0.50 s were measured, which is "
					  "too short for stable figures; increase --time");
	expect_notice(&warnings->list[1], "base at 8 users, new at 1 user: throng killed users "
					  "that did not stop at the end of the measured time");
	end(&scene);
}

int unit_comparison(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(repeats_are_paired_by_pair_number),
		cmocka_unit_test(incomplete_pairs_are_ignored),
		cmocka_unit_test(all_rows_have_the_same_number_of_pairs),
		cmocka_unit_test(results_without_complete_pairs_are_refused),
		cmocka_unit_test(unpaired_repeats_get_a_warning),
		cmocka_unit_test(rows_are_sorted_by_users_then_metric),
		cmocka_unit_test(a_budget_selects_the_sequential_rule),
		cmocka_unit_test(without_a_budget_the_interval_decides),
		cmocka_unit_test(many_repeats_get_the_normal_approximation),
		cmocka_unit_test(the_answer_is_a_pass_if_all_rows_pass),
		cmocka_unit_test(too_few_pairs_name_the_number_needed),
		cmocka_unit_test(different_points_are_refused),
		cmocka_unit_test(an_invalid_point_is_refused),
		cmocka_unit_test(a_different_load_is_refused),
		cmocka_unit_test(allowed_differences_become_warnings),
		cmocka_unit_test(different_unsupported_ops_are_refused),
		cmocka_unit_test(figures_without_a_ratio_are_refused),
		cmocka_unit_test(a_different_host_is_a_warning_or_refused),
		cmocka_unit_test(a_different_version_is_a_warning),
		cmocka_unit_test(warnings_are_merged_over_points_and_sides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
