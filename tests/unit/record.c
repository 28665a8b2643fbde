/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "records.h"

#include "base/random.h"
#include "result/record.h"

/* Return records of a run of two loads, of which one has phases. */
static struct records two_loads(void)
{
	static const struct record_key keys[] = {
		{.operation = "Read"},
		{.operation = "Write"},
		{.load = "one"},
		{.load = "one", .operation = "Read"},
		{.load = "one", .phase = "a"},
		{.load = "one", .phase = "a", .operation = "Read"},
		{.load = "one", .phase = "b"},
		{.load = "two"},
		{.load = "two", .operation = "read"},
		{.load = "two", .operation = "Write"},
		{.load = "two", .operation = "Close"},
	};
	struct records records = {0};
	size_t i;

	assert_non_null(records_add(&records, TOTAL));
	for (i = 0; i < LENGTH(keys); i++)
		assert_non_null(records_add(&records, &keys[i]));
	assert_int_equal(records.count, LENGTH(keys) + 1);
	return records;
}

static void operations_belong_to_the_record_before(void **state)
{
	static const unsigned wanted[] = {2, 0, 0, 1, 0, 1, 0, 0, 3, 0, 0, 0};
	struct records records = two_loads();
	size_t i;

	for (i = 0; i < LENGTH(wanted); i++)
		assert_int_equal(records.list[i].operations, wanted[i]);
	records_free(&records);
	assert_int_equal(records.count, 0);
}

static void a_new_record_knows_nothing(void **state)
{
	struct records records = two_loads();
	enum figure figure;
	size_t i;

	for (i = 0; i < records.count; i++)
		for (figure = 0; figure < FIGURES; figure++) {
			expect_figure(&records.list[i], figure, NAN);
			expect_near(record_count(&records.list[i], figure), 0, 0);
		}
	records_free(&records);
	for (figure = 0; figure < FIGURES; figure++)
		expect_figure(records_total(&records), figure, NAN);
	assert_int_equal(records_total(&records)->operations, 0);
}

static void an_operation_has_fewer_figures(void **state)
{
	struct records records = {0};
	enum figure figure;

	records_add(&records, TOTAL);
	records_add(&records, KEY(.operation = "Read"));
	for (figure = 0; figure < FIGURES; figure++) {
		record_set(&records.list[0], figure, 5);
		record_set(&records.list[1], figure, 5);
		expect_figure(&records.list[0], figure, 5);
		expect_figure(&records.list[1], figure, figure <= FIGURE_MAX_MS ? 5 : NAN);
	}
	records_free(&records);
}

static void values_may_be_unknown(void **state)
{
	static const double unknown[] = {NAN, INFINITY, -INFINITY};
	struct records records = {0};
	enum figure figure;
	size_t i;

	records_add(&records, TOTAL);
	for (figure = 0; figure < FIGURES; figure++) {
		for (i = 0; i < LENGTH(unknown); i++) {
			record_set(records.list, figure, 1);
			record_set(records.list, figure, unknown[i]);
			expect_figure(records.list, figure, NAN);
		}
		record_set(records.list, figure, 0);
		expect_figure(records.list, figure, figures[figure].optional ? NAN : 0);
	}
	records_free(&records);
}

static void records_are_found_by_key(void **state)
{
	struct records records = two_loads();
	size_t i;

	for (i = 0; i < records.count; i++) {
		/* The texts need not be at the same address. */
		struct record_key key = records.list[i].key;
		char operation[20] = "";

		if (key.operation != NULL)
			key.operation = strcpy(operation, key.operation);
		assert_ptr_equal(records_find(&records, &key), &records.list[i]);
		key.host = "h";
		assert_null(records_find(&records, &key));
	}
	assert_null(records_find(&records, KEY(.load = "three")));
	assert_null(records_find(&records, KEY(.phase = "a")));
	assert_null(records_find(&records, KEY(.operation = "read")));
	assert_ptr_equal(records_total(&records), &records.list[0]);
	records_free(&records);
}

