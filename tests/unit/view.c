/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test what a report shows of one or several results: the names of the sides, the
 * places in their order, the peaks and the chosen points.
 */
#include "records.h"

#include "report/naming.h"
#include "report/view.h"
#include "stats/summary.h"

enum { RESULTS_MAX = 30 };

static void measure(struct result *result, size_t variant, unsigned users, double mb_per_s)
{
	struct result_repeat *repeat;

	make_variant(result);
	repeat = result_add_repeat(result, variant, users);
	assert_non_null(repeat);
	SET(&repeat->records, TOTAL, {FIGURE_SECONDS, 1});
	SET(&repeat->records, KEY(.operation = "Read"), {FIGURE_OPS, 5},
	    {FIGURE_BYTES, 1e6 * mb_per_s});
	if (mb_per_s < 0) {
		const struct notice notice = {.kind = NOTICE_NO_OPERATION};

		notice_add(&repeat->invalid, &notice);
	}
}

/* Free results whose axes are not allocated. */
static void drop(struct result *results, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < results[i].run.axis_count; j++)
			free(results[i].run.axes[j].numbers);
		results[i].run.axes = NULL;
		results[i].run.axis_count = 0;
		result_free(&results[i]);
	}
}

/* Check the names and marks of a view: "name:mark name:mark". */
static void expect_names(const struct view *view, const char *wanted)
{
	char text[1000] = "";
	size_t i;

	for (i = 0; i < view->side_count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s:%s",
			 i > 0 ? " " : "", view->sides[i].name, view->sides[i].mark);
	assert_string_equal(text, wanted);
}

/* Check the names of results with these labels and files, which may be NULL. */
static void expect_labelled(const char *const *labels, const char *const *files, size_t count,
			    const char *wanted)
{
	struct result results[RESULTS_MAX] = {0};
	struct view view;
	size_t i;

	for (i = 0; i < count; i++) {
		make_variant(&results[i]);
		strcpy(results[i].run.label, labels[i]);
	}
	assert_int_equal(view_make(&view, results, count, files, NULL), 0);
	expect_names(&view, wanted);
	view_free(&view);
	drop(results, count);
}

#define LIST(...) ((const char *const[]){__VA_ARGS__})

static void labels_name_results(void **state)
{
	expect_labelled(LIST("old", "new"), NULL, 2, "old:old new:new");
	expect_labelled(LIST("old", "new"), LIST("a.json", "b.json"), 2, "old:old new:new");
	expect_labelled(LIST("old", ""), LIST("a.json", "b.json"), 2, "old:old b:b");
	expect_labelled(LIST("old", ""), NULL, 2, "old:old B:B");
	/* Marks are short and printable. If one is not, all are letters. */
	expect_labelled(LIST("eight888", "b"), NULL, 2, "eight888:eight888 b:b");
	expect_labelled(LIST("nine99999", "b"), NULL, 2, "nine99999:A b:B");
	expect_labelled(LIST("\xc3\xa4", "b"), NULL, 2, "\xc3\xa4:A b:B");
	expect_labelled(LIST("a\tb", "b"), NULL, 2, "a\tb:A b:B");
	/* A single result needs no file. */
	expect_labelled(LIST("old"), LIST("a.json"), 1, "old:old");
	expect_labelled(LIST(""), LIST("a.json"), 1, "A:A");
}

static void files_name_results_without_labels(void **state)
{
	expect_labelled(LIST("", ""), LIST("/tmp/a.json", "b.json"), 2, "a:a b:b");
	/* Directories are named where they tell files apart. */
	expect_labelled(LIST("", "", ""), LIST("/tmp/x/a.json", "y/a.json", "c.json"), 3,
			"x/a:x/a y/a:y/a c:c");
	/* Other endings stay, and a file may be named .json. */
	expect_labelled(LIST("", ""), LIST("/dev/stdin", "x/.json"), 2, "stdin:stdin .json:.json");
	expect_labelled(LIST("", ""), LIST("a.json", "a.json"), 2, "A:A B:B");
	/* The names are compared, not the files: these are not the same. */
	expect_labelled(LIST("", ""), LIST("a.json", "a"), 2, "A:A B:B");
}

