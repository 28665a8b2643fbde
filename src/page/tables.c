/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a page: results, results side by side, points, operations.
 */
#include "page/table.h"

#include "page/shares.h"
#include "result/combine.h"

#include <math.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static double spread_of(const struct page *page, const struct row *row,
			const struct result_point *point)
{
	return page_repeats(point) > 1 ? 100 * combine_range(point, page->rate).spread : NAN;
}

static double users_of(const struct page *page, const struct row *row,
		       const struct result_point *point)
{
	return point->users;
}

static void write_result(const struct page *page, const struct row *row, size_t side)
{
	page_swatch(page, row->index);
	page_title(page, row->index);
}

static void write_verdict(const struct page *page, const struct row *row, size_t side)
{
	page_verdict(page, page->results[row->index]);
}

void page_results(const struct page *page)
{
	static const struct column columns[] = {
		{.heading = "result at its peak", .write = write_result},
		{.figure = FIGURES, .class = "main"},
		{.heading = "change", .figure = FIGURES, .is_change = true},
		{.heading = "users", .value = users_of},
		{.heading = "spread %", .value = spread_of},
		{.heading = "p50", .figure = FIGURE_P50_MS, .is_response = true},
		{.heading = "p99", .figure = FIGURE_P99_MS},
		{.heading = "", .write = write_verdict},
	};
	struct row rows[HTML_RESULTS];
	size_t i;

	for (i = 0; i < page->count; i++)
		rows[i] = (struct row){
			.points = &page->peaks[i], .base = page->peaks[0], .index = i};
	table_write(page, "results", 1, columns, LENGTH(columns), rows, page->count);
}

static void write_users(const struct page *page, const struct row *row, size_t side)
{
	const struct page_row *of = &page->rows[row->index];

	fprintf(page->stream, "%u", of->users);
	page_write_set(page, of->set, of->set_count);
}

void page_sides(const struct page *page)
{
	static const struct column columns[] = {
		{.heading = "users", .write = write_users},
		{.figure = FIGURES, .is_compared = true},
		{.heading = "p99",
		 .figure = FIGURE_P99_MS,
		 .is_compared = true,
		 .is_response = true},
	};
	struct row *rows = calloc(page->row_count + 1, sizeof(*rows));
	size_t i;

	if (page->count > 1 && page->max_rate > 0 && rows != NULL) {
		for (i = 0; i < page->row_count; i++)
			rows[i] = (struct row){
				.points = page->rows[i].points,
				.base = page->rows[i].points[0],
				.index = i,
			};
		fputs("<section>\n<h2>Side by side</h2>\n", page->stream);
		table_write(page, "sides", page->count, columns, LENGTH(columns), rows,
			    page->row_count);
		fputs("<p class=\"note\">Medians of the repeats; changes are relative to ",
		      page->stream);
		escape_markup(page->names[0], page->stream);
		fprintf(page->stream, ".%s</p>\n</section>\n",
			page->verdict != NULL || page->whole != NULL
				? ""
				: " Results measured one after the other may differ by drift "
				  "alone; throng compare measures in pairs.");
	}
	free(rows);
}

static void write_point(const struct page *page, const struct row *row, size_t side)
{
	write_users(page, row, side);
	if (row->is_void)
		fputs(" <a class=\"flag bad\" href=\"#invalid\">not valid</a>", page->stream);
	else if (row->points[0]->warnings.count > 0)
		fputs(" <a class=\"flag warning\" href=\"#warnings\" title=\"warning\">?</a>",
		      page->stream);
}

static double operations_of(const struct page *page, const struct row *row,
			    const struct result_point *point)
{
	const struct record *total = records_total(&point->records);

	return page->by_operations ? NAN : record_value(total, FIGURE_OPS_PER_S);
}