/* The operations of users 3 and 11 are known. */
static void users_are_found_by_number(void **state)
{
	struct records records = two_loads();
	const struct record *user = NULL;
	struct record_key key = {0};
	char number[16];
	unsigned i;

	key.user = number;
	for (i = 0; i < 12; i++) {
		/* Numbers are not sorted as texts. */
		static const char *const numbers[] = {"0", "1", "2", "3", "4",  "5",
						      "6", "7", "8", "9", "10", "11"};
		const struct record_key new = {.load = i % 2 == 0 ? "one" : "two",
					       .user = numbers[i]};
		struct record_key operation = new;

		assert_non_null(records_add(&records, &new));
		operation.operation = "Read";
		if (i == 3 || i == 11)
			assert_non_null(records_add(&records, &operation));
	}
	for (i = 0; i < 12; i++) {
		assert_true(snprintf(number, sizeof(number), "%u", i) > 0);
		key.load = i % 2 == 0 ? "one" : "two";
		user = records_next_user(&records, user);
		assert_int_equal(record_user(&user->key), i);
		assert_int_equal(user->operations, i == 3 || i == 11);
		assert_ptr_equal(records_find(&records, &key), user);
		key.operation = "Read";
		assert_ptr_equal(records_find(&records, &key),
				 user->operations > 0 ? user + 1 : NULL);
		key.operation = NULL;
		key.load = i % 2 == 0 ? "two" : "one";
		assert_null(records_find(&records, &key));
	}
	assert_null(records_next_user(&records, user));
	key.load = "one";
	strcpy(number, "12");
	assert_null(records_find(&records, &key));
	assert_int_equal(record_user(&records.list[0].key), -1);
	/* Others are found as before, and users are no loads. */
	assert_ptr_equal(records_find(&records, KEY(.load = "two")), &records.list[8]);
	assert_null(records_find(&records, KEY(.load = "three")));
	assert_null(records_next_load(&records, &records.list[8]));
	records_free(&records);
}

static void a_user_has_fewer_figures(void **state)
{
	struct records records = {0};
	enum figure figure;

	records_add(&records, KEY(.user = "0"));
	for (figure = 0; figure < FIGURES; figure++) {
		record_set(records.list, figure, 5);
		expect_figure(records.list, figure, figure <= FIGURE_PREEMPTIONS ? 5 : NAN);
	}
	records_free(&records);
}

static void a_scope_names_the_keys(void **state)
{
	static const struct {
		struct record_key key;
		const char *scope;
	} rows[] = {
		{{0}, "total"},
		{{.operation = "x"}, "operation"},
		{{.phase = "x"}, "phase"},
		{{.phase = "x", .operation = "y"}, "phase/operation"},
		{{.load = "x"}, "load"},
		{{.load = "x", .operation = "y"}, "load/operation"},
		{{.load = "x", .phase = "y"}, "load/phase"},
		{{.load = "x", .phase = "y", .operation = "z"}, "load/phase/operation"},
		{{.host = "h"}, "host"},
		{{.user = "0"}, "user"},
		{{.load = "x", .user = "1"}, "load/user"},
		{{"h", "x", "0", "y", "z"}, "host/load/user/phase/operation"},
	};
	char text[RECORD_SCOPE];
	size_t i;

	for (i = 0; i < LENGTH(rows); i++)
		assert_string_equal(record_scope(&rows[i].key, text), rows[i].scope);
}

static void loads_and_phases_follow_each_other(void **state)
{
	struct records records = two_loads();
	const struct record *load = NULL, *phase = NULL;

	assert_ptr_equal(load = records_next_load(&records, NULL), &records.list[3]);
	assert_ptr_equal(load = records_next_load(&records, load), &records.list[8]);
	assert_null(records_next_load(&records, load));
	assert_ptr_equal(phase = records_next_phase(&records, "one", NULL), &records.list[5]);
	assert_ptr_equal(phase = records_next_phase(&records, "one", phase), &records.list[7]);
	assert_null(records_next_phase(&records, "one", phase));
	assert_null(records_next_phase(&records, "two", NULL));
	/* The only load has none. */
	assert_null(records_next_phase(&records, NULL, NULL));
	assert_true(records_have_phases(&records));
	records_free(&records);
	assert_null(records_next_load(&records, NULL));
	assert_null(records_next_phase(&records, NULL, NULL));
	records_add(&records, TOTAL);
	assert_false(records_have_phases(&records));
	records_add(&records, KEY(.phase = "a"));
	assert_ptr_equal(records_next_phase(&records, NULL, NULL), &records.list[1]);
	assert_null(records_next_load(&records, NULL));
	assert_true(records_have_phases(&records));
	records_free(&records);
}

static void operations_are_found_by_name(void **state)
{
	struct records records = two_loads();
	const struct record *one = &records.list[3], *two = &records.list[8];

	assert_ptr_equal(record_operation(one, "Read"), &one[1]);
	assert_ptr_equal(record_operation(one, "READ"), &one[1]);
	assert_ptr_equal(record_operation(two, "Read"), &two[1]);
	/* That of another record. */
	assert_null(record_operation(one, "Write"));
	assert_null(record_operation(two, "Rea"));
	/* The same name is better than one in other case. */
	records_add(&records, KEY(.load = "two", .operation = "Read"));
	two = &records.list[8];
	assert_ptr_equal(record_operation(two, "Read"), &two[4]);
	assert_ptr_equal(record_operation(two, "read"), &two[1]);
	records_free(&records);
}

