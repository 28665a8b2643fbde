/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "stats/summary.h"

/* Add a repeat to the result. */
static struct result_figures *add(struct result *result, unsigned users, double mb_per_s)
{
	struct result_repeat *repeat = result_add_repeat(result, 0, users);

	assert_non_null(repeat);
	repeat->figures.mb_per_s = mb_per_s;
	repeat->figures.seconds = 10;
	return &repeat->figures;
}

static void add_operation(struct result_figures *figures, const char *name, uint64_t count,
			  uint64_t p99_ns)
{
	size_t last = figures->operation_count++;

	figures->operations = reallocarray(figures->operations, last + 1,
					   sizeof(*figures->operations));
	figures->operations[last] = (struct result_operation){
		.name = strdup(name),
		.count = count,
		.bytes = 10 * count,
		.errors = 1,
		.mismatches = 2,
		.sum_ns = 100 * count,
		.latency = {.count = count,
			    .mean_ns = (double)p99_ns / 2,
			    .p99_ns = p99_ns,
			    .max_ns = 2 * p99_ns},
	};
}

static void spoil(struct result *result, unsigned users, const char *reason)
{
	struct result_point *point = result_find_point(result, 0, users);

	NOTICE_ADD(&result_last_repeat(point)->invalid, NOTICE_OPERATION_FAILED, .detail = reason);
}

static const struct result_point *updated(struct result *result, unsigned users)
{
	assert_int_equal(summary_update(result), 0);
	return result_find_point(result, 0, users);
}

static void medians_of_odd_and_even_counts(void **state)
{
	double one[] = {7}, odd[] = {9, 1, 5}, even[] = {8, 1, 2, 4};

	expect_near(summary_median(one, 1), 7, 0);
	expect_near(summary_median(odd, 3), 5, 0);
	expect_near(summary_median(even, 4), 3, 0);
	expect_near(even[0], 1, 0);
	expect_near(even[3], 8, 0);
}

static void rates_are_medians_and_counts_are_sums(void **state)
{
	static const double rates[] = {100, 130, 110};
	struct result result = {0};
	const struct result_figures *sum;
	size_t i;

	for (i = 0; i < 3; i++) {
		struct result_figures *figures = add(&result, 4, rates[i]);

		figures->ops_per_s = 10 * rates[i];
		figures->ops = 1000 + i;
		figures->bytes = 2000 + i;
		figures->loops = 3;
		figures->errors = i;
		figures->mismatches = 2 * i;
		figures->skipped = 5;
		figures->seconds = 10;
		figures->due = (struct result_due){100 + 100 * i, 50, 0, 0};
		figures->unfinished.count = 50 + 100 * i;
		figures->restore_share = 0.1 * (double)i;
		figures->stood_still_s = 0.5;
		figures->min_user_ops = 10 + i;
		figures->median_user_ops = 20 + i;
		figures->max_user_ops = 30 + i;
		figures->client_cpu = (struct result_cpu){
			.user_s = 1,
			.system_s = 2,
			.per_op_us = 5.0 - (double)i,
			.utilisation = 0.1 * (double)(i + 1),
			.waits = 7,
			.preemptions = 8,
		};
	}
	sum = &updated(&result, 4)->figures;
	expect_near(sum->mb_per_s, 110, 0);
	expect_near(sum->ops_per_s, 1100, 0);
	assert_int_equal(sum->due.count, 600);
	assert_int_equal(sum->due.ended, 150);
	expect_near(sum->due.per_s, 20, 0);
	expect_near(sum->due.ended_share, 0.25, 0);
	assert_int_equal(sum->unfinished.count, 450);
	expect_near(sum->restore_share, 0.1, 1e-12);
	expect_near(sum->client_cpu.per_op_us, 4, 0);
	expect_near(sum->client_cpu.utilisation, 0.2, 1e-12);
	expect_near(sum->seconds, 30, 0);
	expect_near(sum->stood_still_s, 1.5, 0);
	expect_near(sum->client_cpu.user_s, 3, 0);
	expect_near(sum->client_cpu.system_s, 6, 0);
	assert_int_equal(sum->client_cpu.waits, 21);
	assert_int_equal(sum->client_cpu.preemptions, 24);
	assert_int_equal(sum->ops, 3003);
	assert_int_equal(sum->bytes, 6003);
	assert_int_equal(sum->loops, 9);
	assert_int_equal(sum->errors, 3);
	assert_int_equal(sum->mismatches, 6);
	assert_int_equal(sum->skipped, 15);
	assert_int_equal(sum->min_user_ops, 11);
	assert_int_equal(sum->median_user_ops, 21);
	assert_int_equal(sum->max_user_ops, 31);
	result_free(&result);
}

