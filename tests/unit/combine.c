/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test what is derived from repeats: by result/combine.c and stats/summary.c. */
#include "records.h"

#include "result/combine.h"
#include "stats/summary.h"

/* The window of each repeat. */
#define SECONDS 10

/* Add a repeat with a total only. */
static struct result_repeat *add(struct result *result, unsigned users)
{
	struct result_repeat *repeat;

	make_variant(result);
	repeat = result_add_repeat(result, 0, users);
	assert_non_null(repeat);
	SET(&repeat->records, TOTAL, {FIGURE_SECONDS, SECONDS});
	return repeat;
}

/* Return a key with the result's own copies of these names; NULL: all. */
static struct record_key key_of(struct result *result, const char *load, const char *phase,
				const char *operation)
{
	return (struct record_key){
		.load = record_name(&result->names, load),
		.phase = record_name(&result->names, phase),
		.operation = record_name(&result->names, operation),
	};
}

/* Append an operation to the last record that is none. */
static void operate(struct result *result, struct result_repeat *repeat, const char *name,
		    double ops, double mb)
{
	const struct record *parent = &repeat->records.list[repeat->records.count - 1];
	struct record_key key = parent->key;

	key.operation = key_of(result, NULL, NULL, name).operation;
	SET(&repeat->records, &key, {FIGURE_OPS, ops}, {FIGURE_BYTES, 1e6 * mb}, {FIGURE_ERRORS, 1},
	    {FIGURE_MISMATCHES, 2}, {FIGURE_TIME_S, ops / 1e3});
	repeat->records.list[repeat->records.count - 1].direction = strncmp(name, "Read", 4) == 0
									    ? DIRECTION_READ
								    : strcmp(name, "Write") == 0
									    ? DIRECTION_WRITE
								    : strcmp(name, "Copy") == 0
									    ? DIRECTION_BOTH
									    : DIRECTION_NONE;
}

/* Add a repeat of a load that reads. */
static struct result_repeat *read_at(struct result *result, unsigned users, double mb_per_s)
{
	struct result_repeat *repeat = add(result, users);

	operate(result, repeat, "Read", 10, SECONDS * mb_per_s);
	return repeat;
}

static void spoil(struct result *result, unsigned users, const char *reason)
{
	struct result_point *point = result_find_point(result, 0, users);

	NOTICE_ADD(&result_last_repeat(point)->invalid, NOTICE_OPERATION_FAILED, .detail = reason);
}

static const struct result_point *updated(struct result *result, unsigned users)
{
	result->run.cpus = 2;
	assert_int_equal(summary_update(result), 0);
	return result_find_point(result, 0, users);
}

static const struct record *total_of(struct result *result, unsigned users)
{
	return records_total(&updated(result, users)->records);
}

static void medians_of_odd_and_even_counts(void **state)
{
	double one[] = {7}, odd[] = {9, 1, 5}, even[] = {8, 1, 2, 4};

	expect_near(combine_median(one, 1), 7, 0);
	expect_near(combine_median(odd, 3), 5, 0);
	expect_near(combine_median(even, 4), 3, 0);
}

/* The second repeat does not know a value. If the figure is optional, it is 0. */
static void figures_combine_as_the_table_says(void **state)
{
	static const double values[] = {3, NAN, 1, 5, 2};
	static const double wanted[] = {
		[COMBINE_NOT] = NAN,    [COMBINE_SUM] = 11, [COMBINE_MEAN] = 2.75,
		[COMBINE_MEDIAN] = 2.5, [COMBINE_MIN] = 1,  [COMBINE_MAX] = 5,
	};
	static const double or_0[] = {
		[COMBINE_NOT] = NAN,  [COMBINE_SUM] = 11, [COMBINE_MEAN] = 2.2,
		[COMBINE_MEDIAN] = 2, [COMBINE_MAX] = 5,
	};
	enum figure figure;
	size_t i;

	for (figure = 0; figure < FIGURES; figure++) {
		struct result result = {.run.cpus = 1};
		struct result_point *point;

		for (i = 0; i < LENGTH(values); i++)
			SET(&add(&result, 1)->records, TOTAL, {FIGURE_SECONDS, NAN},
			    {figure, values[i]});
		point = &result.points[0];
		assert_int_equal(combine_point(&result.run, point), 0);
		expect_figure(records_total(&point->records), figure,
			      (figures[figure].optional ? or_0 : wanted)[figures[figure].combine]);
		result_free(&result);
	}
}

