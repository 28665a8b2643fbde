/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test the start line, at which all users of a point wait until the observer's
 * line() returns their start time (workers.h). They play on the null target. */
#include "unit.h"

#include "base/process.h"
#include "run/workers.h"
#include "target/target.h"

enum { USERS = 2, FIRST = 25, ASKED = 3 };

/* A point, and what the observer's line() returns: call N returns answers[N],
 * later calls the last one. */
struct scene {
	struct target target;
	struct workers_target on;
	struct loads loads;
	struct workers_plan plan;
	struct stats stats;
	struct workers_report report;
	uint64_t answers[ASKED]; /* 0, CLOCK_NEVER, or ns after earliest_ns */
	unsigned asked;
	uint64_t earliest_ns;
};

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct error error = {0};

	assert_int_equal(target_parse("null:", &scene->target, &error), 0);
	scene->on = (struct workers_target){
		.target = &scene->target,
		.claim = {.lock_fd = -1},
	};
	assert_int_equal(loads_add(&scene->loads, load_text("stat \"/client1/f\" OK\n"),
				   calloc(1, sizeof(struct profile)), 1, &error),
			 0);
	assert_int_equal(loads_finish(&scene->loads, &error), 0);
	scene->plan = (struct workers_plan){
		.loads = &scene->loads,
		.targets = &scene->on,
		.target_count = 1,
		.pool = data_pool_new(DATA_ZERO, 0, 1),
		.users = USERS,
		.first_user = FIRST,
		.users_total = FIRST + USERS,
		.users_max = USERS,
		.phases.loops = 2,
	};
	assert_int_equal(stats_map(&scene->stats, USERS, 1, 1, NULL, false), 0);
	process_block_signals();
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	seconds_close(&scene->report.seconds);
	stats_unmap(&scene->stats);
	data_pool_free((struct data_pool *)scene->plan.pool);
	loads_free(&scene->loads);
	target_free(&scene->target);
	free(scene);
	return 0;
}

static void tick(void *context, const struct workers_view *view)
{
}

static uint64_t line(void *context, uint64_t earliest_ns)
{
	struct scene *scene = context;
	uint64_t answer = scene->answers[scene->asked < ASKED ? scene->asked : ASKED - 1];

	assert_int_equal(scene->stats.run->ready, USERS);
	scene->asked++;
	scene->earliest_ns = earliest_ns;
	return answer == 0 || answer == CLOCK_NEVER ? answer : earliest_ns + answer;
}

static void run(struct scene *scene, bool with_line)
{
	const struct workers_observer observer = {
		.context = scene,
		.tick = tick,
		.line = with_line ? line : NULL,
	};
	struct error error = {0};

	assert_int_equal(
		workers_run(&scene->plan, &scene->stats, &observer, &scene->report, &error), 0);
	assert_int_equal(scene->report.died_user, -1);
}

static uint64_t measured(const struct scene *scene)
{
	return stats_counters(&scene->stats, 0, STATS_MEASURED)->count +
	       stats_counters(&scene->stats, 1, STATS_MEASURED)->count;
}

static void users_start_by_themselves(void **state)
{
	run(*state, false);
	assert_int_equal(measured(*state), 2 * USERS);
}

static void users_start_at_the_given_time(void **state)
{
	struct scene *scene = *state;

	scene->answers[0] = scene->answers[1] = CLOCK_NEVER;
	scene->answers[2] = 50 * NS_PER_MS;
	run(scene, true);
	assert_int_equal(scene->asked, 3);
	assert_int_equal(measured(scene), 2 * USERS);
	assert_int_equal(scene->report.start_ns, scene->earliest_ns + 50 * NS_PER_MS);
	assert_true(stats_user(&scene->stats, 0)->finish_ns >= scene->report.start_ns);
}

static void the_point_is_called_off(void **state)
{
	struct scene *scene = *state;

	run(scene, true);
	assert_int_equal(scene->asked, 1);
	assert_int_equal(measured(scene), 0);
	assert_int_equal(scene->report.end_ns, 0);
}

int unit_workers(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(users_start_by_themselves, set_up, tear_down),
		cmocka_unit_test_setup_teardown(users_start_at_the_given_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_point_is_called_off, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
