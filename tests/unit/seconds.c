/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "measure/seconds.h"
#include "run/workers_view.h"

enum { USERS = 2, LABELS = 1 };

struct scene {
	struct stats stats;
	struct seconds seconds;
};

static int set_up(void **state)
{
	struct scene *scene = malloc(sizeof(*scene));

	assert_int_equal(stats_map(&scene->stats, USERS, 1, 1, LABELS, NULL, false), 0);
	assert_int_equal(seconds_open(&scene->seconds, 10 * NS_PER_S), 0);
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	stats_unmap(&scene->stats);
	seconds_close(&scene->seconds);
	free(scene);
	return 0;
}

static void measure(struct scene *scene, unsigned user, unsigned count, uint64_t took_ns)
{
	struct histogram *live = stats_live(&scene->stats, user);

	while (count-- > 0)
		histogram_record(live, took_ns);
}

static void add_sample(struct scene *scene, double at_s, uint64_t bytes)
{
	const struct seconds_sample sample = {.bytes = bytes};

	seconds_add(&scene->seconds, &scene->stats, (uint64_t)(at_s * 1e9), &sample);
}

/* Add a sample of users whose last operation ended `still_s` ago. */
static void add_still_sample(struct scene *scene, double at_s, double still_s)
{
	const struct seconds_sample sample = {
		.still_ns = (uint64_t)(still_s * 1e9),
	};

	seconds_add(&scene->seconds, &scene->stats, (uint64_t)(at_s * 1e9), &sample);
}

static void a_second_counts_only_new_operations(void **state)
{
	struct scene *scene = *state;
	const struct second *list = scene->seconds.list;

	measure(scene, 0, 60, 1000);
	measure(scene, 1, 60, 2000);
	add_sample(scene, 1, 500);
	measure(scene, 0, 200, 50);
	add_sample(scene, 2, 800);
	assert_int_equal(scene->seconds.count, 2);
	assert_true(list[0].end_ns == NS_PER_S);
	assert_int_equal(list[0].bytes, 500);
	assert_in_range(list[0].p99_ns, 1980, 2020);
	assert_true(list[1].end_ns == 2 * NS_PER_S);
	assert_int_equal(list[1].bytes, 300);
	assert_int_equal(list[1].p99_ns, 50);
}

static void few_operations_have_no_p99(void **state)
{
	struct scene *scene = *state;

	measure(scene, 0, 99, 1000);
	add_sample(scene, 1, 500);
	measure(scene, 0, 100, 1000);
	add_sample(scene, 2, 500);
	assert_int_equal(scene->seconds.list[0].p99_ns, 0);
	assert_in_range(scene->seconds.list[1].p99_ns, 990, 1010);
}

static void a_short_second_is_part_of_the_next(void **state)
{
	struct scene *scene = *state;

	add_sample(scene, 0.001, 10);
	add_sample(scene, 1, 500);
	add_sample(scene, 1.499, 600);
	add_sample(scene, 2, 700);
	assert_int_equal(scene->seconds.count, 2);
	assert_int_equal(scene->seconds.list[0].bytes, 500);
	assert_int_equal(scene->seconds.list[1].bytes, 200);
}

static void a_wrapped_cell_is_subtracted_correctly(void **state)
{
	struct scene *scene = *state;
	struct histogram *live = stats_live(&scene->stats, 0);

	live->cells[50] = UINT32_MAX - 10;
	add_sample(scene, 1, 0);
	measure(scene, 0, 200, 50);
	add_sample(scene, 2, 0);
	assert_int_equal(scene->seconds.list[1].p99_ns, 50);
	assert_true(histogram_count(scene->seconds.between) == 200);
}

static void seconds_beyond_the_room_are_dropped(void **state)
{
	struct scene *scene = *state;
	unsigned i;

	for (i = 1; i < 100; i++)
		add_sample(scene, i, i);
	assert_int_equal(scene->seconds.count, scene->seconds.room);
}

