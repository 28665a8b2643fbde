/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "compare/comparable.h"

#include <errno.h>

static char sha256[] = "abc";
static unsigned user_counts[] = {1, 2, 4};
static char data[] = "data", zero[] = "zero";
static char *options[] = {data, zero};

/* Return a run of one of two identical variants. */
static struct result_run sample(unsigned number)
{
	static struct result_load loads[2];
	static struct result_variant variants[2];

	loads[number] = (struct result_load){
		.sha256 = sha256,
		.ops = 100,
		.footprint_bytes = 1000,
	};
	variants[number] = (struct result_variant){.loads = &loads[number], .load_count = 1};
	return (struct result_run){
		.variants = &variants[number],
		.variant_count = 1,
		.options = options,
		.option_count = 1,
		.user_counts = user_counts,
		.user_count_count = 3,
		.repeats = 2,
		.phases.time_ns = 1000000000,
		.phases.warmup_ns = 200000000,
		.seed = 7,
	};
}

/* Check that the message has these differences and nothing else. */
static void expect_differences(const struct error *error, const char *differences)
{
	static const char start[] = "old.json and new.json do not match: ";

	assert_memory_equal(error->text, start, sizeof(start) - 1);
	assert_string_equal(error->text + sizeof(start) - 1, differences);
}

/* Compare sample(0) with `other`. Expect these differences; NULL: none. */
static void expect(const struct result_run *other, const char *differences)
{
	static const char *const names[] = {"old.json", "new.json"};
	const struct result_run one = sample(0);
	struct error error = {0};

	assert_int_equal(comparable_planned(&one, other, names, &error),
			 differences == NULL ? 0 : -EINVAL);
	if (differences != NULL)
		expect_differences(&error, differences);
}

static void equal_runs_are_comparable(void **state)
{
	struct result_run other = sample(1);

	expect(&other, NULL);
	/* Runs on different hosts are comparable. */
	other.host = (char[]){"elsewhere"};
	expect(&other, NULL);
}

static void different_hosts_of_users_are_refused(void **state)
{
	struct result_host hosts[] = {{.name = (char[]){"h1"}}, {.name = (char[]){"h2"}}};
	struct result_run other = sample(1);

	other.hosts = hosts;
	other.host_count = 2;
	expect(&other, "hosts is not given and h1,h2");
}

static void a_different_load_is_refused(void **state)
{
	struct result_run other = sample(1);

	other.variants->loads->sha256 = (char[]){"def"};
	expect(&other, "load is unknown (abc) and unknown (def)");
	other.variants->loads->sha256 = NULL;
	expect(&other, "load is unknown (abc) and unknown (unknown)");
	/* A long digest is not shown whole. If the loads differ, their parts do. */
	other.variants->loads->sha256 = (char[]){"0123456789abcdef"};
	other.variants->loads->name = (char[]){"mdtest"};
	other.variants->loads->ops = 7;
	expect(&other, "load is unknown (abc) and mdtest (0123456789ab)");
	other = sample(1);
	other.variants->loads->ops = 7;
	expect(&other, "operations is 100 and 7");
	other = sample(1);
	other.variants->loads->footprint_bytes = 999;
	expect(&other, "footprint is 1000 bytes and 999 bytes");
	other = sample(1);
	other.variants->loads->shared_footprint_bytes = 5;
	expect(&other, "shared-footprint is 0 bytes and 5 bytes");
}

static void different_lists_of_loads_are_refused(void **state)
{
	static const char *const names[] = {"old.json", "new.json"};
	static char mix[] = "mix";
	struct result_load lists[2][2] = {
		{{.name = mix, .sha256 = sha256, .weight = 3, .ops = 1},
		 {.name = mix, .sha256 = sha256, .weight = 1, .ops = 2}},
		{{.name = mix, .sha256 = sha256, .weight = 3, .ops = 1},
		 {.name = mix, .sha256 = sha256, .weight = 1, .ops = 2}},
	};
	struct result_run one = sample(0), other = sample(1);
	struct error error = {0};

	one.variants->loads = lists[0];
	one.variants->load_count = 2;
	assert_int_equal(comparable_planned(&one, &other, names, &error), -EINVAL);
	expect_differences(&error, "load is mix (abc) x 3, mix (abc) x 1 and unknown (abc)");
	other.variants->loads = lists[1];
	other.variants->load_count = 2;
	error = (struct error){0};
	assert_int_equal(comparable_planned(&one, &other, names, &error), 0);
	lists[1][1].ops = 3;
	assert_int_equal(comparable_planned(&one, &other, names, &error), -EINVAL);
	expect_differences(&error, "operations is 1, 2 and 1, 3");
	lists[1][1].weight = 2;
	error = (struct error){0};
	assert_int_equal(comparable_planned(&one, &other, names, &error), -EINVAL);
	expect_differences(&error, "load is mix (abc) x 3, mix (abc) x 1 and mix (abc) x 3, "
				   "mix (abc) x 2");
}