static void equal_labels_are_not_names(void **state)
{
	expect_labelled(LIST("a", "a"), LIST("1.json", "2.json"), 2, "1:1 2:2");
	expect_labelled(LIST("a", "a"), NULL, 2, "A:A B:B");
	expect_labelled(LIST("b", ""), LIST("a.json", "b.json"), 2, "a:a b:b");
	expect_labelled(LIST("B", ""), NULL, 2, "A:A B:B");
}

static void numbers_follow_the_letters(void **state)
{
	struct result results[RESULTS_MAX] = {0};
	struct view view;
	size_t i;

	for (i = 0; i < RESULTS_MAX; i++)
		make_variant(&results[i]);
	assert_int_equal(view_make(&view, results, RESULTS_MAX, NULL, NULL), 0);
	assert_int_equal(view.side_count, RESULTS_MAX);
	assert_string_equal(view.sides[25].name, "Z");
	assert_string_equal(view.sides[26].name, "27");
	assert_string_equal(view.sides[29].mark, "30");
	view_free(&view);
	drop(results, RESULTS_MAX);
}

/* Tables of text have room for a longer name than charts. */
static void names_in_tables_are_brief(void **state)
{
	static const char *const labels[2][2] = {{"twelve121212", "b"}, {"thirteen13131", "b"}};
	const char *const files[] = {"dir/file.json", "c.json"};
	size_t i;

	for (i = 0; i < 2; i++) {
		struct result results[2] = {0};
		struct view view;

		make_variant(&results[0]);
		make_variant(&results[1]);
		strcpy(results[0].run.label, labels[i][0]);
		strcpy(results[1].run.label, labels[i][1]);
		assert_int_equal(view_make(&view, results, 2, files, NULL), 0);
		assert_string_equal(view.sides[0].name, labels[i][0]);
		assert_string_equal(view.sides[0].brief, i == 0 ? labels[i][0] : "file");
		assert_string_equal(view.sides[1].brief, i == 0 ? "b" : "c");
		assert_string_equal(view.sides[0].mark, "file");
		view_free(&view);
		drop(results, 2);
	}
}

static void given_names_replace_labels(void **state)
{
	struct result results[2] = {0};
	struct view view;
	size_t i;

	for (i = 0; i < 2; i++) {
		make_variant(&results[i]);
		strcpy(results[i].run.label, i > 0 ? "x" : "y");
	}
	assert_int_equal(view_make(&view, results, 2, NULL, LIST("base", "new")), 0);
	expect_names(&view, "base:base new:new");
	assert_null(view.whole);
	view_free(&view);
	drop(results, 2);
}

/* Check the names of the variants of axes. */
static void expect_variants(struct result_axis *axes, size_t count, const char *wanted)
{
	struct result result = {.run = {.axes = axes, .axis_count = count}};
	struct view view;

	assert_int_equal(variant_make_all(&result.run), 0);
	strcpy(result.run.label, "label");
	assert_int_equal(view_make(&view, &result, 1, NULL, NULL), 0);
	expect_names(&view, wanted);
	assert_ptr_equal(view.whole, &result);
	assert_false(view_has_several(&view));
	view_free(&view);
	drop(&result, 1);
}

#define VALUES(...) \
	.values = (char *[]){__VA_ARGS__}, .value_count = LENGTH(((char *[]){__VA_ARGS__}))

static void values_name_variants(void **state)
{
	struct result_axis axes[] = {
		{.name = "bs", VALUES("4Ki", "64Ki")},
		{.name = "mode", VALUES("fast")},
		{.name = "sync", VALUES("no", "yes")},
	};
	struct result_axis threads = {.name = "threads", VALUES("1", "16")};
	struct result_axis size = {.name = "filesize", VALUES("123456789", "2")};

	expect_variants(axes, 2, "bs=4Ki:bs=4Ki bs=64Ki:bs=64Ki");
	/* Marks are without the names of axes if they are too long. */
	expect_variants(&threads, 1, "threads=1:1 threads=16:16");
	expect_variants(axes, 3,
			"bs=4Ki, sync=no:A bs=4Ki, sync=yes:B bs=64Ki, sync=no:C "
			"bs=64Ki, sync=yes:D");
	expect_variants(&size, 1, "filesize=123456789:A filesize=2:B");
}

