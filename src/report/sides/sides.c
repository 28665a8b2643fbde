/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several results, or the variants of one, side by side.
 *
 * In text, names that would make a table wider than 80 columns are replaced by
 * marks, and the user count is only in the first row of a place. Elsewhere each row
 * can be read alone.
 */
#include "report/sections.h"

#include "base/units.h"
#include "base/utf8.h"
#include "doc/records.h"
#include "result/variant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Width of text, and of all columns of the table of sides but the axes and the
 * names, with the blanks before them; how much wider response times are. */
enum { TEXT_COLUMNS = 80, SIDES_COLUMNS = 68, WITHOUT_BEFORE = 59, RESPONSE_COLUMNS = 5 };

/* Max number of results in the pivot, and the width of a result's columns in it
 * without its name: its ratio, and two blanks. */
enum { PIVOT_MAX = 4, PIVOT_COLUMNS = 9 };

/* The axes of all places, and the names of the sides in the tables of one medium. */
struct layout {
	struct doc *doc;
	const struct view *view;
	const char **axes;
	size_t axis_count;
	bool is_text;
	bool has_marks; /* instead of names */
};

static size_t columns_of(const char *text)
{
	size_t columns = 0, length;
	uint32_t character;

	for (; *text != '\0'; text += length > 0 ? length : 1, columns++)
		length = utf8_decode(text, &character);
	return columns;
}

/* Return the value of an axis at a place, or "". */
static const char *value_of(const struct view_place *place, const char *axis)
{
	const char *value = variant_set_value(place->set, place->set_count, axis);

	return value != NULL ? value : "";
}

static bool has_axis(const struct layout *layout, const char *axis)
{
	size_t i;

	for (i = 0; i < layout->axis_count; i++)
		if (strcmp(layout->axes[i], axis) == 0)
			return true;
	return false;
}

static void find_axes(struct layout *layout)
{
	const struct view *view = layout->view;
	size_t all = 1, i, j;

	for (i = 0; i < view->place_count; i++)
		all += view->places[i].set_count;
	layout->axes = calloc(all, sizeof(*layout->axes));
	if (layout->axes == NULL)
		doc_fail(layout->doc);
	for (i = 0; layout->axes != NULL && i < view->place_count; i++)
		for (j = 0; j < view->places[i].set_count; j++)
			if (!has_axis(layout, view->places[i].set[2 * j]))
				layout->axes[layout->axis_count++] = view->places[i].set[2 * j];
}

/* Return the width of the axes' columns, with the blanks before them. */
static size_t axes_columns(const struct layout *layout)
{
	const struct view *view = layout->view;
	size_t all = 0, i, j;

	for (i = 0; i < layout->axis_count; i++) {
		size_t widest = columns_of(layout->axes[i]);

		for (j = 0; j < view->place_count; j++) {
			size_t columns = columns_of(value_of(&view->places[j], layout->axes[i]));

			widest = columns > widest ? columns : widest;
		}
		all += widest + 1;
	}
	return all;
}

/* Check if the names fit into the tables of text. */
static bool names_fit(const struct layout *layout)
{
	const struct view *view = layout->view;
	size_t axes = axes_columns(layout), widest = 0, sum = 0, i;

	for (i = 0; i < view->side_count; i++) {
		size_t columns = columns_of(view->sides[i].name);

		widest = columns > widest ? columns : widest;
		sum += PIVOT_COLUMNS + (columns > PIVOT_COLUMNS ? columns : PIVOT_COLUMNS);
	}
	if (view->side_count <= PIVOT_MAX && axes + sum > TEXT_COLUMNS)
		return false;
	return axes + widest + (view->side_count > 2 ? SIDES_COLUMNS : WITHOUT_BEFORE) +
		       (view->paced ? RESPONSE_COLUMNS : 0) <=
	       TEXT_COLUMNS;
}

static struct layout make_layout(struct doc *doc, const struct view *view, enum doc_media medium)
{
	struct layout layout = {.doc = doc, .view = view, .is_text = medium == DOC_TEXT};

	find_axes(&layout);
	layout.has_marks = layout.is_text && !names_fit(&layout);
	return layout;
}

/* Let `add` add a table for text, and one for the other media. */
static void add_both(struct doc *doc, const struct view *view, void (*add)(const struct layout *))
{
	struct layout layout = make_layout(doc, view, DOC_TEXT);

	doc_medium(doc, DOC_TEXT);
	add(&layout);
	doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
	layout.is_text = false;
	layout.has_marks = false;
	add(&layout);
	doc_medium(doc, DOC_ALL);
	free(layout.axes);
}