static void a_different_time_is_refused(void **state)
{
	struct result_run other = sample(1);

	other.phases.time_ns = 1500000000;
	other.phases.warmup_ns = 0;
	expect(&other, "time is 1 s and 1.5 s; warmup is 0.2 s and 0 s");
	/* Nothing is said of times that one run does not have. */
	other.phases.loops = 3;
	expect(&other, "loops is 0 and 3");
	other = sample(1);
	other.phases.from_start = true;
	expect(&other, "from-start is not given and given");
	other = sample(1);
	other.phases.cold = true;
	expect(&other, "cold is not given and given");
}

static void an_option_that_changes_the_load_is_refused(void **state)
{
	char *others[] = {(char[]){"data"}, (char[]){"random"}, (char[]){"sync"}, (char[]){"yes"}};
	struct result_run other = sample(1);

	other.option_count = 0;
	expect(&other, "data is zero and not given");
	other.options = others;
	other.option_count = 1;
	expect(&other, "data is zero and random");
	other.option_count = 2;
	expect(&other, "data is zero and random; sync is not given and yes");
	others[1] = (char[]){"zero"};
	expect(&other, "sync is not given and yes");
	/* The option "timeout" may differ, as it does not change the load. */
	others[2] = (char[]){"timeout"};
	expect(&other, NULL);
}

static void a_different_plan_is_refused(void **state)
{
	static unsigned others[] = {1, 2, 5};
	struct result_run other = sample(1);

	other.user_counts = others;
	expect(&other, "users is 1,2,4 and 1,2,5");
	other.user_count_count = 2;
	expect(&other, "users is 1,2,4 and 1,2");
	other.repeats = 3;
	other.random_order = true;
	other.phases.ramp_down_ns = 500000000;
	other.seed = 8;
	expect(&other, "users is 1,2,4 and 1,2; ramp-down is 0 s and 0.5 s; repeat is 2 and 3; "
		       "order is given and random; seed is 7 and 8");
}

/* A message keeps its end, even if the differences do not fit. */
static void long_values_are_cut_off(void **state)
{
	static char url[400], other_url[400];
	static const char *const names[] = {"old.json", "new.json"};
	char *values[] = {url}, *other_values[] = {other_url};
	struct result_axis axes[] = {
		{.name = (char[]){"target"}, .values = values, .value_count = 1},
		{.name = (char[]){"target"}, .values = other_values, .value_count = 1},
	};
	struct result_run one = sample(0), other = sample(1);
	struct error error = {0};

	memset(url, 'u', sizeof(url) - 1);
	memset(other_url, 'o', sizeof(other_url) - 1);
	one.axes = &axes[0];
	other.axes = &axes[1];
	one.axis_count = other.axis_count = 1;
	assert_int_equal(comparable_planned(&one, &other, names, &error), -EINVAL);
	assert_int_equal(strlen(error.text), sizeof(error.text) - 1);
	assert_string_equal(error.text + sizeof(error.text) - 6, "o ...");
}

int unit_comparable(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_runs_are_comparable),
		cmocka_unit_test(different_hosts_of_users_are_refused),
		cmocka_unit_test(a_different_load_is_refused),
		cmocka_unit_test(different_lists_of_loads_are_refused),
		cmocka_unit_test(a_different_time_is_refused),
		cmocka_unit_test(an_option_that_changes_the_load_is_refused),
		cmocka_unit_test(a_different_plan_is_refused),
		cmocka_unit_test(long_values_are_cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