static void targets_and_long_paths_have_short_names(void **state)
{
	struct result_axis target = {.name = "target",
				     VALUES("/mnt/ssd", "null:", "smb://u@srv/x?version=3")};
	struct result_axis path = {.name = "env:CONF",
				   VALUES("/etc/samba/old.conf", "/etc/samba/new.conf", "x")};
	struct result_axis ratio = {.name = "mix", VALUES("1/3", "2/3")};

	expect_variants(&target, 1, "ssd:ssd null::null: srv/x:srv/x");
	expect_variants(&path, 1,
			"env:CONF=old.conf:old.conf env:CONF=new.conf:new.conf "
			"env:CONF=x:x");
	expect_variants(&ratio, 1, "mix=1/3:mix=1/3 mix=2/3:mix=2/3");
}

/* Check the short names of URLs. */
static void expect_targets(const char *const *urls, size_t count, const char *wanted)
{
	struct result_axis axis = {
		.name = "target",
		.values = (char **)urls,
		.value_count = count,
	};
	const struct result result = {.run = {.axes = &axis, .axis_count = 1}};
	struct naming *naming = naming_new(&result, 1, NULL);
	char text[1000] = "";
	size_t i;

	assert_non_null(naming);
	for (i = 0; i < count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i > 0 ? " " : "",
			 naming_value(naming, "target", urls[i]));
	assert_string_equal(text, wanted);
	assert_string_equal(naming_value(naming, "target", "unknown"), "unknown");
	assert_string_equal(naming_value(naming, "other", urls[0]), urls[0]);
	naming_free(naming);
}

#define EXPECT_TARGETS(wanted, ...) \
	expect_targets(LIST(__VA_ARGS__), LENGTH(LIST(__VA_ARGS__)), wanted)

static void a_target_has_a_short_name(void **state)
{
	EXPECT_TARGETS("srv3/share", "smb://u@srv3/share?version=3");
	EXPECT_TARGETS("srv3/a@b", "smb://D;u@srv3/a@b/");
	EXPECT_TARGETS("srv/a@b", "nfs://srv/a@b");
	EXPECT_TARGETS("srv/export/data", "nfs://srv/export/data");
	EXPECT_TARGETS("localhost:7003", "tcp://localhost:7003");
	EXPECT_TARGETS("null:", "null:");
	EXPECT_TARGETS("d", "/a/b/c/d//");
	EXPECT_TARGETS("d", "file:///a/b/c/d");
	EXPECT_TARGETS("/", "/");
	EXPECT_TARGETS("d", "d");
	EXPECT_TARGETS("", "");
}

#define DEEP "/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16"

static void equal_names_get_more(void **state)
{
	EXPECT_TARGETS("srv/s?v=2 srv/s?v=3 other/s", "smb://u@srv/s?v=2", "smb://u@srv/s?v=3",
		       "smb://u@other/s?v=3");
	EXPECT_TARGETS("u@srv/s w@srv/s", "smb://u@srv/s", "smb://w@srv/s");
	EXPECT_TARGETS("smb://srv/s nfs://srv/s", "smb://srv/s", "nfs://srv/s");
	EXPECT_TARGETS("a/data b/data ssd", "/srv/a/data", "/srv/b/data", "/mnt/ssd");
	EXPECT_TARGETS("/a a", "/a", "a");
	EXPECT_TARGETS("/x/a /x/a/", "/x/a", "/x/a/");
	EXPECT_TARGETS("file:///x/a /x/a", "file:///x/a", "/x/a");
	/* One name that grew must not meet another one. */
	EXPECT_TARGETS("srv/share mnt/srv/share other/share", "smb://srv/share", "/mnt/srv/share",
		       "/mnt/other/share");
	/* Paths that differ only far from their ends are not shortened. */
	EXPECT_TARGETS("/r/x" DEEP " /r/y" DEEP " b", "/r/x" DEEP, "/r/y" DEEP, "/r/b");
	/* The same target has the same name. */
	EXPECT_TARGETS("a a b", "/x/a", "/x/a", "/x/b");
}