static void rates_are_medians_and_counts_are_means(void **state)
{
	static const double rates[] = {100, 130, 110};
	static const struct assignment wanted[] = {
		{FIGURE_MB_PER_S, 110},
		{FIGURE_OPS_PER_S, 100.1},
		{FIGURE_SCHEDULED, 200},
		{FIGURE_SCHEDULED_COMPLETED, 50},
		{FIGURE_SCHEDULED_PER_S, 20},
		{FIGURE_COMPLETED_SHARE, 0.25},
		{FIGURE_UNFINISHED, 150},
		{FIGURE_RESTORE_SHARE, 0.1},
		{FIGURE_CPU_PER_OP_US, 2997.002997},
		{FIGURE_CPU_SHARE, 0.15},
		{FIGURE_SECONDS, 10},
		{FIGURE_STOOD_STILL_S, 1.5},
		{FIGURE_USER_S, 1},
		{FIGURE_SYSTEM_S, 2},
		{FIGURE_WAITS, 7},
		{FIGURE_PREEMPTIONS, 8},
		{FIGURE_OPS, 1001},
		{FIGURE_BYTES, 3.4e9 / 3},
		{FIGURE_LOOPS, 3},
		{FIGURE_ERRORS, 1},
		{FIGURE_MISMATCHES, 2},
		{FIGURE_SKIPPED, 5},
		{FIGURE_USER_OPS_MIN, 11},
		{FIGURE_USER_OPS_MEDIAN, 21},
		{FIGURE_USER_OPS_MAX, 31},
		{FIGURE_HELD_UP_S, 3},
		{FIGURE_VERIFIED_USERS, 4},
		{FIGURE_VERIFIED_READ_BYTES, 300},
	};
	struct result result = {0};
	const struct record *total;
	unsigned i;

	for (i = 0; i < 3; i++) {
		struct result_repeat *repeat = add(&result, 4);

		SET(&repeat->records, TOTAL, {FIGURE_LOOPS, 3}, {FIGURE_SKIPPED, 5},
		    {FIGURE_SCHEDULED, 100 + 100 * i}, {FIGURE_SCHEDULED_COMPLETED, 50},
		    {FIGURE_UNFINISHED, 50 + 100 * i}, {FIGURE_RESTORE_SHARE, 0.1 * i},
		    {FIGURE_STOOD_STILL_S, 0.5}, {FIGURE_USER_OPS_MIN, 10 + i},
		    {FIGURE_USER_OPS_MEDIAN, 20 + i}, {FIGURE_USER_OPS_MAX, 30 + i},
		    {FIGURE_USER_S, i}, {FIGURE_SYSTEM_S, 2}, {FIGURE_WAITS, 7},
		    {FIGURE_PREEMPTIONS, 8}, {FIGURE_HELD_UP_S, 1 + i}, {FIGURE_VERIFIED_USERS, 4},
		    {FIGURE_VERIFIED_READ_BYTES, 100});
		operate(&result, repeat, "Read", 1000 + i, SECONDS * rates[i]);
	}
	total = total_of(&result, 4);
	for (i = 0; i < LENGTH(wanted); i++)
		expect_figure(total, wanted[i].figure, wanted[i].value);
	result_free(&result);
}

static void add_phase(struct result *result, struct result_repeat *repeat, const char *load,
		      const char *name, double elapsed_s)
{
	const struct record_key key = key_of(result, load, name, NULL);

	SET(&repeat->records, &key, {FIGURE_ELAPSED_S, elapsed_s},
	    {FIGURE_ELAPSED_USER_MIN_S, elapsed_s / 2}, {FIGURE_ELAPSED_USER_MAX_S, elapsed_s * 2},
	    {FIGURE_SECONDS, 3 * elapsed_s});
	operate(result, repeat, "stat", 7, 0);
}

static void phases_are_combined_by_name(void **state)
{
	struct result result = {0};
	struct result_repeat *repeat;
	const struct record *phase;
	const struct records *records;

	add_phase(&result, add(&result, 4), NULL, "create", 4);
	repeat = add(&result, 4);
	add_phase(&result, repeat, NULL, "stat", 8);
	add_phase(&result, repeat, NULL, "create", 1);
	add_phase(&result, add(&result, 4), NULL, "create", 2);
	records = &updated(&result, 4)->records;
	assert_int_equal(records->count, 5);
	phase = records_next_phase(records, NULL, NULL);
	assert_string_equal(phase->key.phase, "create");
	expect_figure(phase, FIGURE_ELAPSED_S, 2);
	expect_figure(phase, FIGURE_ELAPSED_USER_MIN_S, 0.5);
	expect_figure(phase, FIGURE_ELAPSED_USER_MAX_S, 8);
	expect_figure(phase, FIGURE_SECONDS, 7);
	expect_figure(phase, FIGURE_OPS_PER_S, 1.166667);
	expect_figure(phase, FIGURE_OPS, 7);
	assert_int_equal(phase->repeats, 3);
	assert_int_equal(phase->operations, 1);
	expect_figure(&phase[1], FIGURE_OPS, 7);
	expect_figure(&phase[1], FIGURE_TIME_SHARE, 1);
	phase = records_next_phase(records, NULL, phase);
	assert_string_equal(phase->key.phase, "stat");
	expect_figure(phase, FIGURE_OPS, 7);
	assert_int_equal(phase->repeats, 1);
	assert_null(records_next_phase(records, NULL, phase));
	result_free(&result);
}

