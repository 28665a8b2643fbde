/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time is passed to deadline_pass, so these tests don't wait. */
#include "unit.h"

#include "base/process.h"
#include "run/watchdog.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

enum { USERS = 4, TARGETS = 2, TIMEOUT_S = 20 };

static const struct backend remote = {.remote = true};

/* Users 0 and 2 play on the first target, 1 and 3 on the second. */
struct scene {
	struct stats stats;
	struct target target[TARGETS];
	struct workers_target on[TARGETS];
	struct op op; /* the program's only operation */
	struct program program;
	struct load load;
	struct loads loads;
	unsigned turn;
	struct workers_plan plan;
	struct deadline deadline;
	pid_t pids[USERS];
};

static struct stats_user *own(struct scene *scene, unsigned user)
{
	return stats_user(&scene->stats, user);
}

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	unsigned i;

	assert_int_equal(stats_map(&scene->stats, USERS, 1, 1, 1, NULL, false), 0);
	for (i = 0; i < TARGETS; i++) {
		scene->target[i] = (struct target){
			.backend = &remote,
			.url = i == 0 ? "far://first" : "far://second",
			.timeout_s = TIMEOUT_S,
		};
		scene->on[i].target = &scene->target[i];
	}
	scene->op.kind = OP_READ;
	scene->program = (struct program){.ops = &scene->op, .op_count = 1};
	scene->load = (struct load){.program = &scene->program, .weight = 1};
	scene->loads = (struct loads){
		.list = &scene->load,
		.count = 1,
		.turns = &scene->turn,
		.turn_count = 1,
	};
	scene->plan = (struct workers_plan){
		.loads = &scene->loads,
		.targets = scene->on,
		.target_count = TARGETS,
		.users = USERS,
	};
	for (i = 0; i < USERS; i++) {
		scene->pids[i] = process_fork();
		assert_true(scene->pids[i] >= 0);
		while (scene->pids[i] == 0)
			pause();
		own(scene, i)->state = STATS_RUNNING;
		own(scene, i)->busy_since_ns = CLOCK_NEVER;
	}
	assert_int_equal(deadline_open(&scene->deadline, &scene->plan, &scene->stats), 0);
	*state = scene;
	return 0;
}

/* Return true if the code under test has killed the user's process. Otherwise,
 * end the process. Reap it in both cases, so call this only once per user. */
static bool was_killed(struct scene *scene, unsigned user)
{
	int status;

	kill(scene->pids[user], SIGTERM);
	assert_int_equal(waitpid(scene->pids[user], &status, 0), scene->pids[user]);
	scene->pids[user] = 0;
	assert_true(WIFSIGNALED(status));
	return WTERMSIG(status) == SIGKILL;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;
	unsigned i;

	for (i = 0; i < USERS; i++)
		if (scene->pids[i] > 0)
			was_killed(scene, i);
	deadline_close(&scene->deadline);
	stats_unmap(&scene->stats);
	free(scene);
	return 0;
}

static void pass(struct scene *scene, double seconds)
{
	int steps = (int)(seconds * 50 + 0.5);

	while (steps-- > 0)
		deadline_pass(&scene->deadline, NS_PER_S / 50, scene->pids);
}

static void an_operation_that_is_overdue_ends_the_run(void **state)
{
	struct scene *scene = *state;
	const struct stats_run *run = scene->stats.run;

	own(scene, 1)->busy_since_ns = 12345;
	pass(scene, TIMEOUT_S + 2);
	assert_int_equal(run->stop, 0);
	assert_int_equal(scene->on[1].gone, 0);
	pass(scene, 1);
	assert_int_equal(run->stop, 1);
	assert_int_equal(run->failure_complete, 1);
	assert_int_equal(run->failure.user, 1);
	assert_int_equal(run->failure.returned, -ETIMEDOUT);
	/* The failure names the operation in progress. */
	assert_int_equal(run->failure.op, 0);
	assert_int_equal(scene->on[1].gone, -ETIMEDOUT);
	assert_int_equal(scene->on[0].gone, 0);
	assert_true(was_killed(scene, 1));
}

static void an_overdue_removal_is_reported_with_its_target(void **state)
{
	struct scene *scene = *state;
	const struct stats_failure *failure = &scene->stats.run->failure;

	own(scene, 1)->state = STATS_ENDING;
	pass(scene, TIMEOUT_S + 3);
	assert_int_equal(failure->op, UINT32_MAX);
	assert_string_equal(failure->path, "far://second");
}

static void other_users_of_a_target_that_is_gone_have_a_second(void **state)
{
	struct scene *scene = *state;

	own(scene, 1)->lost = -ETIMEDOUT;
	assert_false(was_killed(scene, 1));
	pass(scene, 0.5);
	assert_int_equal(scene->on[1].gone, -ETIMEDOUT);
	own(scene, 3)->state = STATS_ENDING;
	own(scene, 3)->steps++;
	pass(scene, 1.5);
	assert_true(was_killed(scene, 3));
	assert_false(was_killed(scene, 0));
}

static void progress_and_sleep_are_not_overdue(void **state)
{
	struct scene *scene = *state;
	int i;

	own(scene, 2)->state = STATS_ENDING;
	for (i = 0; i < 10; i++) {
		own(scene, 1)->busy_since_ns = 12345 + (uint64_t)i;
		own(scene, 2)->steps++;
		own(scene, 3)->state = STATS_READY;
		pass(scene, TIMEOUT_S - 1);
	}
	assert_int_equal(scene->stats.run->stop, 0);
	assert_false(was_killed(scene, 0));
	assert_false(was_killed(scene, 1));
	assert_false(was_killed(scene, 2));
	assert_false(was_killed(scene, 3));
}

/* After a lost connection the server may still be up, so the target's other
 * users are not killed. */
static void a_lost_connection_is_not_a_lost_target(void **state)
{
	struct scene *scene = *state;

	own(scene, 0)->lost = -ECONNRESET;
	pass(scene, 3);
	assert_int_equal(scene->on[0].gone, 0);
	assert_false(was_killed(scene, 2));
}

static void a_long_run_may_clean_up_for_longer(void **state)
{
	assert_true(deadline_clean_up_ns(0) == 3600 * NS_PER_S);
	assert_true(deadline_clean_up_ns(NS_PER_S) == 3602 * NS_PER_S);
}

/* A user may wait for any time until the parent has written the result. */
static void waiting_to_remove_files_is_not_overdue(void **state)
{
	struct scene *scene = *state;

	own(scene, 0)->state = STATS_SETTLED;
	pass(scene, 10 * TIMEOUT_S);
	assert_int_equal(scene->stats.run->stop, 0);
	assert_false(was_killed(scene, 0));
}

int unit_deadline(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(an_operation_that_is_overdue_ends_the_run),
		TEST(an_overdue_removal_is_reported_with_its_target),
		TEST(other_users_of_a_target_that_is_gone_have_a_second),
		TEST(progress_and_sleep_are_not_overdue),
		TEST(a_lost_connection_is_not_a_lost_target),
		TEST(waiting_to_remove_files_is_not_overdue),
		cmocka_unit_test(a_long_run_may_clean_up_for_longer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
