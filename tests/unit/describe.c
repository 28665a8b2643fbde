/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test the texts that describe a run, and the warnings and reasons of its
 * points.
 */
#include "unit.h"

#include "report/describe.h"
#include "result/variant.h"

enum { POINTS_MAX = 6, REASONS_MAX = 3, RESULTS_MAX = 5 };

/* Results with no data except user counts and reasons. */
struct scene {
	struct result results[RESULTS_MAX];
	struct result_point points[RESULTS_MAX][POINTS_MAX];
	describe_kind *kind;
};

/* A point of a scene and its notices, up to one without a text and a number. */
struct scene_point {
	unsigned users;
	struct notice notices[REASONS_MAX];
};

#define A {.detail = "a"}
#define B {.detail = "b"}
#define SILENT(number) \
	{ \
		.kind = NOTICE_SILENT, .numbers = { number } \
	}
#define SHORT(number) \
	{ \
		.kind = NOTICE_SHORT_WINDOW, .numbers = { number } \
	}

static void set(struct scene *scene, size_t index, const struct scene_point *points, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++) {
		struct result_point *point = &scene->points[index][i];
		struct notices *notices = scene->kind == describe_warnings ? &point->warnings
									   : &point->invalid;

		notices_free(notices);
		for (j = 0; j < REASONS_MAX; j++)
			if (points[i].notices[j].detail != NULL ||
			    points[i].notices[j].kind != NOTICE_OPERATION_FAILED)
				notice_add(notices, &points[i].notices[j]);
		point->users = points[i].users;
	}
	scene->results[index].points = scene->points[index];
	scene->results[index].point_count = count;
	scene->results[index].run.variant_count = 1;
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
	struct view_side sides[RESULTS_MAX] = {0};
	struct notices merged = {0};
	char text[1000] = "";
	size_t i;

	for (i = 0; i < count; i++)
		sides[i] = (struct view_side){
			.result = &scene->results[i],
			.name = names != NULL ? names[i] : NULL,
		};
	describe_notices(sides, count, scene->kind, &merged);
	for (i = 0; i < merged.count; i++) {
		char *line = notice_text(&merged.list[i]);

		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s\n", line);
		free(line);
	}
	assert_string_equal(text, wanted);
	notices_free(&merged);
}

/* Free the notices of a scene. */
static void end(struct scene *scene)
{
	size_t i, j;

	for (i = 0; i < RESULTS_MAX; i++) {
		for (j = 0; j < POINTS_MAX; j++) {
			notices_free(&scene->points[i][j].warnings);
			notices_free(&scene->points[i][j].invalid);
		}
	}
}

static void without_reasons_nothing_is_written(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {{0}}}, {2, {{0}}});
	expect(&scene, NULL, 1, "");
	SET(&scene, 0, {0, {{0}}});
	scene.results[0].point_count = 0;
	expect(&scene, NULL, 1, "");
	end(&scene);
}

static void adjacent_points_are_a_range(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {A}}, {2, {{0}}}, {4, {A}}, {8, {A}}, {16, {A}}, {32, {{0}}});
	expect(&scene, NULL, 1, "at 1, 4 to 16 users: a\n");
	SET(&scene, 0, {1, {{0}}}, {2, {A}}, {4, {A}}, {8, {{0}}});
	expect(&scene, NULL, 1, "at 2, 4 users: a\n");
	SET(&scene, 0, {1, {A}}, {2, {{0}}});
	expect(&scene, NULL, 1, "at 1 user: a\n");
	end(&scene);
}

static void all_points_are_named_together(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {A}}, {2, {B, A}});
	expect(&scene, NULL, 1, "at all points: a\nat 2 users: b\n");
	/* If there is only one point, its user count is written. */
	SET(&scene, 0, {4, {A}});
	expect(&scene, NULL, 1, "at 4 users: a\n");
	end(&scene);
}

