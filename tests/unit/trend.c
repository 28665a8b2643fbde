/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test how a report shows results in the order of time.
 */
#include "doc.h"
#include "records.h"

#include "doc/tree.h"
#include "report/sections.h"
#include "stats/summary.h"

enum { SIDES = 4 };

static void measure(struct result *result, unsigned users, double mb_per_s)
{
	struct result_repeat *repeat = result_add_repeat(result, 0, users);

	assert_non_null(repeat);
	SET(&repeat->records, TOTAL, {FIGURE_SECONDS, 1}, {FIGURE_P99_MS, 2 * mb_per_s});
	SET(&repeat->records, KEY(.operation = "Read"), {FIGURE_OPS, 500},
	    {FIGURE_BYTES, 1e6 * mb_per_s}, {FIGURE_P99_MS, 2 * mb_per_s});
	if (mb_per_s < 0) {
		const struct notice notice = {.kind = NOTICE_NO_OPERATION};

		notice_add(&repeat->invalid, &notice);
	}
}

/* Make results that were measured in the reverse order, each with points of 1 and 2
 * users, of which the second is faster. The last result has single repeats. */
static void set_up(struct result *results)
{
	size_t i, j;

	memset(results, 0, SIDES * sizeof(*results));
	for (i = 0; i < SIDES; i++) {
		struct result_variant *variant;

		make_variant(&results[i]);
		variant = results[i].run.variants;
		variant->loads[0].name = strdup("a.load");
		variant->targets = calloc(1, sizeof(*variant->targets));
		assert_non_null(variant->targets);
		variant->targets[0].url = strdup("/srv");
		variant->target_count = 1;
		snprintf(results[i].run.label, RESULT_LABEL, "r%zu", i);
		snprintf(results[i].run.started, sizeof(results[i].run.started),
			 "2026-01-%02zuT03:04:05Z", 10 - i);
		for (j = 0; j < (i < 3 ? 3 : 1); j++)
			measure(&results[i], 2, 100 + 10.0 * i + j);
		measure(&results[i], 1, 50);
	}
}

static void drop(struct result *results)
{
	size_t i;

	for (i = 0; i < SIDES; i++)
		result_free(&results[i]);
}

/* Return the section for some results. */
static struct doc *section(struct result *results, size_t count)
{
	struct doc *doc = doc_new();
	struct view view;
	size_t i;

	for (i = 0; i < count; i++)
		assert_int_equal(summary_update(&results[i]), 0);
	assert_int_equal(view_make(&view, results, count, NULL, NULL), 0);
	section_trend(doc, &view);
	view_free(&view);
	return doc;
}

static void expect_section(struct result *results, size_t count, const char *wanted)
{
	struct doc *doc = section(results, count);

	expect_text(doc, wanted);
	doc_free(doc);
}

/* The fastest place is first. A change is relative to the result before in time. */
static void results_are_in_the_order_of_time(void **state)
{
	struct result results[SIDES];

	set_up(results);
	expect_section(results, 3,
		       "trend at 2 users\n"
		       "started          result   MB/s    min    max change    p99\n"
		       "2026-01-08 03:04 r2     121.00 120.00 122.00      - 242 ms\n"
		       "2026-01-09 03:04 r1     111.00 110.00 112.00  -8.3% 222 ms\n"
		       "2026-01-10 03:04 r0     101.00 100.00 102.00  -9.0% 202 ms\n"
		       "\n"
		       "trend at 1 user\n"
		       "started          result  MB/s change    p99\n"
		       "2026-01-08 03:04 r2     50.00      - 100 ms\n"
		       "2026-01-09 03:04 r1     50.00   0.0% 100 ms\n"
		       "2026-01-10 03:04 r0     50.00   0.0% 100 ms\n");
	drop(results);
}