static void values_are_rounded_once(void **state)
{
	struct random random;
	enum figure figure;
	char text[40];
	int i;

	random_start(&random, 1, 0);
	for (figure = 0; figure < FIGURES; figure++)
		for (i = 0; i < 2000; i++) {
			double any = (double)random_next(&random) / 3;
			double value = record_round(figure, ldexp(any, -(i % 90)));

			expect_near(record_round(figure, value), value, 0);
			snprintf(text, sizeof(text), "%.15g", value);
			expect_near(strtod(text, NULL), value, 0);
		}
}

static void decimals_are_those_of_the_table(void **state)
{
	expect_near(record_round(FIGURE_P99_MS, 0.1234564999), 0.123456, 0);
	expect_near(record_round(FIGURE_P99_MS, 0.1234565001), 0.123457, 0);
	expect_near(record_round(FIGURE_MEAN_MS, 0.1234565001), 0.1234565, 0);
	expect_near(record_round(FIGURE_SECONDS, 1.0000000014), 1.000000001, 0);
	expect_near(record_round(FIGURE_BYTES, 123456789012345), 123456789012345, 0);
	expect_near(record_round(FIGURE_P99_MS, 1e-7), 0, 0);
}

/* In three loops of 7 s, there were 21 operations. */
static void the_mean_of_a_phase_is_that_of_a_loop(void **state)
{
	struct records records = {0};

	SET(&records, KEY(.phase = "a"), {FIGURE_SECONDS, 21}, {FIGURE_ELAPSED_S, 7},
	    {FIGURE_OPS, 30});
	expect_near(record_phase_mean(records.list, FIGURE_OPS), 10, 1e-12);
	SET(&records, KEY(.phase = "a"), {FIGURE_SECONDS, 0});
	expect_near(record_phase_mean(records.list, FIGURE_OPS), 0, 0);
	records_free(&records);
}

static void counts_of_all_repeats_are_shown(void **state)
{
	struct records records = {0};

	SET(&records, TOTAL, {FIGURE_OPS, 2.5}, {FIGURE_SECONDS, 5}, {FIGURE_P99_MS, 7},
	    {FIGURE_USER_OPS_MIN, 3});
	expect_near(record_shown(records.list, FIGURE_OPS), 2.5, 0);
	records.list[0].repeats = 4;
	expect_near(record_shown(records.list, FIGURE_OPS), 10, 0);
	expect_near(record_shown(records.list, FIGURE_SECONDS), 5, 0);
	expect_near(record_shown(records.list, FIGURE_P99_MS), 7, 0);
	/* This is a median. */
	expect_near(record_shown(records.list, FIGURE_USER_OPS_MIN), 3, 0);
	expect_near(record_shown(records.list, FIGURE_BYTES), NAN, 0);
	records_free(&records);
}

static void names_are_kept_once(void **state)
{
	struct intern names = {0};
	char one[] = "Read", other[] = "Read";
	const char *name = record_name(&names, one);

	assert_string_equal(name, "Read");
	assert_ptr_not_equal(name, one);
	assert_ptr_equal(record_name(&names, other), name);
	assert_ptr_not_equal(record_name(&names, "read"), name);
	assert_null(record_name(&names, NULL));
	intern_free(&names);
}

int unit_record(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_belong_to_the_record_before),
		cmocka_unit_test(a_new_record_knows_nothing),
		cmocka_unit_test(an_operation_has_fewer_figures),
		cmocka_unit_test(values_may_be_unknown),
		cmocka_unit_test(records_are_found_by_key),
		cmocka_unit_test(users_are_found_by_number),
		cmocka_unit_test(a_user_has_fewer_figures),
		cmocka_unit_test(a_scope_names_the_keys),
		cmocka_unit_test(loads_and_phases_follow_each_other),
		cmocka_unit_test(operations_are_found_by_name),
		cmocka_unit_test(values_are_rounded_once),
		cmocka_unit_test(decimals_are_those_of_the_table),
		cmocka_unit_test(the_mean_of_a_phase_is_that_of_a_loop),
		cmocka_unit_test(counts_of_all_repeats_are_shown),
		cmocka_unit_test(names_are_kept_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
