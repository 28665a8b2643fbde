/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several results, or the variants of one, side by side.
 *
 * In text, names are brief, and the user count is only in the first row of a place.
 * Elsewhere each row can be read alone.
 */
#include "report/sections.h"

#include "base/array.h"
#include "doc/records.h"
#include "result/variant.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Max number of results in the pivot. */
enum { PIVOT_MAX = 4 };

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
	records_columns(doc, columns, LENGTH(columns), view->paced);
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
				doc_rest(doc, DOC_BAD, "not valid");
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
	doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
	doc_note(doc,
		 "Rates and times are medians of the repeats; \"x first\" is the ratio to "
		 "the first result%s.",
		 view->side_count > 2 ? ", \"x before\" that to the one before" : "");
	doc_medium(doc, DOC_ALL);
	doc_note(doc, "A result is called faster only if the 95 %% interval of the ratio of "
		      "the repeats excludes 1. Drift between the runs may cause that, too; "
		      "throng compare measures in pairs.");
}

/* Add a table with a row per place: a figure of each side, followed by its ratio to
 * the first. */
static void add_pivot(struct doc *doc, const struct view *view, enum figure figure, bool is_text)
{
	const struct records_column value = {figure, NULL, RECORDS_VALUE, DOC_MAIN};
	const struct records_column ratio = {figure, "x first", RECORDS_TO_FIRST, DOC_KNOWN};
	size_t i, j;

	doc_table(doc, 0);
	add_place_columns(doc, view, DOC_LABEL);
	for (j = 0; j < view->side_count; j++) {
		doc_column(doc, name_of(view, j, is_text), number_form_of(figure), DOC_MAIN);
		if (j > 0)
			records_add_column(doc, &ratio, false);
	}
	for (i = 0; i < view->place_count; i++) {
		doc_row(doc, DOC_PLAIN, 0);
		add_place_cells(doc, view, &view->places[i], false);
		for (j = 0; j < view->side_count; j++) {
			const struct records_row row = row_of(view, &view->places[i], j);

			records_add_cell(doc, &value, &row);
			if (j > 0)
				records_add_cell(doc, &ratio, &row);
		}
	}
	doc_table_end(doc);
}

static void add_pivots(struct doc *doc, const struct view *view, bool is_text)
{
	char unit[NUMBER_TEXT];

	doc_heading(doc, 3, is_text ? "%s of each result" : "%s",
		    number_heading(figures[view->rate].heading, unit));
	add_pivot(doc, view, view->rate, is_text);
	if (is_text)
		return;
	doc_heading(doc, 3, "%s", view->paced ? "Response p99" : "p99");
	add_pivot(doc, view, FIGURE_P99_MS, is_text);
}

void section_pivot(struct doc *doc, const struct view *view)
{
	if (!has_sides(view) || view->side_count > PIVOT_MAX)
		return;
	doc_heading(doc, 2, "Side by side");
	add_both(doc, view, add_pivots);
}

/*
 * Peaks.
 */

/* Add the cell that says how many points of a result are not valid, or have warnings. */
static void add_state(struct doc *doc, const struct result *result)
{
	size_t invalid = 0, warned = 0, all = result->point_count, i;

	for (i = 0; i < all; i++) {
		invalid += !result_is_valid(&result->points[i]);
		warned += result->points[i].warnings.count > 0;
	}
	if (all == 0)
		doc_rest(doc, DOC_BAD, "none measured");
	else if (invalid == all)
		doc_rest(doc, DOC_BAD, "not valid at %zu of %zu", all, all);
	else if (invalid > 0)
		doc_cell_text(doc, "not valid at %zu of %zu", invalid, all);
	else if (warned > 0)
		doc_cell_text(doc, "warnings at %zu of %zu", warned, all);
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
	records_columns(doc, columns, LENGTH(columns), view->paced);
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
}

/*
 * Operations.
 */

/* The names of the operations at the chosen points of all sides, and the sums of
 * their shares of the time. */
struct ranking {
	struct ranked {
		const char *operation;
		double share;
	} *list;
	size_t count;
};