static void numbers_become_ranges(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {SHORT(0.45)}}, {2, {SHORT(0.4)}}, {4, {SHORT(10.5)}});
	expect(&scene, NULL, 1,
	       "at all points: only 0.40 to 10.50 s were measured, which is too short for stable "
	       "figures; increase --time\n");
	/* Each number has its own range. */
	SET(&scene, 0, {1, {{.kind = NOTICE_MIX, .numbers = {5, 7}}}},
	    {2, {{.kind = NOTICE_MIX, .numbers = {4, 7}}}}, {4, {SHORT(1)}});
	expect(&scene, NULL, 1,
	       "at 1, 2 users: the figures cover only a part of the load: on average, a measured "
	       "operation transferred 4 to 5 bytes, but an operation of the whole load transfers "
	       "7 bytes; increase --time, or use --loops\nat 4 "
	       "users: only 1.00 s were measured, which is too short for "
	       "stable figures; increase --time\n");
	/* Digits within a name are not a number. */
	SET(&scene, 0, {1, {{.kind = NOTICE_DEGRADED, .subject = "READ3", .detail = "x"}}},
	    {2, {{.kind = NOTICE_DEGRADED, .subject = "READ4", .detail = "x"}}}, {4, {{0}}});
	expect(&scene, NULL, 1,
	       "at 1 user: READ3 was played without x, which the target does not support; compare "
	       "this result only with results that have the same warning\nat 2 users: "
	       "READ4 was played without x, which the target does not support; compare this result "
	       "only with results that have the same warning\n");
	/* Notices of different kinds are not merged. */
	SET(&scene, 0, {1, {SILENT(1)}}, {2, {SHORT(2)}}, {4, {{0}}});
	expect(&scene, NULL, 1,
	       "at 1 user: no operation completed in 1 whole second, although users were waiting "
	       "for the target; the figures include this time (look for a cause such as a long "
	       "flush)\nat 2 users: only 2.00 s were measured, which is too short for stable "
	       "figures; increase --time\n");
	end(&scene);
}

static void reasons_that_void_a_point_keep_their_numbers(void **state)
{
	struct scene scene = {.kind = describe_invalid};

	SET(&scene, 0, {1, {{.kind = NOTICE_USER_EXITED, .numbers = {1, 3}}}},
	    {2, {{.kind = NOTICE_USER_EXITED, .numbers = {7, 3}}}},
	    {4, {{.kind = NOTICE_USER_EXITED, .numbers = {7, 3}}}},
	    {8, {{.kind = NOTICE_USER_EXITED, .numbers = {7, 3}, .repeat = 2}}});
	expect(&scene, NULL, 1,
	       "at 1 user: user 1 exited with status 3\n"
	       "at 2, 4 users: user 7 exited with status 3\n"
	       "at 8 users: repeat 2: user 7 exited with status 3\n");
	end(&scene);
}

static void reasons_of_one_point_are_merged(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {SILENT(5), B, SILENT(3)}}, {2, {SILENT(4)}});
	expect(&scene, NULL, 1,
	       "at all points: no operation completed in 3 to 5 whole seconds, although users were "
	       "waiting for the target; the figures include this time (look for a cause such as a "
	       "long flush)\nat 1 user: b\n");
	end(&scene);
}

static void results_are_named(void **state)
{
	static const char *const names[] = {"base", "new"};
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0, {1, {SILENT(1)}}, {2, {SILENT(2)}}, {4, {{0}}});
	SET(&scene, 1, {1, {SILENT(3)}}, {2, {SILENT(4)}}, {4, {B}});
	expect(&scene, names, 2,
	       "base and new at 1, 2 users: no operation completed in 1 to 4 whole seconds, "
	       "although users were waiting for the target; the figures include this time (look "
	       "for a cause such as a long flush)\nnew at 4 users: b\n");
	SET(&scene, 1, {1, {SILENT(3)}}, {2, {SILENT(4)}}, {4, {SILENT(4)}});
	expect(&scene, names, 2,
	       "base at 1, 2 users, new at all points: no operation completed in 1 to 4 whole "
	       "seconds, although users were waiting for the target; the figures include this time "
	       "(look for a cause such as a long flush)\n");
	/* A result without the reason is not named. */
	SET(&scene, 0, {1, {{0}}}, {2, {{0}}});
	expect(&scene, names, 2,
	       "new at all points: no operation completed in 3 to 4 whole seconds, although users "
	       "were waiting for the target; the figures include this time (look for a cause such "
	       "as a long flush)\n");
	end(&scene);
}

static void many_results_are_counted(void **state)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	struct scene scene = {.kind = describe_warnings};
	size_t i;

	for (i = 0; i < LENGTH(names); i++)
		SET(&scene, i, {1, {A}}, {2, {{0}}});
	expect(&scene, names, 4, "a, b, c and d at 1 user: a\n");
	expect(&scene, names, 5, "all 5 results at 1 user: a\n");
	SET(&scene, 2, {1, {{0}}}, {2, {{0}}});
	expect(&scene, names, 5, "a, b, d and e at 1 user: a\n");
	end(&scene);
}

