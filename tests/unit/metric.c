/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "records.h"

#include "result/condition.h"

#include <errno.h>

static struct records records;

static void add_records(void)
{
	SET(&records, TOTAL, {FIGURE_SECONDS, 10}, {FIGURE_MB_PER_S, 123.5},
	    {FIGURE_READ_MB_PER_S, 100}, {FIGURE_WRITE_MB_PER_S, 23.5}, {FIGURE_OPS_PER_S, 4567},
	    {FIGURE_OPS, 45670}, {FIGURE_ERRORS, 7}, {FIGURE_MISMATCHES, 9}, {FIGURE_SKIPPED, 11},
	    {FIGURE_CPU_SHARE, 0.625}, {FIGURE_CPU_PER_OP_US, 12.5}, {FIGURE_MEAN_MS, 2.5},
	    {FIGURE_P50_MS, 10}, {FIGURE_P90_MS, 20}, {FIGURE_P95_MS, 30}, {FIGURE_P99_MS, 40},
	    {FIGURE_P99_9_MS, 50}, {FIGURE_MAX_MS, 60}, {FIGURE_LOOP_COUNT, 3},
	    {FIGURE_LOOP_S, 2.5});
	SET(&records, KEY(.operation = "ReadX"), {FIGURE_OPS, 500}, {FIGURE_BYTES, 40000000},
	    {FIGURE_ERRORS, 2}, {FIGURE_MISMATCHES, 3}, {FIGURE_MB_PER_S, 4},
	    {FIGURE_OPS_PER_S, 50}, {FIGURE_MEAN_MS, 1.5}, {FIGURE_P50_MS, 1}, {FIGURE_P90_MS, 2},
	    {FIGURE_P95_MS, 3}, {FIGURE_P99_MS, 4}, {FIGURE_MAX_MS, 5});
	SET(&records, KEY(.operation = "READ"), {FIGURE_OPS, 30}, {FIGURE_OPS_PER_S, 3});
	SET(&records, KEY(.operation = "query.info"), {FIGURE_OPS, 20}, {FIGURE_OPS_PER_S, 2});
	SET(&records, KEY(.operation = "phase.x"), {FIGURE_OPS, 10}, {FIGURE_OPS_PER_S, 1});
	SET(&records, KEY(.phase = "a.b"), {FIGURE_SECONDS, 2}, {FIGURE_OPS_PER_S, 33},
	    {FIGURE_ERRORS, 5}, {FIGURE_CPU_SHARE, 0.5});
}

static struct metric parsed(const char *text)
{
	struct error error = {0};
	struct metric metric;

	if (metric_parse(text, strlen(text), "--metric", &metric, &error) < 0)
		fail_msg("%s", error.text);
	return metric;
}

static void metrics_have_value_unit_and_direction(void **state)
{
	static const struct {
		const char *name;
		double value;
		const char *unit;
		bool more_is_better;
	} wanted[] = {
		{"mb_per_s", 123.5, "MB/s", true},
		{"read_mb_per_s", 100, "MB/s", true},
		{"write_mb_per_s", 23.5, "MB/s", true},
		{"ops_per_s", 4567, "/s", true},
		{"mean", 2.5, "ms", false},
		{"p50", 10, "ms", false},
		{"p90", 20, "ms", false},
		{"p95", 30, "ms", false},
		{"p99", 40, "ms", false},
		{"p99_9", 50, "ms", false},
		{"max", 60, "ms", false},
		{"errors", 7, "", false},
		{"mismatches", 9, "", false},
		{"loop", 2.5, "s", false},
		{"skipped", 11, "", false},
		{"cpu", 62.5, "%", false},
		{"cpu_per_op", 12.5, "us", false},
		{"ReadX.mb_per_s", 4, "MB/s", true},
		{"ReadX.ops_per_s", 50, "/s", true},
		{"ReadX.mean", 1.5, "ms", false},
		{"ReadX.p50", 1, "ms", false},
		{"ReadX.p90", 2, "ms", false},
		{"ReadX.p95", 3, "ms", false},
		{"ReadX.p99", 4, "ms", false},
		{"ReadX.max", 5, "ms", false},
		{"ReadX.errors", 2, "", false},
		{"ReadX.mismatches", 3, "", false},
		{"phase.a.b.ops_per_s", 33, "/s", true},
		{"phase.a.b.errors", 5, "", false},
		{"phase.a.b.cpu", 50, "%", false},
	};
	char name[METRIC_TEXT];
	double value;
	size_t i;

	for (i = 0; i < LENGTH(wanted); i++) {
		struct metric metric = parsed(wanted[i].name);

		if (!metric_value(&metric, &records, &value))
			fail_msg("%s is not known", wanted[i].name);
		expect_near(value, wanted[i].value, 1e-9);
		assert_string_equal(metric_unit(&metric), wanted[i].unit);
		assert_int_equal(metric_more_is_better(&metric), wanted[i].more_is_better);
		assert_string_equal(metric_name(&metric, name), wanted[i].name);
	}
}