static void write_points(const struct page *page, size_t index)
{
	static const struct column columns[] = {
		{.heading = "users", .write = write_point},
		{.figure = FIGURES, .class = "main"},
		{.heading = "spread %", .value = spread_of},
		{.heading = "gain", .figure = FIGURES, .is_change = true, .class = "gain"},
		{.heading = "read", .figure = FIGURE_READ_MB_PER_S, .is_optional = true},
		{.heading = "write", .figure = FIGURE_WRITE_MB_PER_S, .is_optional = true},
		{.heading = "ops/s", .value = operations_of},
		{.heading = "due/s", .figure = FIGURE_DUE_PER_S},
		{.heading = "ended %", .figure = FIGURE_ENDED_SHARE},
		{.heading = "mean", .figure = FIGURE_MEAN_MS, .is_response = true},
		{.heading = "p50", .figure = FIGURE_P50_MS},
		{.heading = "p90", .figure = FIGURE_P90_MS},
		{.heading = "p95", .figure = FIGURE_P95_MS},
		{.heading = "p99", .figure = FIGURE_P99_MS},
		{.heading = "p99.9", .figure = FIGURE_P99_9_MS},
		{.heading = "max", .figure = FIGURE_MAX_MS},
		{.heading = "service p99", .figure = FIGURE_SERVICE_P99_MS},
		{.heading = "lateness p99", .figure = FIGURE_LATENESS_P99_MS},
		{.heading = "loop", .figure = FIGURE_LOOP_S},
		{.heading = "mismatches", .figure = FIGURE_MISMATCHES, .is_optional = true},
		{.heading = "CPU %", .figure = FIGURE_CPU_SHARE, .is_optional = true},
		{.heading = "CPU/op", .figure = FIGURE_CPU_PER_OP_US, .is_optional = true},
	};
	struct row *rows = calloc(page->row_count + 1, sizeof(*rows));
	const struct result_point *before = NULL;
	size_t count = 0, i;

	for (i = 0; rows != NULL && i < page->row_count; i++) {
		const struct result_point *const *point = &page->rows[i].points[index];

		if (*point == NULL)
			continue;
		if (before != NULL && before->variant != (*point)->variant)
			before = NULL;
		rows[count++] = (struct row){
			.points = point,
			.base = before,
			.index = i,
			.class = *point == page->peaks[index] ? "best" : NULL,
			.is_void = !result_is_valid(*point),
		};
		if (result_is_valid(*point))
			before = *point;
	}
	if (count > 0) {
		page_subheading(page, index);
		table_write(page, "points", 1, columns, LENGTH(columns), rows, count);
	}
	free(rows);
}

void page_points(const struct page *page)
{
	size_t i;

	if (page->row_count == 0)
		return;
	fputs("<section>\n<h2>Points</h2>\n", page->stream);
	for (i = 0; i < page->count; i++)
		write_points(page, i);
	if (page->max_rate > 0)
		fprintf(page->stream,
			"<p class=\"note\">Rates and times are medians of the repeats. The gain is "
			"relative to the previous point. %sCPU is that of the client.</p>\n",
			page->by_operations ? "" : "Read and write are parts of the throughput. ");
	fputs("</section>\n", page->stream);
}

static void write_operation(const struct page *page, const struct row *row, size_t side)
{
	escape_markup(row->key.operation, page->stream);
}

static void write_share(const struct page *page, const struct row *row, size_t side)
{
	const struct record *operation = table_record(row, side);
	double share = operation != NULL ? record_value(operation, FIGURE_TIME_SHARE) : NAN;

	if (!isnan(share))
		fprintf(page->stream, "<i class=\"s%zu\" style=\"--s:%.3f\"></i>%.1f %%", side + 1,
			share, 100 * share);
}

/* Write a table of the operations of one point, or of the points of two sides
 * next to each other. Write nothing if there are no operations. */
