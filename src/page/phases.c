/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part with the phases of the load: a table of the phases of the points for
 * which the page shows the operations, too. With several loads, the part with
 * the loads has these tables.
 */
#include "page/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* As a row's operation, a phase has the name with which metrics select it. */
static const char prefix[] = "phase.";

static const struct result_phase *phase_of(const struct row *row, const struct result_point *point)
{
	const char *name = row->operation + strlen(prefix);
	size_t i;

	for (i = 0; point != NULL && i < point->figures.phase_count; i++)
		if (strcmp(point->figures.phases[i].name, name) == 0)
			return &point->figures.phases[i];
	return NULL;
}

static void write_phase(const struct page *page, const struct row *row, size_t side)
{
	escape_markup(row->operation + strlen(prefix), page->stream);
}

static void write_share(const struct page *page, const struct row *row, size_t side)
{
	const struct result_point *point = row->points[side];
	const struct result_phase *phase = phase_of(row, point);
	double share = phase != NULL ? phase->figures.seconds / point->figures.seconds : NAN;

	if (isfinite(share))
		fprintf(page->stream, "<i class=\"s%zu\" style=\"--s:%.3f\"></i>%.1f %%", side + 1,
			share, 100 * share);
}

static double elapsed_of(const struct page *page, const struct row *row,
			 const struct result_point *point)
{
	const struct result_phase *phase = phase_of(row, point);

	return phase != NULL ? phase->elapsed_s : NAN;
}

static double user_min_of(const struct page *page, const struct row *row,
			  const struct result_point *point)
{
	const struct result_phase *phase = phase_of(row, point);

	return phase != NULL ? phase->user_min_s : NAN;
}

static double user_max_of(const struct page *page, const struct row *row,
			  const struct result_point *point)
{
	const struct result_phase *phase = phase_of(row, point);

	return phase != NULL ? phase->user_max_s : NAN;
}

static double user_cpu_of(const struct page *page, const struct row *row,
			  const struct result_point *point)
{
	const struct result_phase *phase = phase_of(row, point);

	return phase != NULL ? result_phase_mean(phase, phase->figures.client_cpu.user_s) : NAN;
}

static double system_cpu_of(const struct page *page, const struct row *row,
			    const struct result_point *point)
{
	const struct result_phase *phase = phase_of(row, point);

	return phase != NULL ? result_phase_mean(phase, phase->figures.client_cpu.system_s) : NAN;
}

/* The name of a phase, as metrics select it. */
typedef char phase_name[METRIC_OPERATION];

/* Name the phases of a point. Return an array, which the caller frees; NULL if
 * memory is short. */
static phase_name *name_phases(const struct result_figures *figures)
{
	phase_name *names = calloc(figures->phase_count + 1, sizeof(*names));
	size_t i;

	for (i = 0; names != NULL && i < figures->phase_count; i++)
		snprintf(names[i], sizeof(names[i]), "%s%s", prefix, figures->phases[i].name);
	return names;
}

void page_phase_table(const struct page *page, const struct result_point *const *points,
		      size_t sides)
{
	static const struct column columns[] = {
		{.heading = "phase", .write = write_phase},
		{.heading = "time", .write = write_share, .class = "share"},
		{.heading = "elapsed", .value = elapsed_of, .is_seconds = true},
		{.heading = "fastest", .value = user_min_of, .is_seconds = true, .is_single = true},
		{.heading = "slowest", .value = user_max_of, .is_seconds = true, .is_single = true},
		{.heading = "user CPU",
		 .value = user_cpu_of,
		 .is_seconds = true,
		 .is_single = true},
		{.heading = "system CPU",
		 .value = system_cpu_of,
		 .is_seconds = true,
		 .is_single = true},
		{.heading = "ops/s", .metric = "ops_per_s", .is_compared = true},
		{.metric = "mb_per_s", .is_optional = true},
		{.heading = "read",
		 .metric = "read_mb_per_s",
		 .is_single = true,
		 .is_optional = true},
		{.heading = "write",
		 .metric = "write_mb_per_s",
		 .is_single = true,
		 .is_optional = true},
		{.heading = "mean", .metric = "mean", .is_single = true},
		{.heading = "p50", .metric = "p50", .is_single = true},
		{.heading = "p99", .metric = "p99", .is_compared = true},
		{.heading = "max", .metric = "max", .is_single = true},
	};
	const struct result_figures *figures = &points[sides - 1]->figures;
	phase_name *names = name_phases(figures);
	struct row *rows = calloc(figures->phase_count, sizeof(*rows));
	size_t i;

	for (i = 0; names != NULL && rows != NULL && i < figures->phase_count; i++)
		rows[i] = (struct row){
			.points = points,
			.base = points[0],
			.operation = names[i],
		};
	if (names != NULL && rows != NULL)
		table_write(page, "operations", sides, columns, LENGTH(columns), rows,
			    figures->phase_count);
	free(names);
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
	page_phase_table(page, points, sides);
	fputs("</details>\n", page->stream);
}

/* Check if all sides have a valid point with phases. */
static bool has_phases(const struct result_point *const *points, size_t sides)
{
	size_t i;

	for (i = 0; i < sides; i++)
		if (points[i] == NULL || !result_is_valid(points[i]) ||
		    points[i]->figures.phase_count == 0)
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
