/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of figures in documents (doc/records.h).
 */
#include "doc.h"
#include "records.h"

#include "doc/records.h"

/* A point of two repeats, and the point before it. */
static struct result_repeat repeats[2];
static struct result_point point = {.repeats = repeats, .repeat_count = 2};
static struct records before;

static int make_point(void **state)
{
	SET(&repeats[0].records, TOTAL, {FIGURE_MB_PER_S, 90}, {FIGURE_P99_MS, 1.5});
	SET(&repeats[1].records, TOTAL, {FIGURE_MB_PER_S, 120}, {FIGURE_P99_MS, 2.5});
	SET(&point.records, TOTAL, {FIGURE_MB_PER_S, 100}, {FIGURE_P99_MS, 2}, {FIGURE_OPS, 8},
	    {FIGURE_LOOPS, 4}, {FIGURE_USER_S, 2}, {FIGURE_SECONDS, 8}, {FIGURE_ELAPSED_S, 2});
	SET(&before, TOTAL, {FIGURE_MB_PER_S, 80}, {FIGURE_P99_MS, 1.6}, {FIGURE_LOOPS, 1},
	    {FIGURE_OPS, 0});
	return 0;
}

static int free_point(void **state)
{
	records_free(&repeats[0].records);
	records_free(&repeats[1].records);
	records_free(&point.records);
	records_free(&before);
	return 0;
}

static void expect_cell(enum records_show show, enum figure figure, const struct records_row *row,
			double wanted)
{
	const struct records_column column = {.figure = figure, .show = show};

	expect_near(records_cell(&column, row), wanted, 1e-9);
}

static void columns_show_parts_of_figures(void **state)
{
	const struct records_row row = {
		.record = point.records.list,
		.point = &point,
		.first = before.list,
		.previous = point.records.list,
	};
	const struct records_row lone = {.record = before.list};
	const struct result_point single = {.repeats = repeats, .repeat_count = 1};
	const struct records_row once = {.record = repeats[0].records.list, .point = &single};
	const struct records_row none = {.point = &point};

	expect_cell(RECORDS_VALUE, FIGURE_P99_MS, &row, 0.002);
	expect_cell(RECORDS_VALUE, FIGURE_P99_MS, &none, NAN);
	expect_cell(RECORDS_MEAN, FIGURE_USER_S, &row, 0.5);
	expect_cell(RECORDS_MIN, FIGURE_MB_PER_S, &row, 90);
	expect_cell(RECORDS_MAX, FIGURE_P99_MS, &row, 0.0025);
	expect_cell(RECORDS_SPREAD, FIGURE_MB_PER_S, &row, 0.3);
	expect_cell(RECORDS_SPREAD, FIGURE_MB_PER_S, &lone, NAN);
	expect_cell(RECORDS_MIN, FIGURE_MB_PER_S, &lone, NAN);
	expect_cell(RECORDS_MIN, FIGURE_MB_PER_S, &once, NAN);
	expect_cell(RECORDS_ONCE, FIGURE_P99_MS, &lone, 0.0016);
	expect_cell(RECORDS_NOT_ONCE, FIGURE_P99_MS, &lone, NAN);
	expect_cell(RECORDS_ONCE, FIGURE_P99_MS, &row, NAN);
	expect_cell(RECORDS_NOT_ONCE, FIGURE_P99_MS, &row, 0.002);
	expect_cell(RECORDS_TO_FIRST, FIGURE_MB_PER_S, &row, 1.25);
	expect_cell(RECORDS_TO_FIRST, FIGURE_P99_MS, &row, 1.25);
	/* There is nothing to compare with. */
	expect_cell(RECORDS_TO_PREVIOUS, FIGURE_MB_PER_S, &row, NAN);
	expect_cell(RECORDS_STEP, FIGURE_MB_PER_S, &row, NAN);
	expect_cell(RECORDS_TO_FIRST, FIGURE_MB_PER_S, &lone, NAN);
}