/* Append a phase that took 3 loops of this time, with this number of items. */
static void add_items(struct result *result, struct result_repeat *repeat, const char *load,
		      const char *name, double elapsed_s, double items)
{
	const struct record_key key = key_of(result, load, name, NULL);

	SET(&repeat->records, &key, {FIGURE_ELAPSED_S, elapsed_s}, {FIGURE_SECONDS, 3 * elapsed_s},
	    {FIGURE_ITEMS, items});
	operate(result, repeat, "open", 2 * items, 0);
}

static void phases_add_up_in_their_load(void **state)
{
	struct result result = {0};
	struct result_repeat *repeat = add(&result, 4);
	const struct record_key load = key_of(&result, "one", NULL, NULL);
	const struct record_key other = key_of(&result, "two", NULL, NULL);
	const struct record *record;
	const struct records *records;

	add_items(&result, repeat, NULL, "create", 2, 600);
	add_items(&result, repeat, NULL, "read", 1, 300);
	/* The time before the first phase took a third of a second per loop. */
	record = total_of(&result, 4);
	expect_figure(record, FIGURE_ITEMS, 900);
	expect_figure(record, FIGURE_ITEMS_PER_S, 90);
	expect_figure(record, FIGURE_ELAPSED_S, 3.333333333);
	record = records_next_phase(&updated(&result, 4)->records, NULL, NULL);
	expect_figure(record, FIGURE_ITEMS_PER_S, 100);
	spoil(&result, 4, "broken");
	record = total_of(&result, 4);
	expect_figure(record, FIGURE_ITEMS, 900);
	expect_figure(record, FIGURE_ITEMS_PER_S, NAN);
	expect_figure(record, FIGURE_ELAPSED_S, 3.333333333);

	/* Each of several loads has its own phases; a phase may have no items. */
	repeat = add(&result, 5);
	SET(&repeat->records, &load, {FIGURE_SECONDS, 6});
	add_items(&result, repeat, "one", "create", 1, 60);
	add_items(&result, repeat, "one", "read", 1, 30);
	SET(&repeat->records, &other, {FIGURE_SECONDS, 3});
	add_items(&result, repeat, "two", "create", 0.5, 60);
	add_phase(&result, repeat, "two", "read", 0.5);
	records = &updated(&result, 5)->records;
	expect_figure(records_total(records), FIGURE_ITEMS, NAN);
	expect_figure(records_total(records), FIGURE_ELAPSED_S, NAN);
	record = records_find(records, &load);
	expect_figure(record, FIGURE_ITEMS, 90);
	expect_figure(record, FIGURE_ITEMS_PER_S, 15);
	expect_figure(record, FIGURE_ELAPSED_S, 2);
	record = records_find(records, &other);
	expect_figure(record, FIGURE_ITEMS, NAN);
	expect_figure(record, FIGURE_ELAPSED_S, 1);
	result_free(&result);
}

static void add_load(struct result *result, struct result_repeat *repeat, const char *name)
{
	const struct record_key key = key_of(result, name, NULL, NULL);

	SET(&repeat->records, &key, {FIGURE_SECONDS, SECONDS}, {FIGURE_LOAD_USERS, 2});
	operate(result, repeat, "Read", 5, 100);
}

/* The records of all loads come first, then each load with its phases, in the
 * order in which the repeats have them. */
static void loads_are_combined_in_order(void **state)
{
	static const char *const wanted[][3] = {
		{NULL, NULL, NULL},    {NULL, NULL, "Write"}, {"two", NULL, NULL},
		{"two", NULL, "Read"}, {"two", "a", NULL},    {"two", "a", "stat"},
		{"two", "b", NULL},    {"two", "b", "stat"},  {"one", NULL, NULL},
		{"one", NULL, "Read"},
	};
	struct result result = {0};
	struct result_repeat *repeat = add(&result, 4);
	const struct records *records;
	size_t i;

	add_load(&result, repeat, "two");
	add_phase(&result, repeat, "two", "a", 1);
	repeat = add(&result, 4);
	operate(&result, repeat, "Write", 1, 1);
	add_load(&result, repeat, "one");
	add_load(&result, repeat, "two");
	add_phase(&result, repeat, "two", "b", 1);
	records = &updated(&result, 4)->records;
	assert_int_equal(records->count, LENGTH(wanted));
	for (i = 0; i < LENGTH(wanted); i++) {
		const struct record_key key = key_of(&result, wanted[i][0], wanted[i][1],
						     wanted[i][2]);

		assert_true(record_same_key(&records->list[i].key, &key));
	}
	expect_figure(&records->list[2], FIGURE_LOAD_USERS, 2);
	expect_figure(&records->list[2], FIGURE_OPS, 5);
	assert_int_equal(records->list[2].repeats, 2);
	expect_figure(&records->list[3], FIGURE_MB_PER_S, 10);
	expect_figure(&records->list[8], FIGURE_OPS, 5);
	assert_int_equal(records->list[8].repeats, 1);
	result_free(&result);
}