static void texts_may_have_any_bytes(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0,
	    {1,
	     {{.detail = ""},
	      {.kind = NOTICE_SILENT, .load = "%s%n", .numbers = {1}},
	      {.kind = NOTICE_HOSTS, .subject = "{0}{detail}", .detail = "\n::error ::x \033[2J"}}},
	    {2, {{.kind = NOTICE_SILENT, .load = "%s%n", .numbers = {2}}}},
	    {4,
	     {{.kind = NOTICE_HOSTS,
	       .subject = "{0}{detail}",
	       .detail = "\n::error ::x \033[2J"}}});
	expect(&scene, NULL, 1,
	       "at 1 user: \nat 1, 2 users: \"%s%n\": no operation completed in 1 to 2 whole "
	       "seconds, although users were waiting for the target; the figures include this time "
	       "(look for a cause such as a long flush)\nat 1, 4 users: base and new were measured "
	       "on different machines ({0}{detail} and \n::error ::x \033[2J), which may be why "
	       "their figures differ\n");
	end(&scene);
}

static void expect_part(const struct result_variant *variant, unsigned part, const char *wanted)
{
	const struct result_run run = {
		.variants = (struct result_variant *)variant,
		.variant_count = 1,
	};
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	assert_non_null(stream);
	describe_run(&run, part, add_line, stream);
	fclose(stream);
	if (strstr(text, wanted) == NULL)
		fail_msg("no \"%s\" in \"%s\"", wanted, text);
	free(text);
}

static void expect_plan(const struct result_variant *variant, const char *wanted)
{
	expect_part(variant, DESCRIBE_PLAN, wanted);
}

static void a_load_has_the_time_of_its_time_stamps(void **state)
{
	struct result_load load = {
		.name = (char[]){"a"},
		.ops = 7,
		.paced_ns = 64800 * NS_PER_S,
	};

	expect_part(&(struct result_variant){.loads = &load, .load_count = 1}, DESCRIBE_LOAD,
		    "load a: 7 operations per loop, 0 B read, 0 B written, footprint 0 B per user; "
		    "its time "
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
	struct result_load load = {.name = (char[]){"a"}};
	const struct result_variant variant = {
		.loads = &load,
		.load_count = 1,
		.unsupported = list,
		.unsupported_count = LENGTH(list),
	};

	expect_plan(&variant, "skipped 3.5 % of the load: Flush (1 %: no fsync), LockX (2 %: no "
			      "locks), UnlockX (0.5 %)\n");
	/* If only one operation is degraded, no total is printed. */
	expect_plan(&variant, "degraded Open (10 %: no O_SYNC)\n");
}

static void each_load_has_lines_of_its_own(void **state)
{
	struct result_load loads[] = {
		{.name = (char[]){"a"}, .weight = 3},
		{.name = (char[]){"b"}, .weight = 1},
	};
	struct result_unsupported list[] = {
		{(char[]){"LockX"}, RESULT_SKIPPED, (char[]){"locks"}, 1, 0.02, loads[0].name},
		{(char[]){"Flush"}, RESULT_SKIPPED, (char[]){"fsync"}, 1, 0.01, loads[1].name},
		{(char[]){"LockX"}, RESULT_SKIPPED, (char[]){"locks"}, 1, 0.03, loads[1].name},
	};
	const struct result_variant variant = {
		.loads = loads,
		.load_count = LENGTH(loads),
		.unsupported = list,
		.unsupported_count = LENGTH(list),
	};

	expect_plan(&variant, "skipped a: LockX (2 %: no locks)\n"
			      "skipped b: 4 % of the load: Flush (1 %: no fsync), "
			      "LockX (3 %: no locks)\n");
}

/* The lines about targets have their URLs. Other lines have short names. */
static void urls_of_an_axis_are_written_once(void **state)
{
	struct result_axis axes[] = {
		{
			.name = (char[]){"target"},
			.values = (char *[]){"smb://u@srv/a", "/mnt/b"},
			.value_count = 2,
		},
		{
			.name = (char[]){"env:CONF"},
			.values = (char *[]){"/etc/samba/old.conf", "/etc/samba/new.conf"},
			.value_count = 2,
		},
	};
	struct result_run run = {.axes = axes, .axis_count = LENGTH(axes)};
	struct result_target targets[] = {
		{.url = axes[0].values[0], .kind = "x", .protection = "", .free_bytes = UINT64_MAX},
		{.url = axes[0].values[1], .kind = "y", .protection = "", .free_bytes = UINT64_MAX},
	};
	struct result_load loads[4] = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "a"}};
	char *text = NULL;
	size_t bytes, i;
	FILE *stream = open_memstream(&text, &bytes);

	assert_non_null(stream);
	assert_int_equal(variant_make_all(&run), 0);
	for (i = 0; i < 4; i++) {
		run.variants[i].loads = &loads[i];
		run.variants[i].load_count = 1;
		run.variants[i].targets = &targets[i / 2];
		run.variants[i].target_count = 1;
	}
	describe_run(&run, DESCRIBE_LOAD | DESCRIBE_TARGETS | DESCRIBE_PLAN, add_line, stream);
	fclose(stream);
	assert_non_null(strstr(text, "load target=srv/a, env:CONF=new.conf: b: "));
	assert_non_null(strstr(text, "target smb://u@srv/a (x)\ntarget /mnt/b (y)\n"));
	assert_non_null(strstr(text, "sweep target=srv/a, b; env:CONF=/etc/samba/old.conf, "
				     "/etc/samba/new.conf\n"));
	assert_null(strstr(strstr(text, "/mnt/b") + 1, "/mnt/b"));
	free(text);
	for (i = 0; i < 4; i++) {
		size_t j;

		for (j = 0; j < 2 * run.variants[i].set_count; j++)
			free(run.variants[i].set[j]);
		free(run.variants[i].set);
	}
	free(run.variants);
	free(axes[0].numbers);
	free(axes[1].numbers);
}

