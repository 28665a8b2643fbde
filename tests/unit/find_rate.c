/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "records.h"

#include "base/clock.h"
#include "simulated.h"
#include "sweep/plan_rate.h"

#include <math.h>

/* A target that holds rates up to `capacity`, and the steps of a search. */
struct server {
	double capacity;
	unsigned late;      /* number of first steps at which throng is late */
	unsigned disturbed; /* number of a step that fails, from 1; 0: none */
	unsigned steps;
};

static struct rate_search search(struct server *server, double first)
{
	struct rate_search search = {.rate = first, .min = FIND_RATE_MIN};
	enum result_answer answer;

	do {
		answer = search.rate <= server->capacity ? RESULT_HOLDS : RESULT_FAILS;
		server->steps++;
		if (server->steps == server->disturbed)
			answer = RESULT_FAILS;
		if (server->steps <= server->late)
			answer = RESULT_UNKNOWN;
		assert_true(server->steps < 100);
	} while (rate_search_next(&search, answer));
	return search;
}

static void the_rate_is_found_within_5_percent(void **state)
{
	static const double capacities[] = {0.02, 0.7, 3, 99, 100, 487, 500, 12345, 999999};
	size_t i;

	for (i = 0; i < LENGTH(capacities); i++) {
		struct server server = {.capacity = capacities[i]};
		struct rate_search found = search(&server, FIND_RATE_FIRST);

		assert_true(found.low <= capacities[i]);
		assert_true(found.low >= 0.95 * capacities[i]);
		assert_false(found.gave_up);
		assert_true(server.steps < 25);
	}
}

static void the_search_has_limits(void **state)
{
	struct server all = {.capacity = INFINITY}, none = {.capacity = 0};

	expect_near(search(&all, 300).low, FIND_RATE_MAX, 0);
	expect_near(search(&none, 300).low, 0, 0);
	assert_true(none.steps < 25);
}

/* A rate that fails once is tried again before it is believed. */
static void a_single_disturbance_does_not_lower_the_rate(void **state)
{
	unsigned step;

	for (step = 2; step < 9; step++) {
		struct server server = {.capacity = 500, .disturbed = step};
		struct rate_search found = search(&server, 100);

		assert_true(found.low <= 500 && found.low >= 0.95 * 500);
	}
}

static void a_step_at_which_throng_is_late_is_repeated(void **state)
{
	struct server twice = {.capacity = 500, .late = 2};
	struct server always = {.capacity = 500, .late = 3};
	struct rate_search found;

	found = search(&twice, 100);
	assert_false(found.gave_up);
	assert_true(found.low >= 0.95 * 500);
	found = search(&always, 100);
	assert_true(found.gave_up);
	assert_int_equal(always.steps, 3);
	expect_near(found.low, 0, 0);
}

/* Only tries at the same rate count: an answer ends them. */
static void each_rate_has_three_tries(void **state)
{
	static const enum result_answer answers[] = {
		RESULT_HOLDS,
		RESULT_FAILS,
	};
	struct rate_search search = {.rate = 100, .min = FIND_RATE_MIN};
	double rate;
	size_t i;

	for (i = 0; i < 6; i++) {
		rate = search.rate;
		assert_true(rate_search_next(&search, RESULT_UNKNOWN));
		assert_true(rate_search_next(&search, RESULT_UNKNOWN));
		expect_near(search.rate, rate, 0);
		assert_false(search.gave_up);
		assert_true(rate_search_next(&search, answers[i % 2]));
		assert_true(search.rate != rate);
	}
	assert_true(rate_search_next(&search, RESULT_UNKNOWN));
	assert_true(rate_search_next(&search, RESULT_UNKNOWN));
	assert_false(rate_search_next(&search, RESULT_UNKNOWN));
	assert_true(search.gave_up);
}

static void expect_answer(const struct records *records, enum result_answer answer, const char *why)
{
	struct condition limit;
	struct error error = {0};
	char *found;

	assert_int_equal(condition_parse("p99<50ms", "--find-rate", &limit, &error), 0);
	assert_int_equal(rate_judge(&limit, 4, records, &found), answer);
	if (why == NULL)
		assert_null(found);
	else
		assert_string_equal(found, why);
	free(found);
}