/* Repeats have users in order, from 0 on; one may lack the last ones. User 0
 * plays the load "two", and user 1 "one". */
static void users_are_combined_in_order(void **state)
{
	static const char *const loads[] = {"two", "one", "two"}, *const numbers[] = {"0", "1",
										      "2"};
	struct result result = {0};
	const struct record *user = NULL;
	const struct records *records;
	size_t i, j;

	for (i = 0; i < 3; i++) {
		struct result_repeat *repeat = add(&result, 3);

		operate(&result, repeat, "Read", 1, 1);
		add_load(&result, repeat, "one");
		add_load(&result, repeat, "two");
		for (j = 0; j < (i == 0 ? 2 : 3); j++) {
			struct record_key key = key_of(&result, loads[j], NULL, NULL);

			key.user = record_name(&result.names, numbers[j]);
			SET(&repeat->records, &key, {FIGURE_SECONDS, 5}, {FIGURE_OPS, 10 * (i + 1)},
			    {FIGURE_BYTES, 1e6 * (double)(10 * i + j)}, {FIGURE_MAX_MS, i + j},
			    {FIGURE_READ_MB_PER_S, i + 1}, {FIGURE_WRITE_MB_PER_S, 0.5});
			combine_derive(&result.run, repeat);
		}
	}
	records = &updated(&result, 3)->records;
	assert_int_equal(records->count, 9);
	assert_ptr_equal(records_next_user(records, NULL), &records->list[6]);
	for (i = 0; i < 3; i++) {
		user = records_next_user(records, user);
		assert_int_equal(record_user(&user->key), i);
		assert_string_equal(user->key.load, loads[i]);
		assert_int_equal(user->repeats, i == 2 ? 2 : 3);
	}
	user = &records->list[7];
	expect_figure(user, FIGURE_OPS, 20);
	expect_figure(user, FIGURE_BYTES, 11e6);
	expect_figure(user, FIGURE_MB_PER_S, 2.2);
	expect_figure(user, FIGURE_OPS_PER_S, 4);
	expect_figure(user, FIGURE_MAX_MS, 3);
	expect_figure(user, FIGURE_READ_MB_PER_S, 2);
	expect_figure(user, FIGURE_WRITE_MB_PER_S, 0.5);
	/* Users are not part of their loads. */
	expect_figure(&records->list[2], FIGURE_OPS, 5);
	result_free(&result);
}

static void an_invalid_repeat_has_no_rates_of_users(void **state)
{
	struct result result = {0};
	struct result_repeat *repeat = add(&result, 1);
	const struct record *user;

	SET(&repeat->records, KEY(.user = "0"), {FIGURE_SECONDS, 5}, {FIGURE_OPS, 10},
	    {FIGURE_BYTES, 1e6}, {FIGURE_READ_MB_PER_S, 0.2}, {FIGURE_WRITE_MB_PER_S, 0});
	spoil(&result, 1, "it broke");
	combine_derive(&result.run, &result.points[0].repeats[0]);
	user = records_next_user(&result.points[0].repeats[0].records, NULL);
	expect_figure(user, FIGURE_OPS, 10);
	expect_figure(user, FIGURE_MB_PER_S, NAN);
	expect_figure(user, FIGURE_READ_MB_PER_S, NAN);
	expect_figure(user, FIGURE_WRITE_MB_PER_S, NAN);
	result_free(&result);
}

static void reads_and_writes_are_told_apart(void **state)
{
	struct result result = {0};
	struct result_repeat *repeat;
	const struct record *total;
	unsigned i;

	for (i = 1; i <= 3; i++) {
		repeat = add(&result, 1);
		operate(&result, repeat, "Read", 100, 200 * i);
		operate(&result, repeat, "ReadRaw", 100, 100 * i);
		operate(&result, repeat, "Write", 100, 200 * i);
		operate(&result, repeat, "Close", 100, 0);
	}
	total = total_of(&result, 1);
	expect_figure(total, FIGURE_MB_PER_S, 100);
	expect_figure(total, FIGURE_READ_MB_PER_S, 60);
	expect_figure(total, FIGURE_WRITE_MB_PER_S, 40);
	expect_figure(&total[1], FIGURE_MB_PER_S, 40);
	expect_figure(&total[1], FIGURE_OPS_PER_S, 10);
	assert_int_equal(total[3].direction, DIRECTION_WRITE);
	assert_int_equal(total[4].direction, DIRECTION_NONE);
	expect_figure(&total[4], FIGURE_MB_PER_S, 0);
	expect_figure(records_total(&result.points[0].repeats[2].records), FIGURE_READ_MB_PER_S,
		      90);
	/* A load that only writes reads nothing. */
	operate(&result, add(&result, 2), "Write", 100, 200);
	total = total_of(&result, 2);
	expect_figure(total, FIGURE_READ_MB_PER_S, 0);
	expect_figure(total, FIGURE_WRITE_MB_PER_S, 20);
	result_free(&result);
}

