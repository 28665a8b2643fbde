/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A part of a page: the figures of each load, for results with several loads,
 * and its phases.
 */
#include "page/table.h"

#include "page/shares.h"

#include <math.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* A load at one point. The table takes it for a point of its own. */
struct load_row {
	struct result_point point;        /* the users and the figures of the load */
	const struct result_point *place; /* &point, for struct row */
	const struct result_load *load;
	const struct result_point *of; /* the point with all loads */
};

/* Return the load of a table's row. Its point is the first member. */
static const struct load_row *load_of(const struct row *row)
{
	return (const struct load_row *)row->points[0];
}

static void write_load(const struct page *page, const struct row *row, size_t side)
{
	escape_markup(load_of(row)->load->name, page->stream);
}

static void write_all_users(const struct page *page, const struct row *row, size_t side)
{
	const struct result_point *of = load_of(row)->of;
	char users[MARKUP_TEXT];

	fputs(markup_number(of->users, 0, users), page->stream);
	page_write_set(page, of->set, of->set_count);
}

static double users_of(const struct page *page, const struct row *row,
		       const struct result_point *point)
{
	return point->users;
}

static void write_operation(const struct page *page, const struct row *row, size_t side)
{
	escape_markup(row->operation, page->stream);
}

static void write_share(const struct page *page, const struct row *row, size_t side)
{
	double share = ranking_share(row->points[0], row->operation);

	if (isnan(share))
		fputs("\u2013", page->stream);
	else
		fprintf(page->stream, "%.1f %%", 100 * share);
}

static void write_operation_table(const struct page *page, const struct load_row *load)
{
	static const struct column columns[] = {
		{.heading = "operation", .write = write_operation},
		{.heading = "time", .write = write_share},
		{.heading = "ops/s", .metric = "ops_per_s"},
		{.heading = "MB/s", .metric = "mb_per_s", .is_optional = true},
		{.heading = "mean", .metric = "mean"},
		{.heading = "p50", .metric = "p50"},
		{.heading = "p99", .metric = "p99"},
		{.heading = "max", .metric = "max"},
		{.heading = "errors", .metric = "mismatches", .is_optional = true},
	};
	struct ranking ranking;
	struct row *rows = NULL;
	size_t i;

	if (ranking_make(&ranking, &load->place, 1) == 0 && ranking.count > 0)
		rows = calloc(ranking.count, sizeof(*rows));
	for (i = 0; rows != NULL && i < ranking.count; i++)
		rows[i] = (struct row){
			.points = &load->place,
			.operation = ranking.items[i].name,
		};
	if (rows != NULL)
		table_write(page, "operations", 1, columns, LENGTH(columns), rows, ranking.count);
	free(rows);
	ranking_free(&ranking);
}

/* Write the phases and operations of a load at one point, folded
 * (<details>). */
static void write_details(const struct page *page, const struct load_row *load)
{
	char users[PAGE_USERS];

	if (load->load->figures.operation_count == 0)
		return;
	fputs("<details>\n<summary>", page->stream);
	escape_markup(load->load->name, page->stream);
	fprintf(page->stream, ", %s of %u", page_print_users(load->load->users, users),
		load->of->users);
	page_write_set(page, load->of->set, load->of->set_count);
	fputs("</summary>\n", page->stream);
	if (load->load->figures.phase_count > 0)
		page_phase_table(page, &load->place, 1);
	write_operation_table(page, load);
	fputs("</details>\n", page->stream);
}

static size_t count_rows(const struct result *result)
{
	size_t count = 0, i;

	for (i = 0; i < result->point_count; i++)
		if (result_is_valid(&result->points[i]))
			count += result->points[i].figures.load_count;
	return count;
}

/* Fill in a row for each load at each valid point. The rows must not be moved
 * afterwards. */
static void fill_rows(const struct result *result, struct load_row *loads, struct row *rows)
{
	size_t count = 0, i, j;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (!result_is_valid(point))
			continue;
		for (j = 0; j < point->figures.load_count; j++) {
			const struct result_load *load = &point->figures.loads[j];

			loads[count] = (struct load_row){
				.point = {.users = load->users, .figures = load->figures},
				.load = load,
				.of = point,
			};
			loads[count].place = &loads[count].point;
			rows[count] = (struct row){
				.points = &loads[count].place,
			};
			count++;
		}
	}
}

static void write_loads(const struct page *page, size_t index)
{
	static const struct column columns[] = {
		{.heading = "load", .write = write_load},
		{.heading = "users", .write = write_all_users},
		{.heading = "of these", .value = users_of},
		{.class = "main"},
		{.heading = "ops/s", .metric = "ops_per_s"},
		{.heading = "mean", .metric = "mean"},
		{.heading = "p50", .metric = "p50"},
		{.heading = "p99", .metric = "p99"},
		{.heading = "max", .metric = "max"},
		{.heading = "errors", .metric = "mismatches", .is_optional = true},
	};
	const struct result *result = page->results[index];
	const struct result_point *chosen = page->chosen[index];
	size_t count = count_rows(result), i;
	struct load_row *loads = calloc(count + 1, sizeof(*loads));
	struct row *rows = calloc(count + 1, sizeof(*rows));

	if (loads != NULL && rows != NULL && count > 0) {
		fill_rows(result, loads, rows);
		page_subheading(page, index);
		table_write(page, "loads", 1, columns, LENGTH(columns), rows, count);
		for (i = 0; i < count; i++)
			if (chosen != NULL && loads[i].of == chosen)
				write_details(page, &loads[i]);
	}
	free(loads);
	free(rows);
}

void page_loads(const struct page *page)
{
	size_t rows = 0, i;

	for (i = 0; i < page->count; i++)
		rows += count_rows(page->results[i]);
	if (rows == 0)
		return;
	fputs("<section>\n<h2>Loads</h2>\n", page->stream);
	for (i = 0; i < page->count; i++)
		write_loads(page, i);
	fputs("</section>\n", page->stream);
}