static void only_the_same_work_is_a_trend(void **state)
{
	struct result results[SIDES];

	set_up(results);
	expect_section(results, 2, "");
	results[2].run.variants->targets[0].url[1] = 'S';
	expect_section(results, 3, "");
	results[2].run.variants->targets[0].url[1] = 's';
	results[1].run.variants->loads[0].name[0] = 'A';
	expect_section(results, 3, "");
	results[1].run.variants->loads[0].name[0] = 'a';
	strcpy(results[2].run.started, results[0].run.started);
	expect_section(results, 3, "");
	drop(results);
}

/* Places that not all results have are left out, also that of the best peak. */
static void places_of_all_results_are_shown(void **state)
{
	struct result results[SIDES];

	set_up(results);
	measure(&results[0], 4, 1000);
	measure(&results[1], 3, -1);
	measure(&results[2], 3, 10);
	measure(&results[0], 3, 20);
	expect_section(results, 3,
		       "trend at 2 users\n"
		       "started          result   MB/s    min    max change    p99\n"
		       "2026-01-08 03:04 r2     121.00 120.00 122.00      - 242 ms\n"
		       "2026-01-09 03:04 r1     111.00 110.00 112.00  -8.3% 222 ms\n"
		       "2026-01-10 03:04 r0     101.00 100.00 102.00  -9.0% 202 ms\n"
		       "\n"
		       "trend at 1 user\n"
		       "started          result  MB/s change    p99\n"
		       "2026-01-08 03:04 r2     50.00      - 100 ms\n"
		       "2026-01-09 03:04 r1     50.00   0.0% 100 ms\n"
		       "2026-01-10 03:04 r0     50.00   0.0% 100 ms\n"
		       "\n"
		       "trend at 3 users\n"
		       "started          result  MB/s     p99\n"
		       "2026-01-08 03:04 r2     10.00 20.0 ms\n"
		       "2026-01-09 03:04 r1     invalid\n"
		       "2026-01-10 03:04 r0     20.00 40.0 ms\n");
	drop(results);
}

static void commits_are_shortened(void **state)
{
	struct result results[SIDES];

	set_up(results);
	result_add_note(&results[0].run, "commit", "0123456789abcdef");
	result_add_note(&results[1].run, "commit", "0123456789a\xc3\xa4");
	result_add_note(&results[1].run, "branch", "main");
	strcpy(results[1].run.label, "a very long label");
	expect_section(results, 3,
		       "trend at 2 users\n"
		       "started          commit       result   MB/s    min    max change    p99\n"
		       "2026-01-08 03:04              C      121.00 120.00 122.00      - 242 ms\n"
		       "2026-01-09 03:04 0123456789a  B      111.00 110.00 112.00  -8.3% 222 ms\n"
		       "2026-01-10 03:04 0123456789ab A      101.00 100.00 102.00  -9.0% 202 ms\n"
		       "\n"
		       "trend at 1 user\n"
		       "started          commit       result  MB/s change    p99\n"
		       "2026-01-08 03:04              C      50.00      - 100 ms\n"
		       "2026-01-09 03:04 0123456789a  B      50.00   0.0% 100 ms\n"
		       "2026-01-10 03:04 0123456789ab A      50.00   0.0% 100 ms\n");
	drop(results);
}

/* Return a chart with this id, and its marks of a kind. */
static const struct doc_mark *find_mark(const struct doc *doc, const char *id,
					enum doc_mark_kind kind, const struct doc_chart **chart)
{
	size_t i, j;

	for (i = 0; i < doc->count; i++) {
		*chart = doc->blocks[i].chart;
		if (*chart == NULL || strcmp((*chart)->id, id) != 0)
			continue;
		for (j = 0; j < (*chart)->mark_count; j++)
			if ((*chart)->marks[j].kind == kind)
				return &(*chart)->marks[j];
	}
	return NULL;
}