static void a_direction_may_be_unknown(void **state)
{
	static const char *const others[] = {"Other", "Copy"};
	size_t i;

	for (i = 0; i < LENGTH(others); i++) {
		struct result result = {0};
		struct result_repeat *repeat = read_at(&result, 1, 10);

		operate(&result, repeat, others[i], 100, 100);
		expect_figure(total_of(&result, 1), FIGURE_READ_MB_PER_S, NAN);
		expect_figure(total_of(&result, 1), FIGURE_WRITE_MB_PER_S, NAN);
		/* It becomes known in another repeat. */
		read_at(&result, 1, 10);
		expect_figure(total_of(&result, 1), FIGURE_READ_MB_PER_S, 10);
		result_free(&result);
	}
}

/* Values that a repeat had before are replaced. */
static void sums_and_shares_are_derived(void **state)
{
	struct result result = {0};
	struct result_repeat *repeat = add(&result, 4);
	const struct record *total;

	SET(&repeat->records, TOTAL, {FIGURE_OPS, 77}, {FIGURE_TIME_S, 77}, {FIGURE_MB_PER_S, 77},
	    {FIGURE_CPU_SHARE, 77}, {FIGURE_USER_S, 3}, {FIGURE_SYSTEM_S, 2},
	    {FIGURE_SCHEDULED, 400}, {FIGURE_SCHEDULED_COMPLETED, 100});
	operate(&result, repeat, "Read", 100, 200);
	operate(&result, repeat, "Write", 300, 50);
	updated(&result, 4);
	total = records_total(&result.points[0].repeats[0].records);
	expect_figure(total, FIGURE_OPS, 400);
	expect_figure(total, FIGURE_BYTES, 250e6);
	expect_figure(total, FIGURE_ERRORS, 2);
	expect_figure(total, FIGURE_MISMATCHES, 4);
	expect_figure(total, FIGURE_TIME_S, 0.4);
	expect_figure(total, FIGURE_MB_PER_S, 25);
	expect_figure(total, FIGURE_OPS_PER_S, 40);
	expect_figure(total, FIGURE_CPU_SHARE, 0.25);
	expect_figure(total, FIGURE_CPU_PER_OP_US, 12500);
	expect_figure(total, FIGURE_SCHEDULED_PER_S, 40);
	expect_figure(total, FIGURE_COMPLETED_SHARE, 0.25);
	expect_figure(&total[1], FIGURE_TIME_SHARE, 0.25);
	expect_figure(&total[2], FIGURE_TIME_SHARE, 0.75);
	expect_figure(&total[2], FIGURE_OPS_PER_S, 30);
	result_free(&result);
}

/* For all users, for a load that two of them play, and in an open-loop replay,
 * whose times are response times. */
static void service_times_make_operations_in_flight(void **state)
{
	struct result result = {0};
	struct result_repeat *repeat = add(&result, 4);
	struct record_key key = key_of(&result, "one", NULL, NULL);
	const struct record *list;

	operate(&result, repeat, "Read", 30e3, 1);
	SET(&repeat->records, &key, {FIGURE_SECONDS, SECONDS}, {FIGURE_LOAD_USERS, 2});
	operate(&result, repeat, "Read", 15e3, 1);
	updated(&result, 4);
	list = result.points[0].repeats[0].records.list;
	expect_figure(list, FIGURE_IN_FLIGHT, 3);
	expect_figure(list, FIGURE_USER_IN_FLIGHT, 0.75);
	expect_figure(&list[2], FIGURE_IN_FLIGHT, 1.5);
	expect_figure(&list[2], FIGURE_USER_IN_FLIGHT, 0.75);
	result.run.open_loop = true;
	SET(&repeat->records, TOTAL, {FIGURE_SERVICE_MEAN_MS, 2}, {FIGURE_SERVICE_COUNT, 10e3});
	updated(&result, 4);
	expect_figure(list, FIGURE_IN_FLIGHT, 2);
	expect_figure(list, FIGURE_USER_IN_FLIGHT, 0.5);
	result_free(&result);
}

