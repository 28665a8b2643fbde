/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page.h"

#include "base/units.h"
#include "doc/render.h"
#include "report/sections.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static bool has_operations(const struct result_point *point)
{
	return result_is_valid(point) && records_total(&point->records)->operations > 0;
}

static bool has_phases(const struct result_point *point)
{
	return result_is_valid(point) && records_have_phases(&point->records);
}

static bool has_hosts(const struct result_point *point)
{
	return result_is_valid(point) && records_next_host(&point->records, NULL) != NULL;
}

/* A section about the records of a point. */
typedef void section_of_records(struct doc *doc, bool open_loop, const struct records *records);

/* Add a section for each point that has it, folded except at the peak. */
static void add_each(struct doc *doc, const struct view *view, const char *heading,
		     bool (*has_it)(const struct result_point *point), section_of_records *section)
{
	const struct result_point *peak = view->sides[view_best(view)].peak;
	size_t i, j;

	for (i = 0; i < view->side_count; i++) {
		for (j = 0; j < view->place_count; j++) {
			const struct result_point *point = view->places[j].points[i];

			if (point == NULL || !has_it(point))
				continue;
			/* The sections have this heading, too: they are one. */
			doc_heading(doc, 2, "%s", heading);
			doc_fold(doc, point == peak, "%u %s%s%s", point->users,
				 units_plural(point->users, "user", "users"),
				 view->side_count > 1 ? ", " : "",
				 view->side_count > 1 ? view->sides[i].name : "");
			section(doc, view->whole->run.open_loop, &point->records);
			doc_fold_end(doc);
		}
	}
}

static void add_one(struct doc *doc, const struct view *view)
{
	const struct result *result = view->whole;

	section_pivot(doc, view);
	section_points(doc, result);
	section_details(doc, result);
	section_pace(doc, result);
	section_samples(doc, result);
	section_gains(doc, result);
	section_loads(doc, result);
	add_each(doc, view, "Phases", has_phases, section_phases);
	section_phase_rates(doc, view);
	add_each(doc, view, "Hosts", has_hosts, section_hosts);
	add_each(doc, view, "Operations", has_operations, section_operations);
	section_conclusions(doc, result);
}

static void add_several(struct doc *doc, const struct view *view)
{
	section_sides(doc, view);
	section_pivot(doc, view);
	section_trend(doc, view);
	section_sides_parts(doc, view);
	section_sides_samples(doc, view);
	section_sides_operations(doc, view);
}

static void add_all(struct doc *doc, const struct view *view)
{
	section_headline(doc, view);
	section_invalid(doc, view);
	section_charts(doc, view);
	section_tables(doc, view);
	section_warnings(doc, view);
	section_peaks(doc, view);
	if (view_has_several(view))
		add_several(doc, view);
	else
		add_one(doc, view);
	section_configuration(doc, view);
}

/* Return the title of the page, which the caller frees, or NULL if memory is short. */
static char *print_title(const struct view *view)
{
	char *title;

	if (!view_has_several(view))
		return headline_subject(&view->whole->run);
	return asprintf(&title, "%zu results", view->side_count) < 0 ? NULL : title;
}

static int write_view(const struct view *view, FILE *stream)
{
	struct doc *doc = doc_new();
	char *title = print_title(view);
	int rc = -ENOMEM;

	add_all(doc, view);
	if (title != NULL)
		rc = doc_html(doc, title, stream);
	free(title);
	doc_free(doc);
	return rc;
}

int page_write(const struct result *results, size_t count, const char *const *files, FILE *stream)
{
	struct view view;
	int rc = view_make(&view, results, count, files, NULL);

	if (rc == 0)
		rc = write_view(&view, stream);
	view_free(&view);
	return rc;
}