/* To judge is not the work of this table. */
static void changes_have_no_colours(void **state)
{
	struct result results[SIDES];
	struct doc *doc;
	size_t i, j, k, cells = 0;

	set_up(results);
	doc = section(results, 3);
	for (i = 0; i < doc->count; i++) {
		const struct doc_table *table = doc->blocks[i].table;

		for (j = 0; table != NULL && j < table->row_count; j++)
			for (k = 0; k < table->rows[j].cell_count; k++, cells++)
				assert_int_equal(table->rows[j].cells[k].class, DOC_PLAIN);
	}
	assert_true(cells > 0);
	doc_free(doc);
	drop(results);
}

static void charts_have_a_spot_per_result(void **state)
{
	struct result results[SIDES];
	const struct doc_chart *chart;
	const struct doc_mark *mark;
	struct doc *doc;

	set_up(results);
	measure(&results[0], 2, -1);
	doc = section(results, SIDES);
	mark = find_mark(doc, "trend", DOC_MARK_LINE, &chart);
	assert_non_null(mark);
	assert_int_equal(chart->axes[0].scale, DOC_NAMES);
	assert_string_equal(chart->axes[0].names[0], "r3");
	assert_string_equal(chart->axes[0].names[3], "r0");
	assert_string_equal(chart->axes[1].name, "MB/s");
	assert_int_equal(mark->count, 4);
	expect_near(mark->spots[0].y, 130, 1e-9);
	expect_near(mark->spots[1].y, 121, 1e-9);
	assert_true(isnan(mark->spots[3].y));
	assert_string_equal(mark->spots[1].title, "r2, 2026-01-08 03:04, 121.00 MB/s");
	mark = find_mark(doc, "trend", DOC_MARK_INTERVAL, &chart);
	assert_non_null(mark);
	assert_int_equal(mark->count, 2);
	expect_near(mark->spots[0].x, 2, 1e-9);
	expect_near(mark->spots[0].y, 120, 1e-9);
	expect_near(mark->spots[0].to, 122, 1e-9);
	mark = find_mark(doc, "trend", DOC_MARK_CROSS, &chart);
	assert_non_null(mark);
	assert_int_equal(mark->count, 1);
	expect_near(mark->spots[0].x, 4, 1e-9);
	mark = find_mark(doc, "trend-p99", DOC_MARK_LINE, &chart);
	assert_non_null(mark);
	expect_near(mark->spots[1].y, 0.242, 1e-9);
	doc_free(doc);
	drop(results);
}

static void commits_name_results_in_charts(void **state)
{
	struct result results[SIDES];
	const struct doc_chart *chart;
	const struct doc_mark *mark;
	struct doc *doc;

	set_up(results);
	result_add_note(&results[0].run, "commit", "aaaaaaaaaaaaaaaa");
	result_add_note(&results[1].run, "commit", "b");
	doc = section(results, 3);
	assert_non_null(find_mark(doc, "trend", DOC_MARK_LINE, &chart));
	/* Not all are known. */
	assert_string_equal(chart->axes[0].names[2], "r0");
	doc_free(doc);
	result_add_note(&results[2].run, "commit", "c");
	doc = section(results, 3);
	mark = find_mark(doc, "trend", DOC_MARK_LINE, &chart);
	assert_non_null(mark);
	assert_string_equal(chart->axes[0].names[2], "aaaaaaaaaaaa");
	assert_string_equal(mark->spots[0].title, "r2, 2026-01-08 03:04, c, 121.00 MB/s");
	assert_null(find_mark(doc, "trend", DOC_MARK_CROSS, &chart));
	doc_free(doc);
	drop(results);
}

int unit_trend(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_are_in_the_order_of_time),
		cmocka_unit_test(only_the_same_work_is_a_trend),
		cmocka_unit_test(places_of_all_results_are_shown),
		cmocka_unit_test(commits_are_shortened),
		cmocka_unit_test(changes_have_no_colours),
		cmocka_unit_test(charts_have_a_spot_per_result),
		cmocka_unit_test(commits_name_results_in_charts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