static void an_invalid_repeat_has_no_rates(void **state)
{
	static const enum figure rates[] = {FIGURE_MB_PER_S, FIGURE_OPS_PER_S, FIGURE_READ_MB_PER_S,
					    FIGURE_WRITE_MB_PER_S};
	struct result result = {0};
	const struct record *valid, *invalid, *total;
	size_t i;

	read_at(&result, 1, 20);
	read_at(&result, 1, 20);
	spoil(&result, 1, "broken");
	total = total_of(&result, 1);
	valid = records_total(&result.points[0].repeats[0].records);
	invalid = records_total(&result.points[0].repeats[1].records);
	expect_figure(valid, FIGURE_READ_MB_PER_S, 20);
	for (i = 0; i < LENGTH(rates); i++) {
		assert_false(isnan(record_value(valid, rates[i])));
		expect_figure(invalid, rates[i], NAN);
		expect_figure(&invalid[1], rates[i], NAN);
		expect_figure(total, rates[i], NAN);
		expect_figure(&total[1], rates[i], NAN);
	}
	/* Counts remain. */
	expect_figure(invalid, FIGURE_OPS, 10);
	result_free(&result);
}

static void expect_range(const struct result_point *point, double min, double max, double spread)
{
	struct combine_range range = combine_range(point, FIGURE_MB_PER_S);

	expect_near(range.min, min, 0);
	expect_near(range.max, max, 0);
	expect_near(range.spread, spread, 1e-12);
}

static void spread_is_relative_to_the_median(void **state)
{
	struct result result = {0};

	read_at(&result, 4, 100);
	expect_range(updated(&result, 4), 100, 100, 0);
	read_at(&result, 4, 130);
	read_at(&result, 4, 110);
	expect_range(updated(&result, 4), 100, 130, 30.0 / 110);
	/* Without bytes, there is no throughput that could spread. */
	read_at(&result, 1, 0);
	expect_range(updated(&result, 1), 0, 0, NAN);
	read_at(&result, 1, 0);
	read_at(&result, 1, 5);
	expect_range(updated(&result, 1), 0, 5, NAN);
	result_free(&result);
}

static void invalid_repeats_do_not_count(void **state)
{
	struct result result = {0};
	const struct result_point *point;

	SET(&read_at(&result, 4, 100)->records, TOTAL, {FIGURE_MAX_MS, 5});
	SET(&read_at(&result, 4, 120)->records, TOTAL, {FIGURE_MAX_MS, 6});
	SET(&read_at(&result, 4, 1)->records, TOTAL, {FIGURE_MAX_MS, 7});
	spoil(&result, 4, "a user died");
	point = updated(&result, 4);
	assert_false(result_is_valid(point));
	assert_int_equal(point->invalid.count, 1);
	expect_notice(&point->invalid.list[0], "repeat 3: a user died");
	expect_range(point, 100, 120, NAN);
	expect_near(combine_range(point, FIGURE_MAX_MS).max, 6, 0);
	expect_figure(records_total(&point->records), FIGURE_OPS, 10);
	expect_figure(records_total(&point->records), FIGURE_SECONDS, 10);
	assert_int_equal(records_total(&point->records)->repeats, 2);
	/* An invalid point gets no warnings. */
	assert_int_equal(point->warnings.count, 0);
	result_free(&result);
}

static void counts_remain_if_no_repeat_is_valid(void **state)
{
	struct result result = {0};
	const struct result_point *point;

	read_at(&result, 4, 100);
	spoil(&result, 4, "a user died");
	point = updated(&result, 4);
	expect_figure(records_total(&point->records), FIGURE_OPS, 10);
	expect_notice(&point->invalid.list[0], "a user died");
	expect_range(point, NAN, NAN, NAN);
	assert_true(result.peak == SIZE_MAX);
	assert_true(isnan(combine_gain(&result, point)));
	result_free(&result);
}

/* Give a repeat two samples: one with these values, and one without any. */
static void sample(struct result_repeat *repeat, const double *values, size_t count)
{
	repeat->samples = calloc(2, sizeof(*repeat->samples));
	assert_non_null(repeat->samples);
	repeat->sample_count = 2;
	repeat->samples[0].values = calloc(count + 1, sizeof(*values));
	assert_non_null(repeat->samples[0].values);
	memcpy(repeat->samples[0].values, values, count * sizeof(*values));
	repeat->samples[0].value_count = count;
}

/* Long repeats count like short ones, unknown seconds and invalid repeats not at
 * all. */
