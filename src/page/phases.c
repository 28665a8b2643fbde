/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part with the phases of the load: a table of the phases of the points for
 * which the page shows the operations, too. With several loads, the part with
 * the loads has these tables.
 */
#include "page/table.h"

#include <math.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void write_phase(const struct page *page, const struct row *row, size_t side)
{
	escape_markup(row->key.phase, page->stream);
}

/* Write the phase's share of the time of its load. */
static void write_share(const struct page *page, const struct row *row, size_t side)
{
	struct row of = *row;
	const struct record *phase = table_record(row, side), *load;
	double share = NAN;

	of.key.phase = NULL;
	load = table_record(&of, side);
	if (phase != NULL && load != NULL)
		share = record_value(phase, FIGURE_SECONDS) / record_value(load, FIGURE_SECONDS);
	if (isfinite(share))
		fprintf(page->stream, "<i class=\"s%zu\" style=\"--s:%.3f\"></i>%.1f %%", side + 1,
			share, 100 * share);
}

void page_phase_table(const struct page *page, const struct result_point *const *points,
		      size_t sides, const char *load)
{
	static const struct column columns[] = {
		{.heading = "phase", .write = write_phase},
		{.heading = "time", .write = write_share, .class = "share"},
		{.heading = "elapsed", .figure = FIGURE_ELAPSED_S},
		{.heading = "fastest", .figure = FIGURE_ELAPSED_USER_MIN_S, .is_single = true},
		{.heading = "slowest", .figure = FIGURE_ELAPSED_USER_MAX_S, .is_single = true},
		{.heading = "user CPU",
		 .figure = FIGURE_USER_S,
		 .is_mean = true,
		 .is_single = true},
		{.heading = "system CPU",
		 .figure = FIGURE_SYSTEM_S,
		 .is_mean = true,
		 .is_single = true},
		{.heading = "ops/s", .figure = FIGURE_OPS_PER_S, .is_compared = true},
		{.figure = FIGURE_MB_PER_S, .is_optional = true},
		{.heading = "read",
		 .figure = FIGURE_READ_MB_PER_S,
		 .is_single = true,
		 .is_optional = true},
		{.heading = "write",
		 .figure = FIGURE_WRITE_MB_PER_S,
		 .is_single = true,
		 .is_optional = true},
		{.heading = "mean", .figure = FIGURE_MEAN_MS, .is_single = true},
		{.heading = "p50", .figure = FIGURE_P50_MS, .is_single = true},
		{.heading = "p99", .figure = FIGURE_P99_MS, .is_compared = true},
		{.heading = "max", .figure = FIGURE_MAX_MS, .is_single = true},
	};
	const struct records *records = &points[sides - 1]->records;
	const struct record *phase = NULL;
	struct row *rows = calloc(records->count + 1, sizeof(*rows));
	size_t count = 0;

	while (rows != NULL && (phase = records_next_phase(records, load, phase)) != NULL)
		rows[count++] = (struct row){
			.points = points,
			.base = points[0],
			.key = phase->key,
		};
	if (rows != NULL)
		table_write(page, "operations", sides, columns, LENGTH(columns), rows, count);
	free(rows);
}

static void write_phases(const struct page *page, const struct result_point *const *points,
			 size_t sides, bool is_open)
{
	const struct result_point *point = points[sides - 1];
	char users[PAGE_USERS];

	fprintf(page->stream, "<details%s>\n<summary>%s", is_open ? " open=\"open\"" : "",
		page_print_users(point->users, users));
	page_write_set(page, point->set, point->set_count);
	fputs("</summary>\n", page->stream);
	page_phase_table(page, points, sides, NULL);
	fputs("</details>\n", page->stream);
}

/* Check if all sides have a valid point with phases. */
static bool has_phases(const struct result_point *const *points, size_t sides)
{
	size_t i;

	for (i = 0; i < sides; i++)
		if (points[i] == NULL || !result_is_valid(points[i]) ||
		    records_next_phase(&points[i]->records, NULL, NULL) == NULL)
			return false;
	return true;
}

/* Write the phases of the chosen points of `sides` results, from result `index`
 * on, then, folded, those of other points at which all sides have them. */
static void write_results(const struct page *page, size_t index, size_t sides)
{
	const struct result_point *const *chosen = &page->chosen[index];
	size_t i;

	if (has_phases(chosen, sides))
		write_phases(page, chosen, sides, true);
	for (i = 0; i < page->row_count; i++) {
		const struct result_point *const *points = &page->rows[i].points[index];

		if (has_phases(points, sides) && points[0] != chosen[0])
			write_phases(page, points, sides, false);
	}
}

void page_phases(const struct page *page)
{
	size_t sides = page->count == 2 && has_phases(page->chosen, 2) ? 2 : 1;
	bool any = false;
	size_t i;

	for (i = 0; i < page->count; i++)
		any = any || has_phases(&page->chosen[i], 1);
	if (!any)
		return;
	fputs("<section>\n<h2>Phases</h2>\n", page->stream);
	for (i = 0; i < page->count; i += sides) {
		if (sides == 1)
			page_subheading(page, i);
		write_results(page, i, sides);
	}
	fputs("<p class=\"note\">Times are means of the loops, from the start of all users to the "
	      "end of the slowest one; fastest and slowest are times of single "
	      "users.</p>\n</section>\n",
	      page->stream);
}
