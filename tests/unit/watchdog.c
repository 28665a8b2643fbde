/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test which users the watchdog takes for users that wait for each other, and
 * which operations for those that hang. The test passes the time in. */
#include "unit.h"

#include "run/watchdog.h"

enum { USERS = 3, FIRST = 20, STAT = 0, WAITSP = 1, PHASE = 2 };

/* When the operation of user HANGS began, and the first time at which it has
 * taken long. */
enum { HANGS = 1 };
#define BEGAN_NS (100 * NS_PER_S)
#define LONG_NS (BEGAN_NS + 10 * NS_PER_S)

struct scene {
	struct backend backend;
	struct target target;
	struct workers_target on;
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
				   calloc(1, sizeof(struct profile)), 1, &error),
			 0);
	assert_int_equal(loads_finish(&scene->loads, &error), 0);
	scene->target.backend = &scene->backend;
	scene->on.target = &scene->target;
	scene->plan = (struct workers_plan){
		.loads = &scene->loads,
		.targets = &scene->on,
		.target_count = 1,
		.users = USERS,
		.first_user = FIRST,
	};
	assert_int_equal(stats_map(&scene->stats, USERS, 2, 1, 1, NULL, false), 0);
	for (user = 0; user < USERS; user++) {
		struct stats_user *own = stats_user(&scene->stats, user);

		own->state = STATS_RUNNING;
		own->waits = 1;
		own->op = user == 0 ? WAITSP : PHASE;
		own->at_barrier = user > 0;
		own->awaits = user == 0 ? UINT64_C(1) << 32 | 8 : 0;
		own->busy_since_ns = CLOCK_NEVER;
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
	return watchdog_find_deadlock(&scene->watchdog, &scene->plan, &scene->stats, scene->text);
}

static void users_at_a_barrier_are_part_of_a_deadlock(void **state)
{
	struct scene *scene = *state;

	assert_false(is_deadlock(scene));
	assert_true(is_deadlock(scene));
	assert_non_null(strstr(
		scene->text,
		": user 20 waits for sequence point 7 of user 21 (line 2), user 21 waits for the "
		"other users of its load at PHASE a (line 3), user 22 waits for the other users of "
		"its load at PHASE a (line 3)"));
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
	assert_non_null(
		strstr(scene->text,
		       "user 21 waits for the other users of its load before the next loop, "));
}

/* Let one user play an operation. */
static struct stats_user *begin_stat(struct scene *scene)
{
	struct stats_user *own = stats_user(&scene->stats, HANGS);

	own->op = STAT;
	own->waits = own->at_barrier = 0;
	own->busy_since_ns = BEGAN_NS;
	return own;
}

static const char *find_hang(struct scene *scene, uint64_t now_ns)
{
	return watchdog_find_hang(&scene->watchdog, &scene->plan, &scene->stats, now_ns);
}

static void a_long_operation_is_a_warning_once(void **state)
{
	struct scene *scene = *state;
	const char *found;

	begin_stat(scene);
	assert_null(find_hang(scene, LONG_NS - 1));
	found = find_hang(scene, LONG_NS + 2 * NS_PER_S);
	assert_non_null(found);
	assert_non_null(strstr(
		found,
		":1: the operation stat has not returned for 12 s; throng continues to wait"));
	assert_int_equal(strncmp(found, "user 21: ", 9), 0);
	assert_null(find_hang(scene, 2 * LONG_NS));
}

static void the_longest_operation_is_named(void **state)
{
	struct scene *scene = *state;
	struct stats_user *other = stats_user(&scene->stats, 2);

	begin_stat(scene);
	other->op = STAT;
	other->busy_since_ns = BEGAN_NS + 1;
	assert_int_equal(strncmp(find_hang(scene, LONG_NS), "user 21: ", 9), 0);
}

/* The operation of any lane can hang. Its stream is named. */
static void a_stream_hangs(void **state)
{
	struct scene *scene = *state;
	struct stats_user *lane = stats_user(&scene->stats, stats_block(&scene->stats, HANGS, 1));

	scene->loads.list[0].program->streams = 1;
	lane->state = STATS_RUNNING;
	lane->op = STAT;
	lane->busy_since_ns = BEGAN_NS;
	assert_int_equal(strncmp(find_hang(scene, LONG_NS), "user 21, stream 0: ", 19), 0);
}