static void samples_combine_to_mean_and_maximum(void **state)
{
	static const double one[] = {1, NAN, 3}, two[] = {-4, -6, -5, -5, -5};
	static const double none[] = {NAN, NAN}, high[] = {100};
	struct result result = {0};
	const struct result_point *point;
	struct combine_sample combined;

	sample(read_at(&result, 2, 10), one, LENGTH(one));
	sample(read_at(&result, 2, 10), two, LENGTH(two));
	sample(read_at(&result, 2, 10), none, LENGTH(none));
	sample(read_at(&result, 2, 10), high, LENGTH(high));
	spoil(&result, 2, "it failed");
	read_at(&result, 2, 10);
	sample(read_at(&result, 4, 10), two, LENGTH(two));
	point = result_find_point(&result, 0, 2);
	combined = combine_sample(&point->repeats[0].samples[0]);
	expect_near(combined.mean, 2, 0);
	expect_near(combined.max, 3, 0);
	combined = combine_samples(point, 0);
	expect_near(combined.mean, -1.5, 1e-12);
	expect_near(combined.max, 3, 0);
	combined = combine_samples(result_find_point(&result, 0, 4), 0);
	expect_near(combined.mean, -5, 1e-12);
	expect_near(combined.max, -4, 0);
	/* There are no values of the second sample, and there is no third one. */
	combined = combine_samples(point, 1);
	expect_near(combined.mean, NAN, 0);
	expect_near(combined.max, NAN, 0);
	expect_near(combine_samples(point, 2).mean, NAN, 0);
	result_free(&result);
}

static void updating_twice_changes_nothing(void **state)
{
	struct result result = {0};
	const struct result_point *point;
	size_t warnings;

	read_at(&result, 4, 100);
	read_at(&result, 4, 120);
	result.run.busy_before = 1;
	warnings = updated(&result, 4)->warnings.count;
	assert_int_equal(warnings, 1);
	point = updated(&result, 4);
	assert_int_equal(point->warnings.count, warnings);
	assert_int_equal(point->records.count, 2);
	expect_figure(&point->records.list[1], FIGURE_OPS, 10);
	expect_figure(&point->records.list[0], FIGURE_SECONDS, 10);
	assert_int_equal(point->records.list[0].repeats, 2);
	result_free(&result);
}

/* A repeat that was added updates its point and the peak. */
static void a_repeat_updates_its_point(void **state)
{
	struct result result = {0};

	read_at(&result, 1, 100);
	read_at(&result, 4, 200);
	updated(&result, 4);
	assert_int_equal(result.peak, 1);
	assert_int_equal(summary_repeat(&result, read_at(&result, 1, 400)), 0);
	expect_figure(records_total(&result.points[0].records), FIGURE_MB_PER_S, 250);
	expect_figure(records_total(&result.points[1].records), FIGURE_MB_PER_S, 200);
	assert_int_equal(result.peak, 0);
	result_free(&result);
}

static void gains_and_the_peak_skip_invalid_points(void **state)
{
	static const double gains[] = {NAN, NAN, 0.8, -0.5};
	struct result result = {0};
	size_t i;

	read_at(&result, 8, 180);
	read_at(&result, 1, 100);
	read_at(&result, 4, 1000);
	spoil(&result, 4, "a user died");
	read_at(&result, 12, 90);
	updated(&result, 1);
	for (i = 0; i < LENGTH(gains); i++)
		expect_near(combine_gain(&result, &result.points[i]), gains[i], 1e-12);
	assert_int_equal(result.peak, 2);
	result_free(&result);
}

static void a_gain_over_zero_is_unknown(void **state)
{
	struct result result = {0};

	read_at(&result, 1, 0);
	read_at(&result, 2, 100);
	updated(&result, 1);
	assert_true(isnan(combine_gain(&result, &result.points[1])));
	assert_int_equal(result.peak, 1);
	result_free(&result);
}

static void set_times(struct result_repeat *repeat, double mean_ms, double p99_ms, double max_ms)
{
	const struct record_key key = repeat->records.list[repeat->records.count - 1].key;

	SET(&repeat->records, &key, {FIGURE_MEAN_MS, mean_ms}, {FIGURE_P99_MS, p99_ms},
	    {FIGURE_MAX_MS, max_ms});
}

