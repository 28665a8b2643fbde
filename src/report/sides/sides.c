/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several results, or the variants of one, side by side.
 *
 * In text, names are brief, and the user count is only in the first row of a place.
 * Elsewhere each row can be read alone.
 */
#include "report/sections.h"

#include "doc/records.h"
#include "report/points.h"
#include "result/variant.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Add a table for text, and one for the other media. */
typedef void add_table(struct doc *doc, const struct view *view, bool is_text);
static void add_both(struct doc *doc, const struct view *view, add_table *add)
{
	doc_medium(doc, DOC_TEXT);
	add(doc, view, true);
	doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
	add(doc, view, false);
	doc_medium(doc, DOC_ALL);
}

/* Check if there is something to show side by side. */
static bool has_sides(const struct view *view)
{
	return view->side_count > 1 && view->place_count > 0;
}

static const char *name_of(const struct view *view, size_t side, bool is_text)
{
	return is_text ? view->sides[side].brief : view->sides[side].name;
}

static void add_name_column(struct doc *doc, const struct view *view)
{
	doc_column(doc, view_has_several(view) ? "result" : "values", NUMBER_COUNT,
		   DOC_LABEL | DOC_LEFT);
}

/* Add the columns of a place: its users and values. */
static void add_place_columns(struct doc *doc, const struct view *view, unsigned flags)
{
	size_t i;

	doc_column(doc, "users", NUMBER_COUNT, flags);
	for (i = 0; i < view->axis_count; i++)
		doc_column(doc, view->axes[i], NUMBER_COUNT, flags);
}

static void add_place_cells(struct doc *doc, const struct view *view,
			    const struct view_place *place, bool is_blank)
{
	size_t i;

	if (is_blank)
		doc_cell_text(doc, "%s", "");
	else
		doc_cell(doc, place->users);
	for (i = 0; i < view->axis_count; i++) {
		const char *value = variant_set_value(place->set, place->set_count, view->axes[i]);

		doc_cell_text(doc, "%s", is_blank || value == NULL ? "" : value);
	}
}

/* Describe the row of a side at a place. With two sides, the one before is the first:
 * the column with the ratio to it is left out if that is unknown. */
static struct records_row row_of(const struct view *view, const struct view_place *place,
				 size_t side)
{
	const bool has_previous = side > 0 && view->side_count > 2;

	return (struct records_row){
		.record = view_total(place->points[side]),
		.point = place->points[side],
		.first = view_total(place->points[0]),
		.previous = has_previous ? view_total(place->points[side - 1]) : NULL,
	};
}

static void add_sides(struct doc *doc, const struct view *view, bool is_text)
{
	const struct records_column columns[] = {
		{view->rate, NULL, RECORDS_VALUE, DOC_MAIN},
		{view->rate, "spread", RECORDS_SPREAD, DOC_KNOWN},
		{view->rate, "x first", RECORDS_TO_FIRST, DOC_KNOWN},
		{view->rate, "x before", RECORDS_TO_PREVIOUS, DOC_KNOWN},
		{FIGURE_P50_MS, NULL, RECORDS_VALUE, DOC_RESPONSE},
		{FIGURE_P99_MS, NULL, RECORDS_VALUE, 0},
		{FIGURE_P99_MS, "p99 x first", RECORDS_TO_FIRST, DOC_KNOWN},
		{FIGURE_MISMATCHES, NULL, RECORDS_VALUE, DOC_OPTIONAL},
	};
	size_t i, j;

	doc_table(doc, 0);
	add_place_columns(doc, view, DOC_LABEL);
	add_name_column(doc, view);
	records_columns(doc, columns, LENGTH(columns), view->open_loop);
	for (i = 0; i < view->place_count; i++) {
		const struct view_place *place = &view->places[i];
		bool is_first = true;

		for (j = 0; j < view->side_count; j++) {
			const struct records_row row = row_of(view, place, j);

			if (row.point == NULL)
				continue;
			doc_row(doc, DOC_PLAIN, (unsigned)j + 1);
			add_place_cells(doc, view, place, is_text && !is_first);
			doc_cell_text(doc, "%s", name_of(view, j, is_text));
			if (row.record == NULL)
				doc_rest(doc, DOC_BAD, "invalid");
			else
				records_cells(doc, columns, LENGTH(columns), &row);
			is_first = false;
		}
	}
	doc_table_end(doc);
}