static void a_step_is_judged(void **state)
{
	struct records records = {0};

	SET(&records, TOTAL, {FIGURE_SECONDS, 1}, {FIGURE_OPS, 10000}, {FIGURE_SCHEDULED, 10000},
	    {FIGURE_SCHEDULED_COMPLETED, 9990}, {FIGURE_COMPLETED_SHARE, 0.999},
	    {FIGURE_P99_MS, 49}, {FIGURE_LATENESS_COUNT, 10000}, {FIGURE_LATENESS_P99_MS, 1});
	expect_answer(&records, RESULT_HOLDS, NULL);
	/* 2 operations per user and 0.25 % */
	SET(&records, TOTAL, {FIGURE_OPS, 9967});
	expect_answer(&records, RESULT_HOLDS, NULL);
	SET(&records, TOTAL, {FIGURE_OPS, 9966});
	expect_answer(&records, RESULT_FAILS, "the backlog grew by 34 operations");
	/* 1 %, and one operation in flight per user */
	SET(&records, TOTAL, {FIGURE_SCHEDULED_COMPLETED, 9896}, {FIGURE_COMPLETED_SHARE, 0.9896});
	expect_answer(&records, RESULT_FAILS, "the backlog grew by 34 operations");
	SET(&records, TOTAL, {FIGURE_SCHEDULED_COMPLETED, 9895}, {FIGURE_COMPLETED_SHARE, 0.9895});
	expect_answer(&records, RESULT_FAILS, "only 99.0 % of the scheduled operations completed");
	SET(&records, TOTAL, {FIGURE_P99_MS, 51});
	expect_answer(&records, RESULT_FAILS, "p99 is 51 ms, not < 50 ms");
	SET(&records, TOTAL, {FIGURE_LATENESS_P99_MS, 1.5});
	expect_answer(&records, RESULT_UNKNOWN,
		      "throng itself started operations late (p99 1.5 ms)");
	SET(&records, TOTAL, {FIGURE_LATENESS_P99_MS, NAN}, {FIGURE_P99_MS, NAN});
	expect_answer(&records, RESULT_UNKNOWN, "p99 is not known");
	SET(&records, TOTAL, {FIGURE_LATENESS_P99_MS, 1.5}, {FIGURE_P99_MS, 49},
	    {FIGURE_OPS, 10000}, {FIGURE_SCHEDULED_COMPLETED, 10000}, {FIGURE_COMPLETED_SHARE, 1});
	expect_answer(&records, RESULT_HOLDS, NULL);
	records_free(&records);
}

/* A target that serves one operation after the other, in simulated time. */
static uint64_t takes_ns;

static int stat_takes_time(struct backend_session *session, const struct backend_path *path,
			   struct backend_attributes *attributes)
{
	*attributes = (struct backend_attributes){0};
	simulated_pass(takes_ns);
	return 0;
}

/* Search in measurements of 2 s, from 100 per second, as the loop of steps
 * does. */
static void find(struct simulation *s, const char *condition, struct result *result)
{
	struct condition limit;
	struct error error = {0};
	const struct settings settings = {
		.rate_limit = &limit,
		.transform.rate.per_s = FIND_RATE_FIRST,
		.phases = s->plan.phases,
	};
	struct rate_search search;
	int more;

	assert_int_equal(condition_parse(condition, "--find-rate", &limit, &error), 0);
	make_variant(result);
	rate_search_begin(&search, &settings, s->plan.users);
	do {
		s->loads.list[0].program->rate.per_s = search.rate;
		simulation_play(s);
		*result_add_repeat(result, 0, s->plan.users) = s->repeat;
		s->repeat = (struct result_repeat){0};
		more = rate_search_take(&search, &limit, result->points);
		assert_true(more >= 0);
		assert_true(result->points[0].found_rate->step_count < 25);
		assert_int_equal(result->points[0].repeat_count, 1);
	} while (more > 0);
}

static void open_target(struct simulation *s, uint64_t service_ns)
{
	simulation_open(s);
	s->backend.stat = stat_takes_time;
	s->plan.phases.time_ns = 2 * NS_PER_S;
	takes_ns = service_ns;
	simulation_add(s, "stat \"/client1\" OK\n");
}

