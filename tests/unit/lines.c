/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test the lines of charts: their steps and names.
 */
#include "records.h"

#include "report/charts/lines.h"
#include "stats/summary.h"

static void measure(struct result *result, size_t variant, unsigned users)
{
	struct result_repeat *repeat;

	make_variant(result);
	repeat = result_add_repeat(result, variant, users);
	assert_non_null(repeat);
	SET(&repeat->records, TOTAL, {FIGURE_SECONDS, 1});
}

#define VALUES(...) \
	.values = (char *[]){__VA_ARGS__}, .value_count = LENGTH(((char *[]){__VA_ARGS__}))

/* Measure all variants of axes with some user counts, and check the lines: the names of
 * the steps, then "mark (legend)" of each line. */
static void expect_lines(struct result_axis *axes, size_t axis_count, unsigned users_max,
			 const char *wanted)
{
	struct result result = {.run = {.axes = axes, .axis_count = axis_count}};
	char text[1000] = "";
	struct lines lines;
	struct view view;
	unsigned users;
	size_t i;

	assert_int_equal(variant_make_all(&result.run), 0);
	for (i = 0; i < result.run.variant_count; i++)
		for (users = 1; users <= users_max; users++)
			measure(&result, i, users);
	assert_int_equal(summary_update(&result), 0);
	assert_int_equal(view_make(&view, &result, 1, NULL, NULL), 0);
	assert_int_equal(lines_make(&lines, &view), 0);
	for (i = 0; i < lines.step_count; i++)
		if (lines.axis != NULL)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s ",
				 lines.values[i]);
		else
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%u ",
				 lines.steps[i]);
	for (i = 0; i < lines.count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "| %s (%s) ",
			 lines.list[i].mark, lines.list[i].legend);
	assert_string_equal(text, wanted);
	lines_free(&lines);
	view_free(&view);
	for (i = 0; i < axis_count; i++)
		free(axes[i].numbers);
	result.run.axes = NULL;
	result.run.axis_count = 0;
	result_free(&result);
}

static void lines_have_short_names_of_targets(void **state)
{
	struct result_axis axes[] = {
		{.name = "target", VALUES("/a/very/long/path/to/one", "smb://u@srv/x", "null:")},
		{.name = "env:CONF", VALUES("/etc/samba/old.conf", "/etc/samba/new.conf")},
	};

	/* With several user counts there is a line per value. */
	expect_lines(axes, 1, 2, "1 2 | one (one) | srv/x (srv/x) | null: (null:) ");
	expect_lines(axes + 1, 1, 2,
		     "1 2 | old.conf (env:CONF=old.conf) | new.conf (env:CONF=new.conf) ");
	/* Else the values of the last axis are the steps. */
	expect_lines(axes, 1, 1, "one srv/x null: |  () ");
	expect_lines(axes, 2, 1, "old.conf new.conf | one (one) | srv/x (srv/x) | null: (null:) ");
}

/* Marks that say the same as the names are not in the legend, too. */
static void marks_are_explained_if_not_clear(void **state)
{
	assert_true(lines_is_clear("a", "a"));
	assert_true(lines_is_clear("", ""));
	assert_true(lines_is_clear("16Ki", "record=16Ki"));
	assert_true(lines_is_clear("a, 16Ki", "a, record=16Ki"));
	assert_true(lines_is_clear("16Ki, yes", "record=16Ki, sync=yes"));
	assert_true(lines_is_clear("a=b", "a=b"));
	assert_false(lines_is_clear("A", "record=16Ki"));
	assert_false(lines_is_clear("A", "a, record=16Ki"));
	assert_false(lines_is_clear("16Ki", "record=16K"));
	assert_false(lines_is_clear("16K", "record=16Ki"));
	assert_false(lines_is_clear("a", "a, record=16Ki"));
	assert_false(lines_is_clear("a, 16Ki", "a"));
}

int unit_lines(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_are_explained_if_not_clear),
		cmocka_unit_test(lines_have_short_names_of_targets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