/* Check the places: "users set=... +-", with a sign per side that has a point. */
static void expect_places(const struct view *view, const char *wanted)
{
	char text[1000] = "", set[VARIANT_TEXT];
	size_t i, j;

	for (i = 0; i < view->place_count; i++) {
		const struct view_place *place = &view->places[i];

		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%u %s ", place->users,
			 variant_print(place->set, place->set_count, set));
		for (j = 0; j < view->side_count; j++) {
			strcat(text, place->points[j] != NULL ? "+" : "-");
			if (place->points[j] != NULL)
				assert_int_equal(place->points[j]->users, place->users);
		}
		strcat(text, "\n");
	}
	assert_string_equal(text, wanted);
}

static void places_ascend_by_users(void **state)
{
	struct result results[3] = {0};
	struct view view;

	measure(&results[0], 0, 4, 10);
	measure(&results[0], 0, 16, 10);
	measure(&results[1], 0, 1, 10);
	measure(&results[1], 0, 8, 10);
	measure(&results[1], 0, 16, 10);
	measure(&results[1], 0, 32, 10);
	make_variant(&results[2]);
	assert_int_equal(view_make(&view, results, 3, NULL, NULL), 0);
	expect_places(&view, "1  -+-\n4  +--\n8  -+-\n16  ++-\n32  -+-\n");
	view_free(&view);
	drop(results, 3);
}

static void places_with_a_set_stay_together(void **state)
{
	struct result_axis first[] = {{.name = "bs", VALUES("4Ki", "1Mi")},
				      {.name = "target", VALUES("/mnt/a")}};
	struct result_axis second[] = {{.name = "target", VALUES("/mnt/a", "/mnt/b")},
				       {.name = "bs", VALUES("1Mi")}};
	struct result results[2] = {
		{.run = {.axes = first, .axis_count = 2}},
		{.run = {.axes = second, .axis_count = 2}},
	};
	struct view view;

	assert_int_equal(variant_make_all(&results[0].run), 0);
	assert_int_equal(variant_make_all(&results[1].run), 0);
	measure(&results[0], 0, 2, 10);
	measure(&results[0], 0, 4, 10);
	measure(&results[0], 1, 4, 10);
	measure(&results[1], 0, 1, 10);
	measure(&results[1], 0, 4, 10);
	measure(&results[1], 1, 4, 10);
	assert_int_equal(summary_update(&results[0]), 0);
	assert_int_equal(summary_update(&results[1]), 0);
	assert_int_equal(view_make(&view, results, 2, NULL, NULL), 0);
	assert_int_equal(view.side_count, 2);
	expect_places(&view, "2 bs=4Ki, target=a +-\n4 bs=4Ki, target=a +-\n"
			     "1 bs=1Mi, target=a -+\n4 bs=1Mi, target=a ++\n"
			     "4 bs=1Mi, target=b -+\n");
	view_free(&view);
	drop(results, 2);
}

static void variants_are_sides(void **state)
{
	struct result_axis axis = {.name = "bs", VALUES("4Ki", "1Mi")};
	struct result result = {.run = {.axes = &axis, .axis_count = 1, .open_loop = true}};
	struct view view;

	assert_int_equal(variant_make_all(&result.run), 0);
	measure(&result, 0, 2, 10);
	measure(&result, 1, 1, 10);
	measure(&result, 1, 2, 20);
	assert_int_equal(summary_update(&result), 0);
	assert_int_equal(view_make(&view, &result, 1, NULL, NULL), 0);
	expect_places(&view, "1  -+\n2  ++\n");
	assert_ptr_equal(view.sides[1].peak, &result.points[2]);
	assert_int_equal(view.sides[1].result->run.variant_count, 1);
	assert_true(view.open_loop);
	view_free(&view);
	drop(&result, 1);
}