static const char *name_of(const struct layout *layout, size_t side)
{
	const struct view_side *is = &layout->view->sides[side];

	return layout->has_marks ? is->mark : is->name;
}

/* Add the first columns of a table with a row per place. */
static void add_place_columns(const struct layout *layout)
{
	size_t i;

	doc_column(layout->doc, "users", NUMBER_COUNT, DOC_LABEL);
	for (i = 0; i < layout->axis_count; i++)
		doc_column(layout->doc, layout->axes[i], NUMBER_COUNT, DOC_LABEL);
}

/* Add their cells. */
static void add_place_cells(const struct layout *layout, const struct view_place *place,
			    bool is_blank)
{
	size_t i;

	if (is_blank)
		doc_cell_text(layout->doc, "%s", "");
	else
		doc_cell(layout->doc, place->users);
	for (i = 0; i < layout->axis_count; i++)
		doc_cell_text(layout->doc, "%s", is_blank ? "" : value_of(place, layout->axes[i]));
}

/* Return the total of a valid point, or NULL. */
static const struct record *total_of(const struct result_point *point)
{
	return point != NULL && result_is_valid(point) ? records_total(&point->records) : NULL;
}

/* Describe the row of a side. `points` has a point per side. */
static struct records_row row_of(const struct result_point *const *points, size_t side)
{
	return (struct records_row){
		.record = total_of(points[side]),
		.point = points[side],
		.first = total_of(points[0]),
		.previous = side > 0 ? total_of(points[side - 1]) : NULL,
	};
}

/* Check if a column is not the same as another one: with two results, the one before
 * is the first. */
static bool is_shown(const struct layout *layout, const struct records_column *column)
{
	return column->show != RECORDS_TO_PREVIOUS || layout->view->side_count > 2;
}

static void add_columns(const struct layout *layout, const struct records_column *columns,
			size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (is_shown(layout, &columns[i]))
			records_add_column(layout->doc, &columns[i], layout->view->paced);
}

static void add_cells(const struct layout *layout, const struct records_column *columns,
		      size_t count, const struct records_row *row)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (is_shown(layout, &columns[i]))
			records_add_cell(layout->doc, &columns[i], row);
}

/* Add the column of the names of sides, and a cell of it. */
static void add_name_column(const struct layout *layout)
{
	doc_column(layout->doc, view_has_several(layout->view) ? "result" : "values", NUMBER_COUNT,
		   DOC_LABEL | DOC_LEFT);
}

static void add_name(const struct layout *layout, size_t side)
{
	doc_cell_text(layout->doc, "%s", name_of(layout, side));
}

static void add_sides(const struct layout *layout)
{
	const struct view *view = layout->view;
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

	doc_table(layout->doc, 0);
	add_place_columns(layout);
	add_name_column(layout);
	add_columns(layout, columns, LENGTH(columns));
	for (i = 0; i < view->place_count; i++) {
		const struct view_place *place = &view->places[i];
		bool is_first = true;

		for (j = 0; j < view->side_count; j++) {
			const struct records_row row = row_of(place->points, j);

			if (row.point == NULL)
				continue;
			doc_row(layout->doc, DOC_PLAIN, (unsigned)j + 1);
			add_place_cells(layout, place, layout->is_text && !is_first);
			add_name(layout, j);
			if (row.record == NULL)
				doc_rest(layout->doc, DOC_BAD, "not valid");
			else
				add_cells(layout, columns, LENGTH(columns), &row);
			is_first = false;
		}
	}
	doc_table_end(layout->doc);
}

void section_sides(struct doc *doc, const struct view *view)
{
	if (view->side_count < 2 || view->place_count == 0)
		return;
	doc_heading(doc, 2, "Side by side");
	add_both(doc, view, add_sides);
	doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
	doc_note(doc,
		 "Rates and times are medians of the repeats; \"x first\" is the ratio to "
		 "the first result%s.",
		 view->side_count > 2 ? ", \"x before\" that to the one before" : "");
	doc_medium(doc, DOC_ALL);
	if (view_has_several(view))
		doc_note(doc,
			 "A result is called faster only if the 95 %% interval of the ratio of "
			 "the repeats excludes 1. Drift between the runs may cause that, too; "
			 "throng compare measures in pairs.");
}