static void add_phase(struct result_figures *figures, const char *name, double elapsed_s)
{
	struct result_phase *phase;

	figures->phases = reallocarray(figures->phases, figures->phase_count + 1,
				       sizeof(*figures->phases));
	phase = &figures->phases[figures->phase_count++];
	*phase = (struct result_phase){
		.name = strdup(name),
		.elapsed_s = elapsed_s,
		.user_min_s = elapsed_s / 2,
		.user_max_s = elapsed_s * 2,
		.figures = {.seconds = 3 * elapsed_s, .ops = 7, .ops_per_s = 1 / elapsed_s},
	};
	add_operation(&phase->figures, "stat", 7, 900);
}

static void phases_are_summed_by_name(void **state)
{
	struct result result = {0};
	const struct result_phase *phase;
	struct result_figures *figures;
	const struct result_figures *sum;

	add_phase(add(&result, 4, 100), "create", 4);
	figures = add(&result, 4, 100);
	add_phase(figures, "stat", 8);
	add_phase(figures, "create", 1);
	add_phase(add(&result, 4, 100), "create", 2);
	sum = &updated(&result, 4)->figures;
	assert_int_equal(sum->phase_count, 2);
	phase = &sum->phases[0];
	assert_string_equal(phase->name, "create");
	expect_near(phase->elapsed_s, 2, 0);
	expect_near(phase->user_min_s, 0.5, 0);
	expect_near(phase->user_max_s, 8, 0);
	expect_near(phase->figures.seconds, 21, 0);
	expect_near(phase->figures.ops_per_s, 0.5, 0);
	assert_int_equal(phase->figures.ops, 21);
	assert_int_equal(phase->figures.operation_count, 1);
	assert_int_equal(phase->figures.operations[0].count, 21);
	phase = &sum->phases[1];
	assert_string_equal(phase->name, "stat");
	assert_int_equal(phase->figures.ops, 7);
	result_free(&result);
}

static void move(struct result_figures *figures, const char *name, enum direction direction,
		 uint64_t mb)
{
	struct result_operation *operation;

	add_operation(figures, name, 100, 1000);
	operation = &figures->operations[figures->operation_count - 1];
	operation->bytes = mb * 1000000;
	operation->direction = direction;
}

static void reads_and_writes_are_told_apart(void **state)
{
	struct result result = {0};
	const struct result_figures *sum;
	struct result_figures *figures;
	unsigned i;

	/* Each repeat takes 10 s. */
	for (i = 1; i <= 3; i++) {
		figures = add(&result, 1, 50 * i);
		move(figures, "Read", DIRECTION_READ, 200 * i);
		move(figures, "ReadRaw", DIRECTION_READ, 100 * i);
		move(figures, "Write", DIRECTION_WRITE, 200 * i);
		move(figures, "Close", DIRECTION_NONE, 0);
	}
	sum = &updated(&result, 1)->figures;
	expect_near(sum->read_mb_per_s, 60, 1e-9);
	expect_near(sum->write_mb_per_s, 40, 1e-9);
	expect_near(sum->operations[0].mb_per_s, 40, 1e-9);
	expect_near(sum->operations[0].ops_per_s, 10, 1e-9);
	assert_int_equal(sum->operations[2].direction, DIRECTION_WRITE);
	expect_near(sum->operations[3].mb_per_s, 0, 0);
	expect_near(result.points[0].repeats[2].figures.read_mb_per_s, 90, 1e-9);
	/* A load that only writes reads nothing. */
	figures = add(&result, 2, 20);
	move(figures, "Write", DIRECTION_WRITE, 200);
	sum = &updated(&result, 2)->figures;
	expect_near(sum->read_mb_per_s, 0, 0);
	expect_near(sum->write_mb_per_s, 20, 1e-9);
	result_free(&result);
}

static void an_invalid_repeat_has_no_rates(void **state)
{
	struct result result = {0};

	move(add(&result, 1, 20), "Read", DIRECTION_READ, 200);
	move(add(&result, 1, 20), "Read", DIRECTION_READ, 200);
	spoil(&result, 1, "broken");
	updated(&result, 1);
	expect_near(result.points[0].repeats[0].figures.read_mb_per_s, 20, 1e-9);
	assert_true(isnan(result.points[0].repeats[1].figures.read_mb_per_s));
	assert_true(isnan(result.points[0].repeats[1].figures.operations[0].ops_per_s));
	assert_true(isnan(result.points[0].figures.read_mb_per_s));
	assert_true(isnan(result.points[0].figures.operations[0].mb_per_s));
	result_free(&result);
}

