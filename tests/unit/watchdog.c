/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test which users the watchdog takes for users that wait for each other. */
#include "unit.h"

#include "engine/watchdog.h"

enum { USERS = 3, FIRST = 20, WAITSP = 1, PHASE = 2 };

struct scene {
	struct loads loads;
	struct workers_plan plan;
	struct stats stats;
	struct watchdog watchdog;
	char text[WATCHDOG_TEXT];
};

/* All users play; user 0 waits for a sequence point of user 1, and the other
 * users wait for user 0 before a phase. */
static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct error error = {0};
	unsigned user;

	assert_int_equal(loads_add(&scene->loads,
				   load_text("stat \"/client1\" OK\n"
					     "WAITSP 1 7\n"
					     "PHASE a\n"
					     "stat \"/client1\" OK\n"),
				   calloc(1, sizeof(struct profile)), 1,
				   &error), 0);
	assert_int_equal(loads_finish(&scene->loads, &error), 0);
	scene->plan = (struct workers_plan){
		.loads = &scene->loads,
		.users = USERS,
		.first_user = FIRST,
	};
	assert_int_equal(stats_map(&scene->stats, USERS, 1, 1, NULL, false), 0);
	for (user = 0; user < USERS; user++) {
		struct stats_user *own = stats_user(&scene->stats, user);

		own->state = STATS_RUNNING;
		own->waits = 1;
		own->op = user == 0 ? WAITSP : PHASE;
		own->at_barrier = user > 0;
		own->awaits = user == 0 ? UINT64_C(1) << 32 | 8 : 0;
	}
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	stats_unmap(&scene->stats);
	loads_free(&scene->loads);
	free(scene);
	return 0;
}

static bool is_deadlock(struct scene *scene)
{
	return watchdog_find_deadlock(&scene->watchdog, &scene->plan,
				      &scene->stats, scene->text);
}

static void users_at_a_barrier_are_part_of_a_deadlock(void **state)
{
	struct scene *scene = *state;

	assert_false(is_deadlock(scene));
	assert_true(is_deadlock(scene));
	assert_non_null(strstr(scene->text,
			       ": user 20 waits for sequence point 7 of user "
			       "21 (line 2), user 21 waits for the others at "
			       "PHASE a (line 3), user 22 waits for the others "
			       "at PHASE a (line 3)"));
}

static void users_that_are_released_do_not_wait(void **state)
{
	struct scene *scene = *state;

	scene->stats.list[0].barrier.round = 1;
	assert_false(is_deadlock(scene));
	assert_false(is_deadlock(scene));
}

static void users_may_wait_for_one_that_plays(void **state)
{
	struct scene *scene = *state;

	stats_user(&scene->stats, 0)->waits = 2;
	assert_false(is_deadlock(scene));
	assert_false(is_deadlock(scene));
}

static void the_wait_before_a_loop_has_no_line(void **state)
{
	struct scene *scene = *state;

	stats_user(&scene->stats, 1)->op = 0;
	assert_false(is_deadlock(scene));
	assert_true(is_deadlock(scene));
	assert_non_null(strstr(scene->text, "user 21 waits for the others "
					    "before the next loop, "));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int unit_watchdog(void)
{
	const struct CMUnitTest tests[] = {
		TEST(users_at_a_barrier_are_part_of_a_deadlock),
		TEST(users_that_are_released_do_not_wait),
		TEST(users_may_wait_for_one_that_plays),
		TEST(the_wait_before_a_loop_has_no_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