static void whole_seconds_of_a_silence_are_counted_once(void **state)
{
	struct scene *scene = *state;
	const uint64_t *silent = &scene->seconds.silent;

	add_still_sample(scene, 1, 0.9);
	assert_int_equal(*silent, 0);
	add_still_sample(scene, 2, 0.2);
	assert_int_equal(*silent, 0);
	add_still_sample(scene, 3, 1.2);
	assert_int_equal(*silent, 1);
	add_still_sample(scene, 4, 2.2);
	assert_int_equal(*silent, 2);
	/* A second silence, during which the parent takes only one sample, and
	 * takes it late. */
	add_still_sample(scene, 5, 0);
	add_still_sample(scene, 8.4, 3.3);
	assert_int_equal(*silent, 5);
}

static void a_silence_begins_with_the_window(void **state)
{
	struct scene *scene = *state;

	add_still_sample(scene, 0.9, 5);
	assert_int_equal(scene->seconds.silent, 0);
	add_still_sample(scene, 1.9, 6);
	assert_int_equal(scene->seconds.silent, 1);
}

static void take_sample(struct workers_sampler *sampler, double at_s)
{
	struct workers_view view;

	workers_sample(sampler, (uint64_t)(at_s * 1e9), &view);
}

/* Begin a window with --loops, at 100 s. */
static struct workers_sampler begin_loops(struct scene *scene)
{
	static const struct workers_plan plan = {.phases.loops = 1};
	struct stats_run *run = scene->stats.run;

	run->start_ns = run->measure_ns = 100 * NS_PER_S;
	run->stop_ns = run->leave_ns = CLOCK_NEVER;
	return (struct workers_sampler){
		.plan = &plan,
		.stats = &scene->stats,
		.seconds = &scene->seconds,
	};
}

/* With --loops, nobody knows the end of the window before the last user has
 * finished. Users then remove their files, which takes longer here. */
static void seconds_of_a_clean_up_are_not_counted(void **state)
{
	struct scene *scene = *state;
	struct workers_sampler sampler = begin_loops(scene);
	struct stats_run *run = scene->stats.run;
	unsigned user;

	for (user = 0; user < USERS; user++) {
		struct stats_user *own = stats_user(&scene->stats, user);

		own->state = STATS_RUNNING;
		own->busy_since_ns = run->start_ns;
	}
	take_sample(&sampler, 101);
	assert_int_equal(scene->seconds.silent, 1);
	for (user = 0; user < USERS; user++) {
		struct stats_user *own = stats_user(&scene->stats, user);

		own->state = STATS_ENDING;
		own->busy_since_ns = CLOCK_NEVER;
		own->finish_ns = 101 * NS_PER_S + (1 + user) * NS_PER_S / 4;
		run->finished++;
	}
	take_sample(&sampler, 102.3);
	take_sample(&sampler, 103.3);
	take_sample(&sampler, 108);
	workers_sample_last(&sampler, stats_user(&scene->stats, 1)->finish_ns);
	assert_int_equal(scene->seconds.silent, 1);
	assert_int_equal(scene->seconds.count, 2);
	assert_int_equal(scene->seconds.list[1].end_ns, 1500 * NS_PER_MS);
}

/* Users that leave before the window begins, and then remove their files. */
static void a_window_that_never_begins_has_no_second(void **state)
{
	struct scene *scene = *state;
	struct workers_sampler sampler = begin_loops(scene);
	struct stats_run *run = scene->stats.run;
	unsigned user;

	for (user = 0; user < USERS; user++) {
		struct stats_user *own = stats_user(&scene->stats, user);

		own->state = STATS_ENDING;
		own->busy_since_ns = CLOCK_NEVER;
		own->finish_ns = 99 * NS_PER_S;
		run->finished++;
	}
	take_sample(&sampler, 102);
	assert_int_equal(scene->seconds.count, 0);
}

int unit_seconds(void)
{
#define IN_SCENE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		IN_SCENE(a_second_counts_only_new_operations),
		IN_SCENE(few_operations_have_no_p99),
		IN_SCENE(a_short_second_is_part_of_the_next),
		IN_SCENE(a_wrapped_cell_is_subtracted_correctly),
		IN_SCENE(seconds_beyond_the_room_are_dropped),
		IN_SCENE(whole_seconds_of_a_silence_are_counted_once),
		IN_SCENE(a_silence_begins_with_the_window),
		IN_SCENE(seconds_of_a_clean_up_are_not_counted),
		IN_SCENE(a_window_that_never_begins_has_no_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