void section_sides(struct doc *doc, const struct view *view)
{
	if (!has_sides(view))
		return;
	doc_heading(doc, 2, "Side by side");
	add_both(doc, view, add_sides);
	doc_note(doc,
		 "Rates and times are medians of the repeats; \"x first\" is the ratio to "
		 "the first result%s.",
		 view->side_count > 2 ? ", \"x before\" that to the one before" : "");
}

/*
 * Peaks.
 */

/* Add the cell that says how many points of a result are invalid, or have warnings. */
static void add_state(struct doc *doc, const struct result *result)
{
	const struct view_state state = view_state_of(result);
	const size_t all = result->point_count;

	if (all == 0)
		doc_rest(doc, DOC_BAD, "none measured");
	else if (state.invalid == all)
		doc_rest(doc, DOC_BAD, "invalid at %zu of %zu", all, all);
	else if (state.invalid > 0)
		doc_cell_text(doc, "invalid at %zu of %zu", state.invalid, all);
	else if (state.warned > 0)
		doc_cell_text(doc, "warnings at %zu of %zu", state.warned, all);
	else
		doc_cell_text(doc, "valid, no warnings");
}

/* Add which names the brief ones stand for. */
static void add_legend(struct doc *doc, const struct view *view)
{
	size_t i;

	if (view->sides[0].brief == view->sides[0].name)
		return;
	doc_heading(doc, 3, "results");
	for (i = 0; i < view->side_count; i++)
		if (strcmp(view->sides[i].brief, view->sides[i].name) != 0)
			doc_fact(doc, view->sides[i].brief, "%s", view->sides[i].name);
}

static void add_peaks(struct doc *doc, const struct view *view, bool is_text)
{
	const struct records_column columns[] = {
		{view->rate, NULL, RECORDS_VALUE, DOC_MAIN},
		{view->rate, "x first", RECORDS_TO_FIRST, DOC_KNOWN},
		{view->rate, "spread", RECORDS_SPREAD, DOC_KNOWN},
		{FIGURE_P50_MS, NULL, RECORDS_VALUE, DOC_RESPONSE},
		{FIGURE_P99_MS, NULL, RECORDS_VALUE, 0},
	};
	size_t i;

	if (is_text) {
		add_legend(doc, view);
		doc_heading(doc, 3, "peaks");
	}
	doc_table(doc, 0);
	add_name_column(doc, view);
	add_place_columns(doc, view, 0);
	records_columns(doc, columns, LENGTH(columns), view->open_loop);
	doc_column(doc, "points", NUMBER_COUNT, DOC_LEFT);
	for (i = 0; i < view->side_count; i++) {
		const struct view_side *side = &view->sides[i];
		const struct records_row row = {
			.record = view_total(side->peak),
			.point = side->peak,
			.first = view_total(view->sides[0].peak),
		};

		doc_row(doc, DOC_PLAIN, (unsigned)i + 1);
		doc_cell_text(doc, "%s", name_of(view, i, is_text));
		if (side->peak != NULL) {
			add_place_cells(doc, view, view_place_of(view, i, side->peak), false);
			records_cells(doc, columns, LENGTH(columns), &row);
		}
		add_state(doc, side->result);
	}
	doc_table_end(doc);
}

void section_peaks(struct doc *doc, const struct view *view)
{
	if (!has_sides(view))
		return;
	doc_heading(doc, 2, "Peaks");
	add_both(doc, view, add_peaks);
	if (view_has_several(view))
		doc_note(doc,
			 "A result is called faster only if the 95 %% interval of the ratio of "
			 "the repeats excludes 1; 4 repeats of each are enough for an interval. "
			 "Drift between the runs may cause that, too; throng compare measures "
			 "in pairs.");
}

/*
 * Parts of points: operations, phases and loads.
 */

/* A kind of parts, and its table. */
struct kind {
	const char *heading, *name; /* of the section; of the column of labels */
	view_includes *includes;
	const struct records_column *columns;
	size_t column_count;
};

static bool is_phase(const struct record_key *key)
{
	return key->phase != NULL && key->operation == NULL;
}

static bool is_load(const struct record_key *key)
{
	return key->load != NULL && key->user == NULL && key->phase == NULL &&
	       key->operation == NULL;
}