static void close_target(struct simulation *s, struct result *result)
{
	result_free(result);
	simulation_close(s);
}

/* A target that needs 10 ms for each operation serves 100 per second. A search
 * ends within 5 % of this. */
static void the_rate_of_a_target_is_found(void **state)
{
	static const uint64_t services_us[] = {300, 2500, 10000};
	size_t i;

	for (i = 0; i < LENGTH(services_us); i++) {
		const double capacity = 1e6 / (double)services_us[i];
		const struct result_found_rate *found;
		const struct record *total;
		struct result result = {0};
		struct simulation s;

		open_target(&s, services_us[i] * NS_PER_US);
		find(&s, "p50<100ms", &result);
		found = result.points[0].found_rate;
		assert_null(found->gave_up);
		assert_true(found->per_user >= 0.95 * capacity &&
			    found->per_user <= 1.05 * capacity);
		/* The measurement that is kept is that at this rate. */
		total = records_total(&result.points[0].repeats[0].records);
		expect_near(record_value(total, FIGURE_SCHEDULED), 2 * found->per_user, 1);
		assert_true(record_value(total, FIGURE_SCHEDULED_COMPLETED) >=
			    0.99 * record_value(total, FIGURE_SCHEDULED));
		close_target(&s, &result);
	}
}

/* With 150 ms per operation, 1.5 % of the operations in 10 s are in flight at
 * the end, at any rate. */
static void an_operation_in_flight_at_the_end_is_excused(void **state)
{
	const double capacity = 1 / 0.15;
	const struct result_found_rate *found;
	struct result result = {0};
	struct simulation s;

	open_target(&s, 150 * NS_PER_MS);
	s.plan.phases.time_ns = 10 * NS_PER_S;
	find(&s, "p50<1s", &result);
	found = result.points[0].found_rate;
	assert_true(found->per_user >= 0.95 * capacity && found->per_user <= 1.05 * capacity);
	close_target(&s, &result);
}

/* A user that has ended no operation does not show that the target holds. */
static void a_target_that_ends_nothing_fails(void **state)
{
	struct records records = {0};

	SET(&records, TOTAL, {FIGURE_SECONDS, 10}, {FIGURE_SCHEDULED, 4},
	    {FIGURE_COMPLETED_SHARE, 0}, {FIGURE_P99_MS, 1});
	expect_answer(&records, RESULT_FAILS, "only 0.0 % of the scheduled operations completed");
	records_free(&records);
}

static void no_rate_makes_a_target_faster(void **state)
{
	const struct result_found_rate *found;
	struct result result = {0};
	struct simulation s;

	open_target(&s, 10 * NS_PER_MS);
	find(&s, "max<9ms", &result);
	found = result.points[0].found_rate;
	expect_near(found->per_user, 0, 0);
	assert_null(found->gave_up);
	close_target(&s, &result);
}

/* Even at a low rate, each operation begins 2 ms late. */
static void a_late_throng_determines_nothing(void **state)
{
	const struct result_found_rate *found;
	struct result result = {0};
	struct simulation s;

	open_target(&s, NS_PER_MS);
	simulated_late_ns = 2 * NS_PER_MS;
	find(&s, "p50<2ms", &result);
	found = result.points[0].found_rate;
	expect_near(found->per_user, 0, 0);
	assert_int_equal(found->step_count, 3);
	assert_non_null(
		strstr(found->gave_up,
		       "3 tries at 100/s per user, then: throng itself started operations late"));
	close_target(&s, &result);
}

int unit_find_rate(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rate_is_found_within_5_percent),
		cmocka_unit_test(the_search_has_limits),
		cmocka_unit_test(a_single_disturbance_does_not_lower_the_rate),
		cmocka_unit_test(a_step_at_which_throng_is_late_is_repeated),
		cmocka_unit_test(each_rate_has_three_tries),
		cmocka_unit_test(a_step_is_judged),
		cmocka_unit_test(the_rate_of_a_target_is_found),
		cmocka_unit_test(an_operation_in_flight_at_the_end_is_excused),
		cmocka_unit_test(a_target_that_ends_nothing_fails),
		cmocka_unit_test(no_rate_makes_a_target_faster),
		cmocka_unit_test(a_late_throng_determines_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