static void two_results_are_shown_where_the_slower_is_fastest(void **state)
{
	struct result results[3] = {0}, swapped[2];
	struct view view;
	size_t i;

	measure(&results[0], 0, 1, 30);
	measure(&results[0], 0, 2, 20);
	measure(&results[0], 0, 3, 10);
	measure(&results[1], 0, 1, -1);
	measure(&results[1], 0, 2, 11);
	measure(&results[1], 0, 3, 20);
	measure(&results[2], 0, 1, -1);
	measure(&results[2], 0, 2, 10);
	for (i = 0; i < 3; i++)
		assert_int_equal(summary_update(&results[i]), 0);
	assert_int_equal(view_make(&view, results, 2, NULL, NULL), 0);
	assert_ptr_equal(view.sides[0].peak, &results[0].points[0]);
	assert_ptr_equal(view.sides[1].peak, &results[1].points[2]);
	/* At one user the second is invalid. */
	assert_ptr_equal(view.sides[0].chosen, &results[0].points[1]);
	assert_ptr_equal(view.sides[1].chosen, &results[1].points[1]);
	assert_int_equal(view.rate, FIGURE_MB_PER_S);
	expect_near(view_rate(&view, &view.sides[0].peak->records), 30, 1e-9);
	view_free(&view);
	/* The order does not matter. */
	swapped[0] = results[1];
	swapped[1] = results[0];
	assert_int_equal(view_make(&view, swapped, 2, NULL, NULL), 0);
	assert_ptr_equal(view.sides[0].chosen, &results[1].points[1]);
	assert_ptr_equal(view.sides[1].chosen, &results[0].points[1]);
	view_free(&view);
	/* With more results, all peaks are shown. */
	assert_int_equal(view_make(&view, results, 3, NULL, NULL), 0);
	assert_ptr_equal(view.sides[0].chosen, &results[0].points[0]);
	assert_ptr_equal(view.sides[1].chosen, &results[1].points[2]);
	assert_ptr_equal(view.sides[2].chosen, &results[2].points[1]);
	view_free(&view);
	drop(results, 3);
}

/* Without a place where both are valid, the peaks are shown. */
static void two_results_may_have_no_place_in_common(void **state)
{
	struct result results[2] = {0};
	struct view view;

	measure(&results[0], 0, 1, 30);
	measure(&results[0], 0, 2, 20);
	measure(&results[1], 0, 1, -1);
	assert_int_equal(summary_update(&results[0]), 0);
	assert_int_equal(summary_update(&results[1]), 0);
	assert_int_equal(view_make(&view, results, 2, NULL, NULL), 0);
	assert_ptr_equal(view.sides[0].chosen, &results[0].points[0]);
	assert_null(view.sides[1].peak);
	assert_null(view.sides[1].chosen);
	view_free(&view);
	drop(results, 2);
}

static void without_bytes_operations_are_counted(void **state)
{
	struct result result = {0};
	struct view view;

	measure(&result, 0, 1, 0);
	measure(&result, 0, 1, 0);
	assert_int_equal(summary_update(&result), 0);
	assert_int_equal(view_make(&view, &result, 1, NULL, NULL), 0);
	assert_int_equal(view.rate, FIGURE_OPS_PER_S);
	expect_near(view_rate(&view, &result.points[0].records), 5, 1e-9);
	view_free(&view);
	drop(&result, 1);
}

int unit_view(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_name_results),
		cmocka_unit_test(files_name_results_without_labels),
		cmocka_unit_test(equal_labels_are_not_names),
		cmocka_unit_test(numbers_follow_the_letters),
		cmocka_unit_test(names_in_tables_are_brief),
		cmocka_unit_test(given_names_replace_labels),
		cmocka_unit_test(values_name_variants),
		cmocka_unit_test(targets_and_long_paths_have_short_names),
		cmocka_unit_test(a_target_has_a_short_name),
		cmocka_unit_test(equal_names_get_more),
		cmocka_unit_test(places_ascend_by_users),
		cmocka_unit_test(places_with_a_set_stay_together),
		cmocka_unit_test(variants_are_sides),
		cmocka_unit_test(two_results_are_shown_where_the_slower_is_fastest),
		cmocka_unit_test(two_results_may_have_no_place_in_common),
		cmocka_unit_test(without_bytes_operations_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