static const struct records_column operation_columns[] = {
	{FIGURE_TIME_SHARE, "time", RECORDS_VALUE, DOC_BAR},
	{FIGURE_OPS_PER_S, NULL, RECORDS_VALUE, 0},
	{FIGURE_MB_PER_S, NULL, RECORDS_VALUE, DOC_WIDE | DOC_OPTIONAL},
	{FIGURE_MEAN_MS, NULL, RECORDS_VALUE, DOC_RESPONSE},
	{FIGURE_MEAN_MS, "x first", RECORDS_TO_FIRST, DOC_KNOWN},
	{FIGURE_MEAN_MS, "x before", RECORDS_TO_PREVIOUS, DOC_WIDE | DOC_KNOWN},
	{FIGURE_P99_MS, NULL, RECORDS_VALUE, 0},
	{FIGURE_P99_MS, "p99 x first", RECORDS_TO_FIRST, DOC_KNOWN},
	{FIGURE_P99_MS, "p99 x before", RECORDS_TO_PREVIOUS, DOC_WIDE | DOC_KNOWN},
	{FIGURE_ERRORS, NULL, RECORDS_VALUE, DOC_OPTIONAL},
	{FIGURE_MISMATCHES, NULL, RECORDS_VALUE, DOC_OPTIONAL},
};

static const struct records_column part_columns[] = {
	{FIGURE_ELAPSED_S, "elapsed", RECORDS_VALUE, DOC_KNOWN},
	{FIGURE_MB_PER_S, NULL, RECORDS_VALUE, DOC_OPTIONAL},
	{FIGURE_OPS_PER_S, NULL, RECORDS_VALUE, DOC_KNOWN | RECORDS_UNLESS_ITEMS},
	{FIGURE_OPS_PER_S, "x first", RECORDS_TO_FIRST, DOC_KNOWN | RECORDS_UNLESS_ITEMS},
	{FIGURE_ITEMS_PER_S, NULL, RECORDS_VALUE, DOC_KNOWN},
	{FIGURE_ITEMS_PER_S, "x first", RECORDS_TO_FIRST, DOC_KNOWN},
	{FIGURE_MEAN_MS, NULL, RECORDS_VALUE, DOC_RESPONSE},
	{FIGURE_P99_MS, NULL, RECORDS_VALUE, DOC_KNOWN},
	{FIGURE_P99_MS, "p99 x first", RECORDS_TO_FIRST, DOC_KNOWN},
	{FIGURE_MISMATCHES, NULL, RECORDS_VALUE, DOC_OPTIONAL},
};

static const struct kind operations = {"Operations", "operation", NULL, operation_columns,
				       LENGTH(operation_columns)};
static const struct kind phases = {"Phases", "phase", is_phase, part_columns, LENGTH(part_columns)};
static const struct kind loads = {"Loads", "load", is_load, part_columns, LENGTH(part_columns)};

static void add_label(struct doc *doc, const struct record_key *key)
{
	if (key->operation != NULL)
		doc_cell_text(doc, "%s", key->operation);
	else if (key->phase != NULL && key->load != NULL)
		doc_cell_text(doc, "%s of %s", key->phase, key->load);
	else
		doc_cell_text(doc, "%s", key->phase != NULL ? key->phase : key->load);
}

/* Add the rows of one part: one per side that has it. */
static void add_part_rows(struct doc *doc, const struct view *view, const struct kind *kind,
			  const struct result_point *const *points, const struct record_key *key,
			  bool is_text)
{
	const struct record *first = NULL, *previous = NULL;
	bool is_first = true;
	size_t i;

	for (i = 0; i < view->side_count; i++) {
		const struct record *record = view_total(points[i]) != NULL
						      ? records_find(&points[i]->records, key)
						      : NULL;
		const struct records_row row = {.record = record,
						.point = points[i],
						.first = first,
						.previous = view->side_count > 2 ? previous : NULL};

		previous = record;
		if (i == 0)
			first = record;
		if (record == NULL)
			continue;
		doc_row(doc, DOC_PLAIN, (unsigned)i + 1);
		if (is_text && !is_first)
			doc_cell_text(doc, "%s", "");
		else
			add_label(doc, key);
		doc_cell_text(doc, "%s", name_of(view, i, is_text));
		records_cells(doc, kind->columns, kind->column_count, &row);
		is_first = false;
	}
}

