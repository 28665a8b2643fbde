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

typedef int comparison(const struct result_run *one, const struct result_run *other,
		       const char *const names[2], struct error *error);

/* Compare sample(1) with `other`. Expect the message `difference`; NULL: none. */
static void expect(comparison *compare, const struct result_run *other, const char *difference)
{
	static const char *const names[] = {"old.json", "new.json"};
	const struct result_run one = sample(0);
	struct error error = {0};

	assert_int_equal(compare(&one, other, names, &error), difference == NULL ? 0 : -EINVAL);
	if (difference != NULL)
		assert_string_equal(error.text, difference);
}

static void equal_runs_are_comparable(void **state)
{
	struct result_run other = sample(1);

	expect(comparable_measured, &other, NULL);
	expect(comparable_planned, &other, NULL);
	/* Runs on different hosts are comparable. */
	other.host = (char[]){"elsewhere"};
	expect(comparable_planned, &other, NULL);
}

static void a_different_load_is_refused(void **state)
{
	struct result_run other = sample(1);

	other.variants->loads->sha256 = (char[]){"def"};
	expect(comparable_measured, &other,
	       "the runs do not match: the loadfile's SHA-256 differs: abc in old.json, def in "
	       "new.json");
	other.variants->loads->sha256 = NULL;
	expect(comparable_measured, &other,
	       "the runs do not match: the loadfile's SHA-256 differs: abc in old.json, unknown in "
	       "new.json");
	/* A long digest is not shown whole, but compared. */
	other.variants->loads->sha256 = (char[]){"0123456789abcdef"};
	expect(comparable_measured, &other,
	       "the runs do not match: the loadfile's SHA-256 differs: abc in old.json, "
	       "0123456789ab in new.json");
	/* The names say more, if they differ. */
	other.variants->loads->name = (char[]){"mdtest"};
	expect(comparable_measured, &other,
	       "the runs do not match: the load differs: unknown in old.json, mdtest in new.json");
	other = sample(1);
	other.variants->loads->footprint_bytes = 999;
	expect(comparable_measured, &other,
	       "the runs do not match: the footprint in bytes differs: 1000 in old.json, 999 in "
	       "new.json");
	other = sample(1);
	other.variants->loads->shared_footprint_bytes = 5;
	expect(comparable_measured, &other,
	       "the runs do not match: the shared footprint in bytes differs: 0 in old.json, 5 in "
	       "new.json");
}

static void different_lists_of_loads_are_refused(void **state)
{
	static const char *const names[] = {"old.json", "new.json"};
	struct result_load lists[2][2] = {
		{{.sha256 = sha256, .weight = 3, .ops = 1},
		 {.sha256 = sha256, .weight = 1, .ops = 2}},
		{{.sha256 = sha256, .weight = 3, .ops = 1},
		 {.sha256 = sha256, .weight = 1, .ops = 2}},
	};
	struct result_run one = sample(0), other = sample(1);
	struct error error = {0};

	one.variants->loads = lists[0];
	one.variants->load_count = 2;
	assert_int_equal(comparable_measured(&one, &other, names, &error), -EINVAL);
	assert_string_equal(
		error.text,
		"the runs do not match: the number of loads differs: 2 in old.json, 1 in new.json");
	other.variants->loads = lists[1];
	other.variants->load_count = 2;
	error = (struct error){0};
	assert_int_equal(comparable_measured(&one, &other, names, &error), 0);
	lists[1][1].weight = 2;
	assert_int_equal(comparable_measured(&one, &other, names, &error), -EINVAL);
	assert_string_equal(error.text, "the runs do not match: the weight of load 2 differs: 1 in "
					"old.json, 2 in new.json");
	lists[1][1].weight = 1;
	lists[1][0].sha256 = (char[]){"def"};
	error = (struct error){0};
	assert_int_equal(comparable_measured(&one, &other, names, &error), -EINVAL);
	assert_string_equal(error.text, "the runs do not match: the loadfile's SHA-256 of load 1 "
					"differs: abc in old.json, def in new.json");
}

static void a_different_time_is_refused(void **state)
{
	struct result_run other = sample(1);

	other.phases.time_ns = 1500000000;
	expect(comparable_measured, &other,
	       "the runs do not match: the measured time differs: 1 s in old.json, 1.5 s in "
	       "new.json");
	other = sample(1);
	other.phases.loops = 3;
	expect(comparable_measured, &other,
	       "the runs do not match: --loops differs: 0 in old.json, 3 in new.json");
	other = sample(1);
	other.phases.from_start = true;
	expect(comparable_measured, &other,
	       "the runs do not match: --from-start differs: not given in old.json, given in "
	       "new.json");
	other = sample(1);
	other.phases.cold = true;
	expect(comparable_measured, &other,
	       "the runs do not match: --cold differs: not given in old.json, given in new.json");
}

static void an_option_that_changes_the_load_is_refused(void **state)
{
	char *others[] = {(char[]){"data"}, (char[]){"random"}, (char[]){"sync"}, (char[]){"yes"}};
	struct result_run other = sample(1);

	other.option_count = 0;
	expect(comparable_measured, &other,
	       "the runs do not match: option \"data\" differs: zero in old.json, not given "
	       "in new.json");
	other.options = others;
	other.option_count = 1;
	expect(comparable_measured, &other,
	       "the runs do not match: option \"data\" differs: zero in old.json, random in "
	       "new.json");
	others[1] = (char[]){"zero"};
	other.option_count = 2;
	expect(comparable_measured, &other,
	       "the runs do not match: option \"sync\" differs: not given in old.json, yes "
	       "in new.json");
	/* The option "timeout" may differ, as it does not change the load. */
	others[2] = (char[]){"timeout"};
	expect(comparable_measured, &other, NULL);
}

static void a_different_plan_is_refused(void **state)
{
	static unsigned others[] = {1, 2, 5};
	struct result_run other = sample(1);

	other.user_counts = others;
	expect(comparable_measured, &other, NULL);
	expect(comparable_planned, &other,
	       "the runs do not match: a point's number of users differs: 4 in old.json, 5 in "
	       "new.json");
	other = sample(1);
	other.user_count_count = 2;
	expect(comparable_planned, &other,
	       "the runs do not match: the number of points differs: 3 in old.json, 2 in new.json");
	other = sample(1);
	other.repeats = 3;
	expect(comparable_planned, &other,
	       "the runs do not match: --repeat differs: 2 in old.json, 3 in new.json");
	other = sample(1);
	other.random_order = true;
	expect(comparable_planned, &other,
	       "the runs do not match: --order differs: given in old.json, random in new.json");
	other = sample(1);
	other.seed = 8;
	expect(comparable_planned, &other,
	       "the runs do not match: the seed differs: 7 in old.json, 8 in new.json");
}

int unit_comparable(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_runs_are_comparable),
		cmocka_unit_test(a_different_load_is_refused),
		cmocka_unit_test(different_lists_of_loads_are_refused),
		cmocka_unit_test(a_different_time_is_refused),
		cmocka_unit_test(an_option_that_changes_the_load_is_refused),
		cmocka_unit_test(a_different_plan_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