static void add_share(struct doc *doc, struct ranking *ranking, const struct record *operation)
{
	const struct ranked new = {.operation = operation->key.operation};
	size_t i = 0;

	while (i < ranking->count && strcmp(ranking->list[i].operation, new.operation) != 0)
		i++;
	if (i == ranking->count &&
	    array_append(&ranking->list, &ranking->count, &new, sizeof(new)) < 0)
		doc_fail(doc);
	else
		ranking->list[i].share += record_count(operation, FIGURE_TIME_SHARE);
}

/* Sort by share, the largest first, then by name. */
static int by_share(const void *a, const void *b)
{
	const struct ranked *one = a, *other = b;

	if (one->share != other->share)
		return one->share < other->share ? 1 : -1;
	return strcmp(one->operation, other->operation);
}

static struct ranking make_ranking(struct doc *doc, const struct view *view)
{
	struct ranking ranking = {0};
	size_t i;
	unsigned j;

	for (i = 0; i < view->side_count; i++) {
		const struct record *total = view_total(view->sides[i].chosen);

		for (j = 1; total != NULL && j <= total->operations; j++)
			add_share(doc, &ranking, &total[j]);
	}
	if (ranking.count > 0)
		qsort(ranking.list, ranking.count, sizeof(*ranking.list), by_share);
	return ranking;
}

/* Return the record of an operation at the chosen point of a side, or NULL. */
static const struct record *find_operation(const struct view *view, size_t side,
					   const char *operation)
{
	const struct result_point *point = view->sides[side].chosen;

	return view_total(point) != NULL
		       ? records_find(&point->records, &(struct record_key){.operation = operation})
		       : NULL;
}

/* Add the title of the operations: "at 8 users, bs=4Ki". */
static void add_operations_title(struct doc *doc, const struct view *view, bool is_text)
{
	const char *what = is_text ? "operations " : "";
	const struct view_place *common = NULL;
	char text[VIEW_PLACE_TEXT];
	size_t i;

	for (i = 0; i < view->side_count; i++) {
		const struct result_point *point = view->sides[i].chosen;

		if (point == NULL)
			continue;
		if (common != NULL && common->points[i] != point) {
			doc_heading(doc, 3, "%sat the peaks", what);
			return;
		}
		common = view_place_of(view, i, point);
	}
	doc_heading(doc, 3, "%sat %s", what, view_print_place(common, NUMBER_ASCII, text));
}

static void add_operations(struct doc *doc, const struct view *view, const struct ranking *ranking,
			   bool is_text)
{
	static const struct records_column columns[] = {
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
	size_t i, j;

	add_operations_title(doc, view, is_text);
	doc_table(doc, 0);
	doc_column(doc, "operation", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	add_name_column(doc, view);
	records_columns(doc, columns, LENGTH(columns), view->paced);
	for (i = 0; i < ranking->count; i++) {
		const char *operation = ranking->list[i].operation;
		bool is_first = true;

		for (j = 0; j < view->side_count; j++) {
			const bool has_previous = j > 0 && view->side_count > 2;
			const struct records_row row = {
				.record = find_operation(view, j, operation),
				.point = view->sides[j].chosen,
				.first = find_operation(view, 0, operation),
				.previous = has_previous ? find_operation(view, j - 1, operation)
							 : NULL,
			};

			if (row.record == NULL)
				continue;
			doc_row(doc, DOC_PLAIN, (unsigned)j + 1);
			doc_cell_text(doc, "%s", is_text && !is_first ? "" : operation);
			doc_cell_text(doc, "%s", name_of(view, j, is_text));
			records_cells(doc, columns, LENGTH(columns), &row);
			is_first = false;
		}
	}
	doc_table_end(doc);
}

void section_sides_operations(struct doc *doc, const struct view *view)
{
	struct ranking ranking = make_ranking(doc, view);

	if (ranking.count > 0) {
		doc_heading(doc, 2, "Operations");
		doc_medium(doc, DOC_TEXT);
		add_operations(doc, view, &ranking, true);
		doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
		add_operations(doc, view, &ranking, false);
		doc_medium(doc, DOC_ALL);
	}
	free(ranking.list);
}