static void write_operations(const struct page *page, const struct result_point *const *points,
			     size_t sides, bool is_open)
{
	static const struct column columns[] = {
		{.heading = "operation", .write = write_operation},
		{.heading = "time", .write = write_share, .class = "share"},
		{.heading = "ops/s", .figure = FIGURE_OPS_PER_S},
		{.figure = FIGURE_MB_PER_S, .is_optional = true},
		{.heading = "mean",
		 .figure = FIGURE_MEAN_MS,
		 .is_compared = true,
		 .is_response = true},
		{.heading = "p50", .figure = FIGURE_P50_MS, .is_single = true},
		{.heading = "p99", .figure = FIGURE_P99_MS, .is_compared = true},
		{.heading = "max", .figure = FIGURE_MAX_MS, .is_single = true},
		{.heading = "mismatches", .figure = FIGURE_MISMATCHES, .is_optional = true},
	};
	const struct result_point *first = points[0] != NULL ? points[0] : points[sides - 1];
	const struct result_point *last = points[sides - 1] != NULL ? points[sides - 1] : first;
	char users[PAGE_USERS];
	struct ranking ranking;
	struct row *rows = NULL;
	size_t i;

	if (ranking_make(&ranking, points, sides, &(struct record_key){0}) == 0 &&
	    ranking.count > 0)
		rows = calloc(ranking.count, sizeof(*rows));
	if (rows != NULL) {
		for (i = 0; i < ranking.count; i++)
			rows[i] = (struct row){
				.points = points,
				.base = points[0],
				.key = ranking.items[i].key,
			};
		fprintf(page->stream, "<details%s>\n<summary>", is_open ? " open=\"open\"" : "");
		if (first->users != last->users)
			fprintf(page->stream, "%u and ", first->users);
		fputs(page_print_users(last->users, users), page->stream);
		page_write_set(page, last->set, last->set_count);
		fputs("</summary>\n", page->stream);
		table_write(page, "operations", sides, columns, LENGTH(columns), rows,
			    ranking.count);
		fputs("</details>\n", page->stream);
	}
	free(rows);
	ranking_free(&ranking);
}

static bool has_operations(const struct result_point *const *points, size_t sides)
{
	size_t i;

	for (i = 0; i < sides; i++)
		if (points[i] != NULL && result_is_valid(points[i]) &&
		    records_total(&points[i]->records)->operations > 0)
			return true;
	return false;
}

/* Check that no points but the chosen ones have operations. The operations of
 * the chosen points are already written. */
static bool are_written(const struct result_point *const *points,
			const struct result_point *const *chosen, size_t sides)
{
	size_t i;

	for (i = 0; i < sides; i++)
		if (points[i] != chosen[i] && has_operations(&points[i], 1))
			return false;
	return true;
}

/* Write the operations of `sides` results, from result `index` on: first for
 * the chosen points, then, folded (<details>), for the other points. */
static void write_results(const struct page *page, size_t index, size_t sides)
{
	const struct result_point *const *chosen = &page->chosen[index];
	size_t others = 0, i;

	write_operations(page, chosen, sides, true);
	for (i = 0; i < page->row_count; i++) {
		const struct result_point *const *points = &page->rows[i].points[index];

		if (are_written(points, chosen, sides))
			continue;
		if (others++ == 0)
			fputs("<details>\n<summary>other points</summary>\n", page->stream);
		write_operations(page, points, sides, false);
	}
	if (others > 0)
		fputs("</details>\n", page->stream);
}

/* Write a table of operations for each result. If there are exactly two
 * results, write a common table. */
void page_operations(const struct page *page)
{
	bool any = false;
	size_t i;

	for (i = 0; i < page->row_count; i++)
		any = any || has_operations(page->rows[i].points, page->count);
	if (!any)
		return;
	fputs("<section>\n<h2>Operations</h2>\n", page->stream);
	for (i = 0; i < page->count; i += page->count == 2 ? 2 : 1) {
		if (page->count != 2)
			page_subheading(page, i);
		write_results(page, i, page->count == 2 ? 2 : 1);
	}
	fputs("</section>\n", page->stream);
}