static const struct records_column columns[] = {
	{.figure = FIGURE_MB_PER_S},
	{FIGURE_MB_PER_S, "x", RECORDS_TO_FIRST, DOC_KNOWN},
	{.figure = FIGURE_P99_MS, .flags = DOC_RESPONSE},
	{FIGURE_P99_MS, "change", RECORDS_STEP, DOC_KNOWN},
	{.figure = FIGURE_OPS, .flags = DOC_OPTIONAL},
};

/* Begin a table with two labels, and some of the columns. */
static void begin(struct doc *doc, size_t count, bool paced, unsigned flags)
{
	doc_table(doc, flags);
	doc_column(doc, "users", NUMBER_COUNT, DOC_LABEL);
	doc_column(doc, "b\x1b", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_column_width(doc, 6);
	records_columns(doc, columns, count, paced);
}

/* Begin a row with its labels. */
static void begin_row(struct doc *doc, const char *users, const char *name)
{
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell_text(doc, "%s", users);
	doc_cell_text(doc, "%s", name);
}

static void records_become_a_table(void **state)
{
	const struct records_row rows[] = {
		{.record = before.list},
		{.record = point.records.list, .first = before.list, .previous = before.list},
	};
	struct doc *doc = doc_new();

	begin(doc, LENGTH(columns), false, 0);
	begin_row(doc, "1", "4Ki");
	records_cells(doc, columns, LENGTH(columns), &rows[0]);
	begin_row(doc, "16", "|");
	records_cells(doc, columns, LENGTH(columns), &rows[1]);
	doc_table_end(doc);
	expect_text(doc, "users b?       MB/s     x     p99 change ops\n"
			 "    1 4Ki     80.00     - 1.60 ms      -   0\n"
			 "   16 |      100.00 1.250 2.00 ms +25.0%   8\n");
	expect_markdown(doc, "| users | b? | MB/s | x | p99 | change | ops |\n"
			     "|---:|:---|---:|---:|---:|---:|---:|\n"
			     "| 1 | 4Ki | 80.00 | - | 1.60 ms | - | 0 |\n"
			     "| 16 | \\| | 100.00 | 1.250 | 2.00 ms | +25.0% | 8 |\n");
	doc_free(doc);
}

static void columns_without_comparison_are_left_out(void **state)
{
	const struct records_row row = {.record = before.list};
	struct doc *doc = doc_new();

	begin(doc, LENGTH(columns), true, 0);
	begin_row(doc, "1", "4Ki");
	records_cells(doc, columns, LENGTH(columns), &row);
	doc_table_end(doc);
	expect_text(doc, "users b?      MB/s response p99\n"
			 "    1 4Ki    80.00      1.60 ms\n");
	doc_free(doc);
}

static void tables_without_rows_have_headings_if_fixed(void **state)
{
	struct doc *doc = doc_new();

	begin(doc, 1, false, DOC_FIXED);
	doc_table_end(doc);
	expect_text(doc, "users b?         MB/s\n");
	doc_free(doc);
}

static void rows_may_have_a_reason_instead(void **state)
{
	const struct records_row row = {.record = before.list};
	struct doc *doc = doc_new();

	begin(doc, LENGTH(columns), false, 0);
	begin_row(doc, "1", "4Ki");
	doc_rest(doc, DOC_BAD, "invalid: %s| (0 operations)", "\x1b");
	begin_row(doc, "16", "|");
	records_cells(doc, columns, LENGTH(columns), &row);
	doc_table_end(doc);
	expect_text(doc, "users b?      MB/s     p99\n"
			 "    1 4Ki    invalid: ?| (0 operations)\n"
			 "   16 |      80.00 1.60 ms\n");
	expect_markdown(doc, "| users | b? | MB/s | p99 |\n|---:|:---|---:|---:|\n"
			     "| 1 | 4Ki | invalid: ?\\| (0 operations) | |\n"
			     "| 16 | \\| | 80.00 | 1.60 ms |\n");
	doc_free(doc);
}

int unit_table(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_show_parts_of_figures),
		cmocka_unit_test(records_become_a_table),
		cmocka_unit_test(columns_without_comparison_are_left_out),
		cmocka_unit_test(tables_without_rows_have_headings_if_fixed),
		cmocka_unit_test(rows_may_have_a_reason_instead),
	};

	return cmocka_run_group_tests(tests, make_point, free_point);
}
