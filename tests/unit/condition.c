/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "records.h"

#include "result/condition.h"

#include <errno.h>

static struct condition parsed(const char *text)
{
	struct error error = {0};
	struct condition condition;

	if (condition_parse(text, "--limit", &condition, &error) < 0)
		fail_msg("%s", error.text);
	return condition;
}

/* Let the total have this p99 alone; NAN: unknown. */
static void set_p99(struct records *records, double ms)
{
	SET(records, TOTAL, {FIGURE_P99_MS, ms});
}

static void conditions_are_parsed_and_printed(void **state)
{
	static const struct {
		const char *text, *printed;
	} rows[] = {
		{"p99<50ms", "p99 < 50 ms"},
		{"p99<1s", "p99 < 1 s"},
		{"p99<1500ms", "p99 < 1.5 s"},
		{"p99 <= 0.05s", "p99 <= 50 ms"},
		{"\t p99  >\t50us ", "p99 > 0.05 ms"},
		{"p99 < 50 ms ", "p99 < 50 ms"},
		{"p99.9>=1m", "p99_9 >= 60 s"},
		{"loop<3s", "loop < 3 s"},
		{"loop<1500ms", "loop < 1.5 s"},
		{"cpu_per_op<20us", "cpu_per_op < 20 us"},
		{"mb_per_s<100", "mb_per_s < 100 MB/s"},
		{"mb_per_s >= 2.5 MB/s", "mb_per_s >= 2.5 MB/s"},
		{"ops_per_s>10k", "ops_per_s > 10000 /s"},
		{"ops_per_s>12345/s", "ops_per_s > 12345 /s"},
		{"cpu<90%", "cpu < 90 %"},
		{"cpu<90", "cpu < 90 %"},
		{"errors>0", "errors > 0"},
		{"ReadX.p99>5ms", "ReadX.p99 > 5 ms"},
		{"query.info.mean<5ms", "query.info.mean < 5 ms"},
	};
	char text[CONDITION_TEXT];
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct condition condition = parsed(rows[i].text);

		assert_string_equal(condition_print(&condition, text), rows[i].printed);
	}
}

static void a_wrong_condition_is_refused(void **state)
{
	static const struct {
		const char *text, *refusal;
	} rows[] = {
		{"", "--limit '': expected <, <=, > or >= after the name of the metric, as in "
		     "p99<50ms"},
		{"flat", "--limit 'flat': expected <, <=, > or >= after the name of the metric, as "
			 "in p99<50ms"},
		{"p99=50ms", "--limit 'p99=50ms': expected <, <=, > or >= and a value instead of "
			     "\"=50ms\", as in p99<50ms"},
		{"p99!=5ms", "--limit 'p99!=5ms': expected <, <=, > or >= and a value instead of "
			     "\"!=5ms\", as in p99<50ms"},
		{"p99<>5ms", "--limit 'p99<>5ms': expected <, <=, > or >= and a value instead of "
			     "\"<>5ms\", as in p99<50ms"},
		{"p99<==5ms", "--limit 'p99<==5ms': expected <, <=, > or >= and a value instead of "
			      "\"<==5ms\", as in p99<50ms"},
		{"p99<", "--limit 'p99<': expected a value after <, <=, > or >="},
		{"p99< ", "--limit 'p99< ': expected a value after <, <=, > or >="},
		{"p99<50",
		 "--limit 'p99<50': \"50\" has no unit; expected a duration such as 50ms"},
		{"p99<1 0ms", "--limit 'p99<1 0ms': \"1 0ms\" is not valid; expected a duration "
			      "such as 10, 0.5 or 250ms"},
		{"p99<50MB", "--limit 'p99<50MB': \"50MB\" is not valid; expected a duration such "
			     "as 10, 0.5 or 250ms"},
		{"p99<-5ms", "--limit 'p99<-5ms': \"-5ms\" is not valid; expected a duration such "
			     "as 10, 0.5 or 250ms"},
		{"mb_per_s<ten", "--limit 'mb_per_s<ten': \"ten\" is not valid; expected a number "
				 "such as 100, 2.5 or 10k"},
		{"mb_per_s<5ms", "--limit 'mb_per_s<5ms': \"5ms\" is not valid; expected a number "
				 "such as 100, 2.5 or 10k"},
		{"mb_per_s<1G",
		 "--limit 'mb_per_s<1G': 1G has a unit; expected a number of MB/s, such as 1000"},
		{"mb_per_s<MB/s", "--limit 'mb_per_s<MB/s': \"MB/s\" is not valid; expected a "
				  "number such as 100, 2.5 or 10k"},
		{"errors<50%", "--limit 'errors<50%': \"50%\" is not valid; expected a number such "
			       "as 100, 2.5 or 10k"},
		{"ReadX.loop<1s", "--limit 'ReadX.loop<1s': loop is not available for a single "
				  "kind of operation, only for all operations together"},
		{"p99<1111111111111111111111111111111111111111111111111111111111111111ms",
		 "--limit "
		 "'p99<1111111111111111111111111111111111111111111111111111111111111111ms': the "
		 "value \"1111111111111111111111111111111111111111111111111111111111111111ms\" is "
		 "longer than 63 characters"},
	};
	struct condition condition;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct error error = {0};

		assert_int_equal(condition_parse(rows[i].text, "--limit", &condition, &error),
				 -EINVAL);
		assert_string_equal(error.text, rows[i].refusal);
	}
}