/* Add a table with a row per place: a figure of each side, followed by its ratio to
 * the first. */
static void add_pivot(const struct layout *layout, enum figure figure)
{
	const struct view *view = layout->view;
	const struct records_column value = {figure, NULL, RECORDS_VALUE, DOC_MAIN};
	const struct records_column ratio = {figure, "x first", RECORDS_TO_FIRST, DOC_KNOWN};
	size_t i, j;

	doc_table(layout->doc, 0);
	add_place_columns(layout);
	for (j = 0; j < view->side_count; j++) {
		doc_column(layout->doc, name_of(layout, j), number_form_of(figure), DOC_MAIN);
		if (j > 0)
			records_add_column(layout->doc, &ratio, false);
	}
	for (i = 0; i < view->place_count; i++) {
		const struct view_place *place = &view->places[i];

		doc_row(layout->doc, DOC_PLAIN, 0);
		add_place_cells(layout, place, false);
		for (j = 0; j < view->side_count; j++) {
			const struct records_row row = row_of(place->points, j);

			records_add_cell(layout->doc, &value, &row);
			if (j > 0)
				records_add_cell(layout->doc, &ratio, &row);
		}
	}
	doc_table_end(layout->doc);
}

static void add_rate_pivot(const struct layout *layout)
{
	char unit[NUMBER_TEXT];

	doc_heading(layout->doc, 3, layout->is_text ? "%s of each result" : "%s",
		    number_heading(figures[layout->view->rate].heading, unit));
	add_pivot(layout, layout->view->rate);
}

void section_pivot(struct doc *doc, const struct view *view)
{
	struct layout layout;

	if (view->side_count < 2 || view->side_count > PIVOT_MAX || view->place_count == 0)
		return;
	add_both(doc, view, add_rate_pivot);
	layout = make_layout(doc, view, DOC_HTML);
	doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
	doc_heading(doc, 3, "%s", view->paced ? "Response p99" : "p99");
	add_pivot(&layout, FIGURE_P99_MS);
	doc_medium(doc, DOC_ALL);
	free(layout.axes);
}

/*
 * Peaks.
 */

enum { STATE_TEXT = 64 };

/* Print how many points of a result are not valid, or have warnings. */
static const char *print_state(const struct result *result, char text[STATE_TEXT])
{
	size_t invalid = 0, warned = 0, all = result->point_count, i;

	for (i = 0; i < all; i++) {
		invalid += !result_is_valid(&result->points[i]);
		warned += result->points[i].warnings.count > 0;
	}
	if (all == 0)
		return "none measured";
	if (invalid + warned == 0)
		return "valid, no warnings";
	snprintf(text, STATE_TEXT,
		 invalid > 0 ? "not valid at %zu of %zu" : "warnings at %zu of %zu",
		 invalid > 0 ? invalid : warned, all);
	return text;
}

static void add_peaks(const struct layout *layout)
{
	const struct view *view = layout->view;
	const struct records_column columns[] = {
		{view->rate, NULL, RECORDS_VALUE, DOC_MAIN},
		{view->rate, "x first", RECORDS_TO_FIRST, DOC_KNOWN},
		{view->rate, "spread", RECORDS_SPREAD, DOC_KNOWN},
		{FIGURE_P50_MS, NULL, RECORDS_VALUE, DOC_RESPONSE},
		{FIGURE_P99_MS, NULL, RECORDS_VALUE, 0},
	};
	struct doc *doc = layout->doc;
	char state[STATE_TEXT];
	size_t i;

	if (layout->is_text)
		doc_heading(doc, 3, "peaks");
	doc_table(doc, 0);
	add_name_column(layout);
	doc_column(doc, "users", NUMBER_COUNT, 0);
	for (i = 0; i < layout->axis_count; i++)
		doc_column(doc, layout->axes[i], NUMBER_COUNT, 0);
	add_columns(layout, columns, LENGTH(columns));
	doc_column(doc, "points", NUMBER_COUNT, DOC_LEFT);
	for (i = 0; i < view->side_count; i++) {
		const struct view_side *side = &view->sides[i];
		const struct records_row row = {
			.record = total_of(side->peak),
			.point = side->peak,
			.first = total_of(view->sides[0].peak),
		};

		doc_row(doc, DOC_PLAIN, (unsigned)i + 1);
		add_name(layout, i);
		if (side->peak == NULL) {
			doc_rest(doc, DOC_BAD, "%s", print_state(side->result, state));
			continue;
		}
		add_place_cells(layout, view_place_of(view, i, side->peak), false);
		add_cells(layout, columns, LENGTH(columns), &row);
		doc_cell_text(doc, "%s", print_state(side->result, state));
	}
	doc_table_end(doc);
}