static void a_direction_may_be_unknown(void **state)
{
	static const enum direction directions[] = {DIRECTION_NONE, DIRECTION_BOTH};
	size_t i;

	for (i = 0; i < LENGTH(directions); i++) {
		struct result result = {0};
		struct result_figures *figures = add(&result, 1, 20);

		move(figures, "Read", DIRECTION_READ, 100);
		move(figures, "Other", directions[i], 100);
		assert_true(isnan(updated(&result, 1)->figures.read_mb_per_s));
		assert_true(isnan(result.points[0].figures.write_mb_per_s));
		/* It becomes known in another repeat. */
		figures = add(&result, 1, 20);
		move(figures, "Read", DIRECTION_READ, 100);
		expect_near(updated(&result, 1)->figures.read_mb_per_s, 10, 1e-9);
		result_free(&result);
	}
}

static void spread_is_relative_to_the_median(void **state)
{
	struct result result = {0};
	const struct result_point *point;

	add(&result, 4, 100);
	point = updated(&result, 4);
	expect_near(point->spread, 0, 0);
	expect_near(point->mb_per_s_min, 100, 0);
	expect_near(point->mb_per_s_max, 100, 0);
	add(&result, 4, 130);
	add(&result, 4, 110);
	point = updated(&result, 4);
	expect_near(point->mb_per_s_min, 100, 0);
	expect_near(point->mb_per_s_max, 130, 0);
	expect_near(point->spread, 30.0 / 110, 1e-12);
	result_free(&result);
}

static void invalid_repeats_do_not_count(void **state)
{
	struct result result = {0};
	const struct result_point *point;

	add(&result, 4, 100)->ops = 10;
	add(&result, 4, 120)->ops = 10;
	add(&result, 4, 1)->ops = 10;
	spoil(&result, 4, "a user died");
	point = updated(&result, 4);
	assert_false(result_is_valid(point));
	assert_int_equal(point->invalid.count, 1);
	expect_notice(&point->invalid.list[0], "repeat 3: a user died");
	expect_near(point->figures.mb_per_s, 110, 0);
	expect_near(point->mb_per_s_min, 100, 0);
	assert_int_equal(point->figures.ops, 20);
	/* An invalid point gets no warnings. */
	assert_int_equal(point->warnings.count, 0);
	result_free(&result);
}

static void counts_remain_if_no_repeat_is_valid(void **state)
{
	struct result result = {0};
	const struct result_point *point;

	add(&result, 4, 100)->ops = 10;
	spoil(&result, 4, "a user died");
	point = updated(&result, 4);
	assert_int_equal(point->figures.ops, 10);
	expect_notice(&point->invalid.list[0], "a user died");
	expect_near(point->mb_per_s_min, 0, 0);
	expect_near(point->mb_per_s_max, 0, 0);
	assert_true(result.peak == SIZE_MAX);
	assert_true(isnan(point->gain));
	result_free(&result);
}

static void updating_twice_changes_nothing(void **state)
{
	struct result result = {0};
	const struct result_point *point;
	size_t warnings;

	add_operation(add(&result, 4, 100), "ReadX", 10, 50);
	add_operation(add(&result, 4, 120), "ReadX", 10, 50);
	warnings = updated(&result, 4)->warnings.count;
	point = updated(&result, 4);
	assert_int_equal(point->warnings.count, warnings);
	assert_int_equal(point->figures.operation_count, 1);
	assert_int_equal(point->figures.operations[0].count, 20);
	expect_near(point->figures.seconds, 20, 0);
	result_free(&result);
}

static void gains_and_the_peak_skip_invalid_points(void **state)
{
	struct result result = {0};

	add(&result, 8, 180);
	add(&result, 1, 100);
	add(&result, 4, 1000);
	spoil(&result, 4, "a user died");
	add(&result, 12, 90);
	updated(&result, 1);
	assert_true(isnan(result.points[0].gain));
	assert_true(isnan(result.points[1].gain));
	expect_near(result.points[2].gain, 0.8, 1e-12);
	expect_near(result.points[3].gain, -0.5, 1e-12);
	assert_int_equal(result.peak, 2);
	result_free(&result);
}

static void a_gain_over_zero_is_unknown(void **state)
{
	struct result result = {0};

	add(&result, 1, 0);
	add(&result, 2, 100);
	updated(&result, 1);
	assert_true(isnan(result.points[1].gain));
	expect_near(result.points[0].spread, 0, 0);
	assert_int_equal(result.peak, 1);
	result_free(&result);
}