static void an_unknown_metric_is_refused(void **state)
{
	struct error error = {0};
	struct condition condition;

	assert_int_equal(condition_parse("<50ms", "--fail-if", &condition, &error), -EINVAL);
	assert_non_null(strstr(error.text,
			       "--fail-if '<50ms': unknown metric \"\"; expected one of errors, "));
}

static void relations_include_or_exclude_the_bound(void **state)
{
	static const struct {
		const char *text;
		enum condition_answer below, at, above;
	} rows[] = {
		{"p99<50ms", CONDITION_YES, CONDITION_NO, CONDITION_NO},
		{"p99<=50ms", CONDITION_YES, CONDITION_YES, CONDITION_NO},
		{"p99>50ms", CONDITION_NO, CONDITION_NO, CONDITION_YES},
		{"p99>=50ms", CONDITION_NO, CONDITION_YES, CONDITION_YES},
	};
	struct records below = {0}, at = {0}, above = {0}, unknown = {0};
	size_t i;

	set_p99(&below, 49);
	set_p99(&at, 50);
	set_p99(&above, 51);
	for (i = 0; i < LENGTH(rows); i++) {
		struct condition condition = parsed(rows[i].text);

		assert_int_equal(condition_holds(&condition, &below), rows[i].below);
		assert_int_equal(condition_holds(&condition, &at), rows[i].at);
		assert_int_equal(condition_holds(&condition, &above), rows[i].above);
		assert_int_equal(condition_holds(&condition, &unknown), CONDITION_UNKNOWN);
	}
	records_free(&below);
	records_free(&at);
	records_free(&above);
}

static void the_figure_is_printed_with_the_condition(void **state)
{
	struct condition condition = parsed("p99<50ms");
	struct records records = {0};
	char text[CONDITION_TEXT];

	set_p99(&records, 61.2);
	assert_string_equal(condition_explain(&condition, &records, text),
			    "p99 is 61.2 ms, not < 50 ms");
	set_p99(&records, 40);
	assert_string_equal(condition_explain(&condition, &records, text), "p99 is 40 ms, < 50 ms");
	/* With four digits the text would be "p99 is 50 ms, not < 50 ms". */
	set_p99(&records, 50.0004);
	assert_string_equal(condition_explain(&condition, &records, text),
			    "p99 is 50.0004 ms, not < 50 ms");
	set_p99(&records, 50);
	assert_string_equal(condition_explain(&condition, &records, text),
			    "p99 is 50 ms, not < 50 ms");
	set_p99(&records, NAN);
	assert_string_equal(condition_explain(&condition, &records, text), "p99 is not known");
	condition = parsed("ops_per_s<1M");
	SET(&records, TOTAL, {FIGURE_SECONDS, 1}, {FIGURE_OPS_PER_S, 123456.7});
	assert_string_equal(condition_explain(&condition, &records, text),
			    "ops_per_s is 123457 /s, < 1000000 /s");
	records_free(&records);
}

static void max_users_ends_at_the_first_failure(void **state)
{
	struct condition condition = parsed("p99<50ms");
	struct notice reason = {.kind = NOTICE_STUCK};
	static const double p99s_ms[] = {10, 40, 60, 45};
	struct result_point points[] = {{.users = 1}, {.users = 4}, {.users = 8}, {.users = 12}};
	struct result result = {.points = points, .point_count = 4};
	size_t i;

	for (i = 0; i < LENGTH(points); i++)
		set_p99(&points[i].records, p99s_ms[i]);
	assert_int_equal(condition_max_users(&condition, &result), 4);
	set_p99(&points[2].records, 20);
	assert_int_equal(condition_max_users(&condition, &result), 12);
	set_p99(&points[2].records, NAN);
	assert_int_equal(condition_max_users(&condition, &result), 4);
	points[1].invalid = (struct notices){&reason, 1};
	assert_int_equal(condition_max_users(&condition, &result), 1);
	set_p99(&points[0].records, 50);
	assert_int_equal(condition_max_users(&condition, &result), 0);
	result.point_count = 0;
	assert_int_equal(condition_max_users(&condition, &result), 0);
	for (i = 0; i < LENGTH(points); i++)
		records_free(&points[i].records);
}

int unit_condition(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_are_parsed_and_printed),
		cmocka_unit_test(a_wrong_condition_is_refused),
		cmocka_unit_test(an_unknown_metric_is_refused),
		cmocka_unit_test(relations_include_or_exclude_the_bound),
		cmocka_unit_test(the_figure_is_printed_with_the_condition),
		cmocka_unit_test(max_users_ends_at_the_first_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