/* In text, add which names the marks stand for. */
static void add_legend(const struct layout *layout)
{
	const struct view *view = layout->view;
	size_t i;

	if (layout->has_marks)
		doc_heading(layout->doc, 3, "%s", view_has_several(view) ? "results" : "values");
	for (i = 0; layout->has_marks && i < view->side_count; i++)
		if (strcmp(view->sides[i].mark, view->sides[i].name) != 0)
			doc_fact(layout->doc, view->sides[i].mark, "%s", view->sides[i].name);
}

void section_peaks(struct doc *doc, const struct view *view)
{
	if (view->side_count < 2 || view->place_count == 0)
		return;
	doc_heading(doc, 2, "Peaks");
	add_both(doc, view, add_legend);
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

static void add_share(struct ranking *ranking, const struct record *operation)
{
	size_t i;

	for (i = 0; i < ranking->count; i++)
		if (strcmp(ranking->list[i].operation, operation->key.operation) == 0)
			break;
	if (i == ranking->count)
		ranking->list[ranking->count++].operation = operation->key.operation;
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
	size_t all = 1, i;
	unsigned j;

	for (i = 0; i < view->side_count; i++)
		if (view->sides[i].chosen != NULL)
			all += records_total(&view->sides[i].chosen->records)->operations;
	ranking.list = calloc(all, sizeof(*ranking.list));
	if (ranking.list == NULL)
		doc_fail(doc);
	for (i = 0; ranking.list != NULL && i < view->side_count; i++) {
		const struct record *total = total_of(view->sides[i].chosen);

		for (j = 1; total != NULL && j <= total->operations; j++)
			add_share(&ranking, &total[j]);
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

	return total_of(point) != NULL
		       ? records_find(&point->records, &(struct record_key){.operation = operation})
		       : NULL;
}

/* Add the title of the operations: "at 8 users, bs=4Ki". */
static void add_operations_title(const struct layout *layout)
{
	const char *what = layout->is_text ? "operations " : "";
	const struct view *view = layout->view;
	const struct view_place *common = NULL, *place;
	char set[VARIANT_TEXT];
	size_t i;

	for (i = 0; i < view->side_count; i++) {
		if (view->sides[i].chosen == NULL)
			continue;
		place = view_place_of(view, i, view->sides[i].chosen);
		if (common != NULL && common != place) {
			doc_heading(layout->doc, 3, "%sat the peaks", what);
			return;
		}
		common = place;
	}
	doc_heading(layout->doc, 3, "%sat %u %s%s%s", what, common->users,
		    units_plural(common->users, "user", "users"), common->set_count > 0 ? ", " : "",
		    variant_print(common->set, common->set_count, set));
}

static void add_operations(const struct layout *layout)
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
	const struct view *view = layout->view;
	struct doc *doc = layout->doc;
	struct ranking ranking = make_ranking(doc, view);
	size_t i, j;

	add_operations_title(layout);
	doc_table(doc, 0);
	doc_column(doc, "operation", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	add_name_column(layout);
	add_columns(layout, columns, LENGTH(columns));
	for (i = 0; i < ranking.count; i++) {
		const char *operation = ranking.list[i].operation;
		bool is_first = true;

		for (j = 0; j < view->side_count; j++) {
			const struct records_row row = {
				.record = find_operation(view, j, operation),
				.point = view->sides[j].chosen,
				.first = find_operation(view, 0, operation),
				.previous = j > 0 ? find_operation(view, j - 1, operation) : NULL,
			};

			if (row.record == NULL)
				continue;
			doc_row(doc, DOC_PLAIN, (unsigned)j + 1);
			doc_cell_text(doc, "%s", layout->is_text && !is_first ? "" : operation);
			add_name(layout, j);
			add_cells(layout, columns, LENGTH(columns), &row);
			is_first = false;
		}
	}
	doc_table_end(doc);
	free(ranking.list);
}

void section_sides_operations(struct doc *doc, const struct view *view)
{
	struct ranking ranking = make_ranking(doc, view);
	bool has_any = ranking.count > 0;

	free(ranking.list);
	if (view->side_count < 2 || !has_any)
		return;
	doc_heading(doc, 2, "Operations");
	add_both(doc, view, add_operations);
}
