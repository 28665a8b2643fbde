/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test that the users of a point start together. They play on the null target. */
#include "unit.h"

#include "base/process.h"
#include "run/workers.h"
#include "target/target.h"

enum { USERS = 2, FIRST = 25 };

struct scene {
	struct target target;
	struct workers_target on;
	struct loads loads;
	struct workers_plan plan;
	struct stats stats;
	struct workers_report report;
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
	assert_int_equal(stats_map(&scene->stats, USERS, 1, 1, 1, NULL, false), 0);
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

static uint64_t measured(const struct scene *scene)
{
	return stats_counters(&scene->stats, 0, STATS_MEASURED)->count +
	       stats_counters(&scene->stats, 1, STATS_MEASURED)->count;
}

static void users_start_together(void **state)
{
	struct scene *scene = *state;
	const struct workers_observer observer = {.tick = tick};
	struct error error = {0};
	unsigned user;

	assert_int_equal(
		workers_run(&scene->plan, &scene->stats, &observer, &scene->report, &error), 0);
	assert_int_equal(scene->report.died_user, -1);
	assert_int_equal(measured(scene), 2 * USERS);
	assert_int_equal(scene->stats.run->ready, USERS);
	assert_true(scene->report.start_ns > 0);
	for (user = 0; user < USERS; user++)
		assert_true(stats_user(&scene->stats, user)->finish_ns >= scene->report.start_ns);
}

int unit_workers(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(users_start_together, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