static void waiting_and_ending_are_no_hang(void **state)
{
	static const uint32_t others[] = {STATS_READY, STATS_ENDING, STATS_DONE};
	struct scene *scene = *state;
	struct stats_user *own = begin_stat(scene);
	size_t i;

	own->op = WAITSP;
	assert_null(find_hang(scene, LONG_NS));
	own->op = STAT;
	for (i = 0; i < LENGTH(others); i++) {
		own->state = others[i];
		assert_null(find_hang(scene, LONG_NS));
	}
	own->state = STATS_RUNNING;
	own->busy_since_ns = 0;
	assert_null(find_hang(scene, LONG_NS));
	own->busy_since_ns = CLOCK_NEVER;
	assert_null(find_hang(scene, LONG_NS));
	own->busy_since_ns = BEGAN_NS;
	own->state = STATS_STARTING;
	assert_non_null(find_hang(scene, LONG_NS));
}

static void a_remote_target_has_its_own_timeout(void **state)
{
	struct scene *scene = *state;

	begin_stat(scene);
	scene->backend.remote = true;
	assert_null(find_hang(scene, LONG_NS));
}

/* A server does not limit the time for which others have a lock. */
static void a_wait_for_a_remote_lock_has_no_timeout(void **state)
{
	struct scene *scene = *state;
	struct stats_user *own = begin_stat(scene);

	scene->backend.remote = true;
	own->blocked_since_ns = BEGAN_NS - 1; /* an earlier operation */
	assert_null(find_hang(scene, LONG_NS));
	own->blocked_since_ns = BEGAN_NS;
	assert_null(find_hang(scene, LONG_NS - 1));
	assert_non_null(strstr(find_hang(scene, LONG_NS),
			       "stat has not returned for 10 s; throng continues to wait"));
}

static void a_stop_of_the_run_does_not_count(void **state)
{
	struct scene *scene = *state;

	begin_stat(scene);
	scene->watchdog.resumed_ns = LONG_NS - 1;
	assert_null(find_hang(scene, LONG_NS));
	assert_null(find_hang(scene, LONG_NS - 2 + 10 * NS_PER_S));
	assert_non_null(find_hang(scene, LONG_NS - 1 + 10 * NS_PER_S));
}

/* A user that has moved between two checks may have been about to release the
 * others. */
static void a_move_puts_off_the_verdict(void **state)
{
	struct scene *scene = *state;
	struct stats_user *own = stats_user(&scene->stats, 0);

	assert_false(is_deadlock(scene));
	own->waits += 2;
	assert_false(is_deadlock(scene));
	own->waits++;
	assert_false(is_deadlock(scene));
	own->waits++;
	assert_false(is_deadlock(scene));
	assert_true(is_deadlock(scene));
}

static void a_reached_sequence_point_ends_the_wait(void **state)
{
	struct scene *scene = *state;
	struct stats_user *other = stats_user(&scene->stats, 1);

	other->sequence_point = stats_user(&scene->stats, 0)->awaits;
	assert_false(is_deadlock(scene));
	assert_false(is_deadlock(scene));
	other->sequence_point--;
	assert_false(is_deadlock(scene));
	assert_true(is_deadlock(scene));
	/* Nobody waits for a user that has ended. */
	other->state = STATS_ENDING;
	assert_false(is_deadlock(scene));
	assert_false(is_deadlock(scene));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int unit_watchdog(void)
{
	const struct CMUnitTest tests[] = {
		TEST(users_at_a_barrier_are_part_of_a_deadlock),
		TEST(users_that_are_released_do_not_wait),
		TEST(users_may_wait_for_one_that_plays),
		TEST(the_wait_before_a_loop_has_no_line),
		TEST(a_move_puts_off_the_verdict),
		TEST(a_reached_sequence_point_ends_the_wait),
		TEST(a_long_operation_is_a_warning_once),
		TEST(the_longest_operation_is_named),
		TEST(a_stream_hangs),
		TEST(waiting_and_ending_are_no_hang),
		TEST(a_remote_target_has_its_own_timeout),
		TEST(a_wait_for_a_remote_lock_has_no_timeout),
		TEST(a_stop_of_the_run_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