static void percentiles_may_be_spelt_with_a_dot(void **state)
{
	struct metric metric = parsed("p99.9");
	char name[METRIC_TEXT];

	assert_string_equal(metric_name(&metric, name), "p99_9");
	metric = parsed("ReadX.p99.9");
	assert_string_equal(metric_name(&metric, name), "ReadX.p99_9");
}

static void operations_match_exactly_or_ignoring_case(void **state)
{
	struct metric metric = parsed("readx.ops_per_s");
	double value;

	assert_true(metric_value(&metric, &records, &value));
	expect_near(value, 50, 0);
	metric = parsed("READ.ops_per_s");
	assert_true(metric_value(&metric, &records, &value));
	expect_near(value, 3, 0);
	/* An operation's name may contain a dot. */
	metric = parsed("query.info.ops_per_s");
	assert_true(metric_value(&metric, &records, &value));
	expect_near(value, 2, 0);
	/* It may look like a phase. */
	metric = parsed("phase.x.ops_per_s");
	assert_true(metric_value(&metric, &records, &value));
	expect_near(value, 1, 0);
}

static void unmeasured_metrics_are_unknown(void **state)
{
	static const char *const unknown[] = {
		"ReadX.p99_9",
		"READ.p50",
		"READ.mean",
		"READ.max",
		"WriteX.p99",
		"WriteX.ops_per_s",
		/* An operation, not a phase, so it has no CPU time. */
		"phase.x.cpu",
		"phase.x.loop",
	};
	static const char *const unmeasured[] = {
		"mb_per_s", "ops_per_s", "mean", "p99", "max", "loop", "cpu", "cpu_per_op",
	};
	const struct records nothing = {0};
	double value;
	size_t i;

	for (i = 0; i < LENGTH(unknown); i++) {
		struct metric metric = parsed(unknown[i]);

		if (metric_value(&metric, &records, &value))
			fail_msg("%s is known: %g", unknown[i], value);
	}
	for (i = 0; i < LENGTH(unmeasured); i++) {
		struct metric metric = parsed(unmeasured[i]);

		if (metric_value(&metric, &nothing, &value))
			fail_msg("%s of nothing: %g", unmeasured[i], value);
	}
}

static void a_direction_may_be_unknown(void **state)
{
	struct records one_direction = {0};
	struct metric metric = parsed("read_mb_per_s");
	double value;

	SET(&one_direction, TOTAL, {FIGURE_SECONDS, 1}, {FIGURE_WRITE_MB_PER_S, 0});
	assert_false(metric_value(&metric, &one_direction, &value));
	metric = parsed("write_mb_per_s");
	assert_true(metric_value(&metric, &one_direction, &value));
	expect_near(value, 0, 0);
	records_free(&one_direction);
}

static void expect_refusal(const char *text, const char *message)
{
	struct error error = {0};
	struct metric metric;

	assert_int_equal(metric_parse(text, strlen(text), "--metric", &metric, &error), -EINVAL);
	assert_string_equal(error.text, message);
}

static void an_unknown_metric_is_refused(void **state)
{
#define LIST \
	"errors, mismatches, mb_per_s, ops_per_s, mean, p50, p90, p95, p99, " \
	"p99_9, max, read_mb_per_s, write_mb_per_s, items_per_s, skipped, " \
	"in_flight, user_in_flight, cpu, cpu_per_op, scheduled_per_s, completed, service_p50, " \
	"service_p99, " \
	"service_max, lateness_p50, lateness_p99, lateness_max, unfinished, " \
	"loop, clock_error, late, " \
	"OPERATION.METRIC such as ReadX.p99, or phase.NAME.METRIC"
#define UNKNOWN(name) "--metric: unknown metric \"" name "\"; expected one of " LIST
	expect_refusal("p98", UNKNOWN("p98"));
	expect_refusal("", UNKNOWN(""));
	expect_refusal(".p99", UNKNOWN(".p99"));
	expect_refusal("xp99", UNKNOWN("xp99"));
	expect_refusal("ReadX.", UNKNOWN("ReadX."));
#undef UNKNOWN
#undef LIST
	expect_refusal("ReadX.loop", "--metric: loop is not available for a single kind of "
				     "operation, only for all operations together");
	expect_refusal("ReadX.read_mb_per_s",
		       "--metric: read_mb_per_s is not available for a single kind of operation, "
		       "only for all operations together");
	expect_refusal("1234567890123456789012345678901234567890123456789012345678901234.p99",
		       "--metric: the operation's name "
		       "\"1234567890123456789012345678901234567890123456789012345678901234\" is "
		       "longer than 63 bytes");
}

int unit_metric(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(metrics_have_value_unit_and_direction),
		cmocka_unit_test(percentiles_may_be_spelt_with_a_dot),
		cmocka_unit_test(operations_match_exactly_or_ignoring_case),
		cmocka_unit_test(unmeasured_metrics_are_unknown),
		cmocka_unit_test(a_direction_may_be_unknown),
		cmocka_unit_test(an_unknown_metric_is_refused),
	};

	int failed;

	add_records();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	records_free(&records);
	return failed;
}