/* Add a table of the parts at a point of each side. `where` is the place. */
static void add_table_of(struct doc *doc, const struct view *view, const struct kind *kind,
			 const struct view_parts *parts, const struct result_point *const *points,
			 const char *where, bool is_text)
{
	size_t i;

	if (is_text)
		doc_heading(doc, 3, "%ss at %s", kind->name, where);
	else
		doc_heading(doc, 3, "at %s", where);
	doc_table(doc, 0);
	doc_column(doc, kind->name, NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	add_name_column(doc, view);
	records_columns(doc, kind->columns, kind->column_count, view->open_loop);
	for (i = 0; i < parts->count; i++)
		add_part_rows(doc, view, kind, points, &parts->list[i].key, is_text);
	doc_table_end(doc);
}

/* Add the table for text, and for the other media. */
static void add_parts(struct doc *doc, const struct view *view, const struct kind *kind,
		      const struct result_point *const *points, const char *where)
{
	struct view_parts parts;

	if (view_find_parts(&parts, points, view->side_count, kind->includes) < 0) {
		doc_fail(doc);
	} else if (parts.count > 0) {
		doc_heading(doc, 2, "%s", kind->heading);
		doc_medium(doc, DOC_TEXT);
		add_table_of(doc, view, kind, &parts, points, where, true);
		doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
		add_table_of(doc, view, kind, &parts, points, where, false);
		doc_medium(doc, DOC_ALL);
	}
	free(parts.list);
}

void section_sides_parts(struct doc *doc, const struct view *view)
{
	const struct kind *const kinds[] = {&loads, &phases};
	char where[VIEW_PLACE_TEXT];
	size_t i, j;

	for (i = 0; i < LENGTH(kinds); i++)
		for (j = 0; j < view->place_count; j++)
			add_parts(doc, view, kinds[i], view->places[j].points,
				  view_print_place(&view->places[j], NUMBER_ASCII, where));
}

static void add_samples(struct doc *doc, const struct view *view, bool is_text)
{
	size_t i, j, k;

	doc_table(doc, 0);
	add_place_columns(doc, view, DOC_LABEL);
	add_name_column(doc, view);
	for (k = 0; k < view->sample_count; k++)
		points_sample_columns(doc, view->samples[k]);
	for (i = 0; i < view->place_count; i++) {
		const struct view_place *place = &view->places[i];
		bool is_first = true;

		for (j = 0; j < view->side_count; j++) {
			const struct result_run *run = &view->sides[j].result->run;

			if (view_total(place->points[j]) == NULL)
				continue;
			doc_row(doc, DOC_PLAIN, (unsigned)j + 1);
			add_place_cells(doc, view, place, is_text && !is_first);
			doc_cell_text(doc, "%s", name_of(view, j, is_text));
			is_first = false;
			for (k = 0; k < view->sample_count; k++) {
				const struct combine_sample sample = combine_samples(
					place->points[j],
					result_find_sample(run, view->samples[k]));

				points_sample_cells(doc, &sample);
			}
		}
	}
	doc_table_end(doc);
}

void section_sides_samples(struct doc *doc, const struct view *view)
{
	if (view->sample_count == 0 || !has_sides(view))
		return;
	doc_heading(doc, 2, "Samples");
	add_both(doc, view, add_samples);
}

/* Return the place of the points if they are all at the same one, else NULL. */
static const struct view_place *common_place(const struct view *view,
					     const struct result_point *const *points)
{
	const struct view_place *common = NULL;
	size_t i;

	for (i = 0; i < view->side_count; i++) {
		if (points[i] == NULL)
			continue;
		if (common != NULL && common->points[i] != points[i])
			return NULL;
		common = view_place_of(view, i, points[i]);
	}
	return common;
}

void section_sides_operations(struct doc *doc, const struct view *view)
{
	const struct result_point **points = calloc(view->side_count, sizeof(*points));
	const struct view_place *common;
	char where[VIEW_PLACE_TEXT] = "the peaks";
	size_t i;

	if (points == NULL) {
		doc_fail(doc);
		return;
	}
	for (i = 0; i < view->side_count; i++)
		points[i] = view->sides[i].chosen;
	common = common_place(view, points);
	if (common != NULL)
		view_print_place(common, NUMBER_ASCII, where);
	add_parts(doc, view, &operations, points, where);
	free(points);
}