static void operations_are_summed_by_name(void **state)
{
	struct result result = {0};
	const struct result_figures *sum;
	struct result_figures *figures;

	add_operation(add(&result, 4, 100), "ReadX", 10, 50);
	figures = add(&result, 4, 100);
	add_operation(figures, "Close", 5, 8);
	add_operation(figures, "ReadX", 30, 70);
	add(&result, 4, 100);
	sum = &updated(&result, 4)->figures;
	assert_int_equal(sum->operation_count, 2);
	assert_string_equal(sum->operations[0].name, "ReadX");
	assert_int_equal(sum->operations[0].count, 40);
	assert_int_equal(sum->operations[0].bytes, 400);
	assert_int_equal(sum->operations[0].errors, 2);
	assert_int_equal(sum->operations[0].mismatches, 4);
	assert_int_equal(sum->operations[0].sum_ns, 4000);
	assert_int_equal(sum->operations[0].latency.count, 40);
	assert_int_equal(sum->operations[0].latency.p99_ns, 60);
	expect_near(sum->operations[0].latency.mean_ns, 30, 0);
	assert_int_equal(sum->operations[0].latency.max_ns, 140);
	assert_string_equal(sum->operations[1].name, "Close");
	assert_int_equal(sum->operations[1].count, 5);
	assert_int_equal(sum->operations[1].latency.p99_ns, 8);
	result_free(&result);
}

/* A percentile's median ignores the repeats in which it is unknown (0). */
static void percentiles_are_medians_and_never_above_the_maximum(void **state)
{
	static const uint64_t p99s[] = {100, 0, 300, 200};
	struct result result = {0};
	const struct result_latency *sum;
	size_t i;

	for (i = 0; i < 4; i++) {
		struct result_figures *figures = add(&result, 4, 100);

		figures->latency = (struct result_latency){
			.count = 1000,
			.mean_ns = 50,
			.p50_ns = 40,
			.p90_ns = 60,
			.p95_ns = 80,
			.p99_ns = p99s[i],
			.max_ns = p99s[i] > 0 ? p99s[i] : 90,
		};
		figures->loop = (struct result_latency){
			.count = 1,
			.p50_ns = 1000 * (i + 1),
			.max_ns = 1000 * (i + 1),
		};
	}
	sum = &updated(&result, 4)->figures.latency;
	assert_int_equal(sum->count, 4000);
	assert_int_equal(sum->p50_ns, 40);
	assert_int_equal(sum->p90_ns, 60);
	assert_int_equal(sum->p95_ns, 80);
	assert_int_equal(sum->p99_ns, 200);
	assert_int_equal(sum->p99_9_ns, 0);
	assert_int_equal(sum->max_ns, 300);
	assert_true(sum->p99_ns <= sum->max_ns);
	sum = &result.points[0].figures.loop;
	assert_int_equal(sum->count, 4);
	assert_int_equal(sum->p50_ns, 2500);
	assert_int_equal(sum->max_ns, 4000);
	result_free(&result);
}

static void the_scaling_law_is_fitted_from_six_points_on(void **state)
{
	static const unsigned users[] = {1, 2, 4, 8, 16, 32};
	struct result result = {0};
	size_t i;

	for (i = 0; i < LENGTH(users); i++) {
		assert_false(result.usl.fitted);
		add(&result, users[i], 100.0 * users[i] / (1 + 0.1 * (users[i] - 1.0)));
		updated(&result, users[i]);
	}
	assert_true(result.usl.fitted);
	expect_near(result.usl.alpha.value, 0.1, 1e-6);
	result_free(&result);
}

int unit_summary(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(medians_of_odd_and_even_counts),
		cmocka_unit_test(rates_are_medians_and_counts_are_sums),
		cmocka_unit_test(phases_are_summed_by_name),
		cmocka_unit_test(reads_and_writes_are_told_apart),
		cmocka_unit_test(an_invalid_repeat_has_no_rates),
		cmocka_unit_test(a_direction_may_be_unknown),
		cmocka_unit_test(spread_is_relative_to_the_median),
		cmocka_unit_test(invalid_repeats_do_not_count),
		cmocka_unit_test(counts_remain_if_no_repeat_is_valid),
		cmocka_unit_test(updating_twice_changes_nothing),
		cmocka_unit_test(gains_and_the_peak_skip_invalid_points),
		cmocka_unit_test(a_gain_over_zero_is_unknown),
		cmocka_unit_test(operations_are_summed_by_name),
		cmocka_unit_test(percentiles_are_medians_and_never_above_the_maximum),
		cmocka_unit_test(the_scaling_law_is_fitted_from_six_points_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