/* Even one that the first repeat lacks. */
static void operations_are_combined_by_name(void **state)
{
	struct result result = {0};
	struct result_repeat *repeat = add(&result, 4);
	const struct record *total;

	operate(&result, repeat, "Read", 10, 1);
	set_times(repeat, 25, 50, 100);
	repeat = add(&result, 4);
	operate(&result, repeat, "Close", 5, 0);
	set_times(repeat, 4, 8, 16);
	operate(&result, repeat, "Read", 30, 3);
	set_times(repeat, 35, 70, 140);
	add(&result, 4);
	total = total_of(&result, 4);
	assert_int_equal(total->operations, 2);
	assert_string_equal(total[1].key.operation, "Read");
	expect_figure(&total[1], FIGURE_OPS, 20);
	expect_near(record_shown(&total[1], FIGURE_OPS), 40, 0);
	expect_figure(&total[1], FIGURE_BYTES, 2e6);
	expect_figure(&total[1], FIGURE_ERRORS, 1);
	expect_figure(&total[1], FIGURE_MISMATCHES, 2);
	expect_figure(&total[1], FIGURE_TIME_S, 0.02);
	expect_near(record_value(&total[1], FIGURE_TIME_SHARE), 40 / 45., 1e-6);
	expect_figure(&total[1], FIGURE_P99_MS, 60);
	expect_figure(&total[1], FIGURE_MEAN_MS, 30);
	expect_figure(&total[1], FIGURE_MAX_MS, 140);
	assert_int_equal(total[1].direction, DIRECTION_READ);
	assert_string_equal(total[2].key.operation, "Close");
	expect_figure(&total[2], FIGURE_OPS, 5);
	expect_figure(&total[2], FIGURE_P99_MS, 8);
	result_free(&result);
}

/* A percentile's median ignores the repeats in which it is unknown. */
static void percentiles_are_medians_and_never_above_the_maximum(void **state)
{
	static const double p99s_ms[] = {100, NAN, 300, 200};
	struct result result = {0};
	const struct record *total;
	unsigned i;

	for (i = 0; i < 4; i++)
		SET(&add(&result, 4)->records, TOTAL, {FIGURE_MEAN_MS, 50}, {FIGURE_P50_MS, 40},
		    {FIGURE_P90_MS, 60}, {FIGURE_P95_MS, 80}, {FIGURE_P99_MS, p99s_ms[i]},
		    {FIGURE_MAX_MS, isnan(p99s_ms[i]) ? 90 : p99s_ms[i]}, {FIGURE_LOOP_COUNT, 1},
		    {FIGURE_LOOP_S, 1 + i}, {FIGURE_LOOP_MAX_S, 1 + i});
	total = total_of(&result, 4);
	expect_figure(total, FIGURE_P50_MS, 40);
	expect_figure(total, FIGURE_P90_MS, 60);
	expect_figure(total, FIGURE_P95_MS, 80);
	expect_figure(total, FIGURE_P99_MS, 200);
	expect_figure(total, FIGURE_P99_9_MS, NAN);
	expect_figure(total, FIGURE_MAX_MS, 300);
	expect_figure(total, FIGURE_LOOP_COUNT, 1);
	expect_figure(total, FIGURE_LOOP_S, 2.5);
	expect_figure(total, FIGURE_LOOP_MAX_S, 4);
	result_free(&result);
}

static void the_scaling_law_is_fitted_from_six_points_on(void **state)
{
	static const unsigned users[] = {1, 2, 4, 8, 16, 32};
	struct result result = {0};
	const struct result_usl *usl;
	size_t i;

	make_variant(&result);
	usl = &result.run.variants[0].usl;
	for (i = 0; i < LENGTH(users); i++) {
		assert_false(usl->fitted);
		read_at(&result, users[i], 100.0 * users[i] / (1 + 0.1 * (users[i] - 1.0)));
		updated(&result, users[i]);
	}
	assert_true(usl->fitted);
	expect_near(usl->alpha.value, 0.1, 1e-6);
	result_free(&result);
}

int unit_combine(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(medians_of_odd_and_even_counts),
		cmocka_unit_test(figures_combine_as_the_table_says),
		cmocka_unit_test(rates_are_medians_and_counts_are_means),
		cmocka_unit_test(phases_are_combined_by_name),
		cmocka_unit_test(phases_add_up_in_their_load),
		cmocka_unit_test(loads_are_combined_in_order),
		cmocka_unit_test(users_are_combined_in_order),
		cmocka_unit_test(an_invalid_repeat_has_no_rates_of_users),
		cmocka_unit_test(reads_and_writes_are_told_apart),
		cmocka_unit_test(a_direction_may_be_unknown),
		cmocka_unit_test(sums_and_shares_are_derived),
		cmocka_unit_test(service_times_make_operations_in_flight),
		cmocka_unit_test(an_invalid_repeat_has_no_rates),
		cmocka_unit_test(spread_is_relative_to_the_median),
		cmocka_unit_test(invalid_repeats_do_not_count),
		cmocka_unit_test(counts_remain_if_no_repeat_is_valid),
		cmocka_unit_test(samples_combine_to_mean_and_maximum),
		cmocka_unit_test(updating_twice_changes_nothing),
		cmocka_unit_test(a_repeat_updates_its_point),
		cmocka_unit_test(gains_and_the_peak_skip_invalid_points),
		cmocka_unit_test(a_gain_over_zero_is_unknown),
		cmocka_unit_test(operations_are_combined_by_name),
		cmocka_unit_test(percentiles_are_medians_and_never_above_the_maximum),
		cmocka_unit_test(the_scaling_law_is_fitted_from_six_points_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