/* Points of many combinations of values are not listed. */
static void many_combinations_are_counted(void **state)
{
	enum { VALUES = 6 };
	struct scene scene = {.kind = describe_warnings};
	struct result_axis axis = {
		.name = (char[]){"bs"},
		.values = (char *[]){"1", "2", "3", "4", "5", "6"},
		.value_count = VALUES,
	};
	struct result_run run = {.axes = &axis, .axis_count = 1};
	struct result *result = &scene.results[0];
	size_t i;

	assert_int_equal(variant_make_all(&run), 0);
	SET(&scene, 0, {1, {A}}, {1, {A}}, {1, {A}}, {1, {A}}, {1, {B}}, {1, {{0}}});
	result->run = run;
	for (i = 0; i < VALUES; i++)
		result->points[i].variant = (unsigned)i;
	expect(&scene, NULL, 1,
	       "at 1 user with bs=1; 1 user with bs=2; 1 user with bs=3; 1 user with bs=4: a\n"
	       "at 1 user with bs=5: b\n");
	SET(&scene, 0, {1, {A}}, {1, {A}}, {1, {A}}, {1, {A}}, {1, {A}}, {1, {{0}}});
	result->run = run;
	for (i = 0; i < VALUES; i++)
		result->points[i].variant = (unsigned)i;
	expect(&scene, NULL, 1, "at 5 of 6 points: a\n");
	for (i = 0; i < VALUES; i++) {
		free(run.variants[i].set[0]);
		free(run.variants[i].set[1]);
		free(run.variants[i].set);
	}
	free(run.variants);
	free(axis.numbers);
	end(&scene);
}

/* Notices about different loads are not merged. */
static void each_load_has_notices_of_its_own(void **state)
{
	struct scene scene = {.kind = describe_warnings};

	SET(&scene, 0,
	    {1,
	     {{.kind = NOTICE_BLOCKED, .load = "load 1", .numbers = {5}},
	      {.kind = NOTICE_BLOCKED, .load = "load 2", .numbers = {6}}}},
	    {2, {{.kind = NOTICE_BLOCKED, .load = "load 1", .numbers = {7}}}});
	expect(&scene, NULL, 1,
	       "at all points: \"load 1\": one operation took 5.0 to 7.0 s and held up its user, "
	       "which lowers MB/s and ops/s; to see the kind of operation, look at the column "
	       "max of throng run --operations\nat 1 user: \"load 2\": one operation took 6.0 s "
	       "and held "
	       "up its user, which lowers MB/s and ops/s; to see the kind of operation, look at "
	       "the "
	       "column max of throng run --operations\n");
	end(&scene);
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
		cmocka_unit_test(many_results_are_counted),
		cmocka_unit_test(texts_may_have_any_bytes),
		cmocka_unit_test(a_load_has_the_time_of_its_time_stamps),
		cmocka_unit_test(skipped_operations_have_a_share),
		cmocka_unit_test(each_load_has_lines_of_its_own),
		cmocka_unit_test(urls_of_an_axis_are_written_once),
		cmocka_unit_test(many_combinations_are_counted),
		cmocka_unit_test(each_load_has_notices_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
