/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test the texts that describe a run, and the warnings and reasons of its
 * points.
 */
#include "unit.h"

#include "report/describe.h"

enum { POINTS_MAX = 6, REASONS_MAX = 3, RESULTS_MAX = 2 };

/* Results with no data except user counts and reasons. */
struct scene {
	struct result results[RESULTS_MAX];
	struct result_point points[RESULTS_MAX][POINTS_MAX];
	char *texts[RESULTS_MAX][POINTS_MAX][REASONS_MAX];
	describe_kind *kind;
};

/* A point of a scene and its reasons. */
struct scene_point {
	unsigned users;
	const char *reasons[REASONS_MAX];
};

static void set(struct scene *scene, size_t index, const struct scene_point *points, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++) {
		struct result_point *point = &scene->points[index][i];
		struct result_reasons reasons = {scene->texts[index][i], 0};

		for (j = 0; j < REASONS_MAX; j++)
			if (points[i].reasons[j] != NULL)
				reasons.texts[reasons.count++] =
					(char *)(uintptr_t)points[i].reasons[j];
		point->users = points[i].users;
		if (scene->kind == describe_warnings)
			point->warnings = reasons;
		else
			point->invalid = reasons;
	}
	scene->results[index].points = scene->points[index];
	scene->results[index].point_count = count;
}

#define SET(scene, index, ...) \
	set(scene, index, (const struct scene_point[]){__VA_ARGS__}, \
	    LENGTH(((const struct scene_point[]){__VA_ARGS__})))

static void add_line(void *context, const char *name, const char *text)
{
	fprintf(context, "%s %s\n", name, text);
}

static void expect(const struct scene *scene, const char *const *names, size_t count,
		   const char *wanted)
{
	const struct result *results[RESULTS_MAX];
	char *text = NULL;
	size_t bytes, i;
	FILE *stream = open_memstream(&text, &bytes);

	assert_non_null(stream);
	for (i = 0; i < count; i++)
		results[i] = &scene->results[i];
	describe_reasons(results, names, count, scene->kind, "why", add_line, stream);
	fclose(stream);
	assert_string_equal(text, wanted);
	free(text);
}

static void without_reasons_nothing_is_written(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {NULL}}, {2, {NULL}});
	expect(&scene, NULL, 1, "");
	SET(&scene, 0, {0, {NULL}});
	scene.results[0].point_count = 0;
	expect(&scene, NULL, 1, "");
}

static void adjacent_points_are_a_range(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {"a"}}, {2, {NULL}}, {4, {"a"}}, {8, {"a"}}, {16, {"a"}}, {32, {NULL}});
	expect(&scene, NULL, 1, "why at 1, 4 to 16 users: a\n");
	SET(&scene, 0, {1, {NULL}}, {2, {"a"}}, {4, {"a"}}, {8, {NULL}});
	expect(&scene, NULL, 1, "why at 2, 4 users: a\n");
	SET(&scene, 0, {1, {"a"}}, {2, {NULL}});
	expect(&scene, NULL, 1, "why at 1 user: a\n");
}

static void all_points_are_named_together(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {"a"}}, {2, {"b", "a"}});
	expect(&scene, NULL, 1, "why at all points: a\nwhy at 2 users: b\n");
	/* If there is only one point, its user count is written. */
	SET(&scene, 0, {4, {"a"}});
	expect(&scene, NULL, 1, "why at 4 users: a\n");
}

static void numbers_become_ranges(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {"short: 0.45 s of 7"}}, {2, {"short: 0.4 s of 7"}},
	    {4, {"short: 10.5 s of 7"}});
	expect(&scene, NULL, 1, "why at all points: short: 0.4 to 10.5 s of 7\n");
	/* Digits within a word are not a number. */
	SET(&scene, 0, {1, {"READ3 took 1 s"}}, {2, {"READ4 took 2 s"}});
	expect(&scene, NULL, 1,
	       "why at 1 user: READ3 took 1 s\n"
	       "why at 2 users: READ4 took 2 s\n");
	/* Texts that differ after the number are not merged. */
	SET(&scene, 0, {1, {"took 1"}}, {2, {"took 2 s"}});
	expect(&scene, NULL, 1, "why at 1 user: took 1\nwhy at 2 users: took 2 s\n");
}

static void reasons_that_void_a_point_keep_their_numbers(void **state)
{
	struct scene scene = {.kind = describe_invalid};

	SET(&scene, 0, {1, {"user 1 died"}}, {2, {"user 7 died"}}, {4, {"user 7 died"}});
	expect(&scene, NULL, 1,
	       "why at 1 user: user 1 died\n"
	       "why at 2, 4 users: user 7 died\n");
}

static void reasons_of_one_point_are_merged(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {"a 5", "b", "a 3"}}, {2, {"a 4"}});
	expect(&scene, NULL, 1, "why at all points: a 3 to 5\nwhy at 1 user: b\n");
}

