/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A part of a page: the figures of each load, for results with several loads,
 * and its phases.
 */
#include "page/table.h"

#include "base/array.h"
#include "page/shares.h"

#include <math.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void write_load(const struct page *page, const struct row *row, size_t side)
{
	escape_markup(row->key.load, page->stream);
}

static void write_all_users(const struct page *page, const struct row *row, size_t side)
{
	const struct result_point *point = row->points[0];
	char users[MARKUP_TEXT];

	fputs(markup_number(point->users, 0, users), page->stream);
	page_write_set(page, point->set, point->set_count);
}

static void write_operation(const struct page *page, const struct row *row, size_t side)
{
	escape_markup(row->key.operation, page->stream);
}

static void write_share(const struct page *page, const struct row *row, size_t side)
{
	double share = record_value(table_record(row, side), FIGURE_TIME_SHARE);

	if (isnan(share))
		fputs("\u2013", page->stream);
	else
		fprintf(page->stream, "%.1f %%", 100 * share);
}

static void write_operation_table(const struct page *page, const struct row *load)
{
	static const struct column columns[] = {
		{.heading = "operation", .write = write_operation},
		{.heading = "time", .write = write_share},
		{.heading = "ops/s", .figure = FIGURE_OPS_PER_S},
		{.heading = "MB/s", .figure = FIGURE_MB_PER_S, .is_optional = true},
		{.heading = "mean", .figure = FIGURE_MEAN_MS},
		{.heading = "p50", .figure = FIGURE_P50_MS},
		{.heading = "p99", .figure = FIGURE_P99_MS},
		{.heading = "max", .figure = FIGURE_MAX_MS},
		{.heading = "errors", .figure = FIGURE_MISMATCHES, .is_optional = true},
	};
	struct ranking ranking;
	struct row *rows = NULL;
	size_t i;

	if (ranking_make(&ranking, load->points, 1, &load->key) == 0 && ranking.count > 0)
		rows = calloc(ranking.count, sizeof(*rows));
	for (i = 0; rows != NULL && i < ranking.count; i++)
		rows[i] = (struct row){
			.points = load->points,
			.key = ranking.items[i].key,
		};
	if (rows != NULL)
		table_write(page, "operations", 1, columns, LENGTH(columns), rows, ranking.count);
	free(rows);
	ranking_free(&ranking);
}

/* Write the phases and operations of a load at one point, folded
 * (<details>). */
static void write_details(const struct page *page, const struct row *row)
{
	const struct result_point *point = row->points[0];
	const struct record *load = table_record(row, 0);
	unsigned load_users = (unsigned)record_count(load, FIGURE_LOAD_USERS);
	char users[PAGE_USERS];

	if (load->operations == 0)
		return;
	fputs("<details>\n<summary>", page->stream);
	escape_markup(row->key.load, page->stream);
	fprintf(page->stream, ", %s of %u", page_print_users(load_users, users), point->users);
	page_write_set(page, point->set, point->set_count);
	fputs("</summary>\n", page->stream);
	if (records_next_phase(&point->records, row->key.load, NULL) != NULL)
		page_phase_table(page, row->points, 1, row->key.load);
	write_operation_table(page, row);
	fputs("</details>\n", page->stream);
}

/* Append a row for each load at a point, if it is valid. */
static void add_rows(const struct result_point *const *point, struct row **rows, size_t *count)
{
	const struct record *load = NULL;

	if (*point == NULL || !result_is_valid(*point))
		return;
	while ((load = records_next_load(&(*point)->records, load)) != NULL) {
		const struct row row = {.points = point, .key = load->key};

		if (array_append(rows, count, &row, sizeof(row)) < 0)
			return;
	}
}

static void write_loads(const struct page *page, size_t index, const struct row *rows, size_t count)
{
	static const struct column columns[] = {
		{.heading = "load", .write = write_load},
		{.heading = "users", .write = write_all_users},
		{.heading = "of these", .figure = FIGURE_LOAD_USERS},
		{.figure = FIGURES, .class = "main"},
		{.heading = "ops/s", .figure = FIGURE_OPS_PER_S},
		{.heading = "mean", .figure = FIGURE_MEAN_MS},
		{.heading = "p50", .figure = FIGURE_P50_MS},
		{.heading = "p99", .figure = FIGURE_P99_MS},
		{.heading = "max", .figure = FIGURE_MAX_MS},
		{.heading = "errors", .figure = FIGURE_MISMATCHES, .is_optional = true},
	};
	size_t i;

	page_subheading(page, index);
	table_write(page, "loads", 1, columns, LENGTH(columns), rows, count);
	for (i = 0; i < count; i++)
		if (rows[i].points[0] == page->chosen[index])
			write_details(page, &rows[i]);
}

void page_loads(const struct page *page)
{
	bool any = false;
	size_t i, j;

	for (i = 0; i < page->count; i++) {
		struct row *rows = NULL;
		size_t count = 0;

		for (j = 0; j < page->row_count; j++)
			add_rows(&page->rows[j].points[i], &rows, &count);
		if (count > 0) {
			fputs(any ? "" : "<section>\n<h2>Loads</h2>\n", page->stream);
			write_loads(page, i, rows, count);
			any = true;
		}
		free(rows);
	}
	fputs(any ? "</section>\n" : "", page->stream);
}