static void results_are_named(void **state)
{
	static const char *const names[] = {"base", "new"};
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {"a 1"}}, {2, {"a 2"}}, {4, {NULL}});
	SET(&scene, 1, {1, {"a 3"}}, {2, {"a 4"}}, {4, {"b"}});
	expect(&scene, names, 2,
	       "why base and new at 1, 2 users: a 1 to 4\n"
	       "why new at 4 users: b\n");
	SET(&scene, 1, {1, {"a 3"}}, {2, {"a 4"}}, {4, {"a 4"}});
	expect(&scene, names, 2, "why base at 1, 2 users, new at all points: a 1 to 4\n");
	/* A result without the reason is not named. */
	SET(&scene, 0, {1, {NULL}}, {2, {NULL}});
	expect(&scene, names, 2, "why new at all points: a 3 to 4\n");
}

static void texts_may_have_any_bytes(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {"", "%s%n 1", "\n::error ::x \033[2J 99999999999"}}, {2, {"%s%n 2"}},
	    {4, {"\n::error ::x \033[2J 999999999999999999"}});
	expect(&scene, NULL, 1,
	       "why at 1 user: \n"
	       "why at 1, 2 users: %s%n 1 to 2\n"
	       "why at 1, 4 users: \n::error ::x \033[2J 99999999999 to 999999999999999999\n");
}

static void expect_part(const struct result_run *run, unsigned part, const char *wanted)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	assert_non_null(stream);
	describe_run(run, part, add_line, stream);
	fclose(stream);
	if (strstr(text, wanted) == NULL)
		fail_msg("no \"%s\" in \"%s\"", wanted, text);
	free(text);
}

static void expect_plan(const struct result_run *run, const char *wanted)
{
	expect_part(run, DESCRIBE_PLAN, wanted);
}

static void a_load_has_the_time_of_its_time_stamps(void **state)
{
	const struct result_run run = {
		.loadfile = {.name = (char[]){"a"}, .ops = 7, .paced_ns = 64800 * NS_PER_S},
	};

	expect_part(&run, DESCRIBE_LOAD,
		    "load a: 7 operations per loop, 0 B read, 0 B written, footprint 0 B; its time "
		    "stamps take 18 h\n");
}

static void skipped_operations_have_a_share(void **state)
{
	struct result_unsupported list[] = {
		{(char[]){"Flush"}, RESULT_SKIPPED, (char[]){"fsync"}, 1, 0.01, NULL},
		{(char[]){"LockX"}, RESULT_SKIPPED, (char[]){"locks"}, 1, 0.02, NULL},
		{(char[]){"UnlockX"}, RESULT_SKIPPED, (char[]){"locks"}, 1, 0.005, NULL},
		{(char[]){"Open"}, RESULT_DEGRADED, (char[]){"O_SYNC"}, 1, 0.1, NULL},
	};
	struct result_run run = {
		.unsupported = list,
		.unsupported_count = LENGTH(list),
	};

	expect_plan(&run, "skipped 3.5 % of the load: Flush (1 %: no fsync), LockX (2 %: no "
			  "locks), UnlockX (0.5 %)\n");
	/* If only one operation is degraded, no total is printed. */
	expect_plan(&run, "degraded Open (10 %: no O_SYNC)\n");
}

static void each_load_has_lines_of_its_own(void **state)
{
	struct result_loadfile loads[] = {
		{.name = (char[]){"a"}, .weight = 3},
		{.name = (char[]){"b"}, .weight = 1},
	};
	struct result_unsupported list[] = {
		{(char[]){"LockX"}, RESULT_SKIPPED, (char[]){"locks"}, 1, 0.02, loads[0].name},
		{(char[]){"Flush"}, RESULT_SKIPPED, (char[]){"fsync"}, 1, 0.01, loads[1].name},
		{(char[]){"LockX"}, RESULT_SKIPPED, (char[]){"locks"}, 1, 0.03, loads[1].name},
	};
	struct result_run run = {
		.loadfiles = loads,
		.loadfile_count = LENGTH(loads),
		.unsupported = list,
		.unsupported_count = LENGTH(list),
	};

	expect_plan(&run, "skipped a: LockX (2 %: no locks)\n"
			  "skipped b: 4 % of the load: Flush (1 %: no fsync), "
			  "LockX (3 %: no locks)\n");
}

/* The numbers in a load's name are not figures, of which a range could be
 * printed. */
static void names_in_quotes_are_not_numbers(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {"\"load 1\": 5 s", "\"load 2\": 6 s"}}, {2, {"\"load 1\": 7 s"}});
	expect(&scene, NULL, 1,
	       "why at all points: \"load 1\": 5 to 7 s\n"
	       "why at 1 user: \"load 2\": 6 s\n");
}

int unit_describe(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_reasons_nothing_is_written),
		cmocka_unit_test(adjacent_points_are_a_range),
		cmocka_unit_test(all_points_are_named_together),
		cmocka_unit_test(numbers_become_ranges),
		cmocka_unit_test(reasons_that_void_a_point_keep_their_numbers),
		cmocka_unit_test(reasons_of_one_point_are_merged),
		cmocka_unit_test(results_are_named),
		cmocka_unit_test(texts_may_have_any_bytes),
		cmocka_unit_test(a_load_has_the_time_of_its_time_stamps),
		cmocka_unit_test(skipped_operations_have_a_share),
		cmocka_unit_test(each_load_has_lines_of_its_own),
		cmocka_unit_test(names_in_quotes_are_not_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
