/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of --table, and those that reports have without it.
 */
#include "report/sections.h"

#include "base/units.h"
#include "report/tables/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Max number of results in the pivot. */
enum { PIVOT_MAX = 4 };

/* Buffer size for the heading of a column, and for a title. */
enum { HEADING_TEXT = 80, TITLE_TEXT = 400 };

/* Return the heading of a figure: "MB/s", "mean"; of one that other tables don't have,
 * its name without the unit: "user ops max". Return `text`. */
static char *print_heading(const struct view *view, enum figure figure, char text[HEADING_TEXT])
{
	const struct figure_info *info = &figures[figure];
	const bool is_response = view->open_loop && figure >= FIGURE_MEAN_MS &&
				 figure <= FIGURE_MAX_MS;
	char shown[NUMBER_TEXT];
	size_t i;

	if (info->heading != NULL)
		snprintf(text, HEADING_TEXT, "%s%s", is_response ? "response " : "",
			 number_heading(info->heading, shown));
	else
		snprintf(text, HEADING_TEXT, "%.*s", (int)figure_stem(figure), info->name);
	for (i = 0; info->heading == NULL && text[i] != '\0'; i++)
		text[i] = text[i] == '_' ? ' ' : text[i];
	return text;
}

/* Print the title of a table about these figures: "peak MB/s by target". Return `text`. */
static char *print_title(const struct grid *grid, size_t first, size_t end, char text[TITLE_TEXT])
{
	const struct spec *spec = grid->spec;
	const bool has_by = spec->by != SPEC_NONE, has_parts = spec->parts != SPEC_NONE;
	const bool has_load = spec->load != NULL &&
			      grid->view->sides[0].result->run.variants[0].load_count > 1;
	char list[TITLE_TEXT / 2] = "", heading[HEADING_TEXT];
	size_t used = 0, i;

	for (i = first; i < end && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
					 i > first ? ", " : "",
					 print_heading(grid->view, spec->figures[i], heading));
	snprintf(text, TITLE_TEXT, "%s%s%s%s%s%s%s%s%s", spec->is_peak ? "peak " : "", list,
		 has_parts ? " of " : "", has_parts ? spec_parts_name(spec) : "",
		 has_by ? " by " : "", has_by ? spec_key_name(spec, spec->by) : "",
		 has_load ? " of " : "", has_load ? spec->load : "",
		 spec->extra == SPEC_REPEATS ? " over the repeats" : "");
	return text;
}

/* Return the index of the row key in a column. The usual tables begin with the users, which
 * are the last key of their rows. */
static size_t key_at(const struct grid *grid, size_t column)
{
	return grid->spec->is_usual ? (column + grid->row_key_count - 1) % grid->row_key_count
				    : column;
}

/* Add the columns that name the rows. */
static void add_row_keys(struct doc *doc, const struct grid *grid)
{
	size_t i;

	for (i = 0; i < grid->row_key_count; i++) {
		const struct grid_key *key = grid->row_keys[key_at(grid, i)];

		doc_column(doc, key->name, NUMBER_COUNT,
			   key->key == SPEC_USERS ? DOC_LABEL : DOC_LABEL | DOC_LEFT);
	}
}

/* Begin a row with the cells that name it. */
static void begin_row(struct doc *doc, const struct grid *grid, const struct grid_row *row)
{
	size_t i;

	doc_row(doc, DOC_PLAIN, 0);
	for (i = 0; i < grid->row_key_count; i++)
		doc_cell_text(doc, "%s", grid_name(grid, row, key_at(grid, i)));
}

/* Check if the extra has a column after this one. The first column has no other to be
 * compared with. */
static bool has_extra(const struct spec *spec, size_t column)
{
	return spec->extra == SPEC_RANK ||
	       (column > 0 && spec->extra >= SPEC_CHANGE && spec->extra <= SPEC_RATIO);
}

/* Add a column for each figure or value, each with that of the extra after it. */
static void add_columns(struct doc *doc, const struct grid *grid)
{
	static const struct {
		const char *heading;
		enum number_form form;
	} extras[] = {
		[SPEC_CHANGE] = {"change", NUMBER_CHANGE},
		[SPEC_STEP] = {"step", NUMBER_CHANGE},
		[SPEC_RATIO] = {"ratio", NUMBER_RATIO},
		[SPEC_RANK] = {"rank", NUMBER_COUNT},
	};
	const struct spec *spec = grid->spec;
	char heading[HEADING_TEXT];
	size_t i;

	for (i = 0; i < grid->column_count; i++) {
		const enum figure figure = grid->by != NULL ? grid->rows[0].cells[0].figure
							    : spec->figures[i];

		doc_column(doc,
			   grid->by != NULL ? grid->by->values[i]
					    : print_heading(grid->view, figure, heading),
			   number_form_of(figure), spec->extra != SPEC_PLAIN ? DOC_MAIN : 0);
		if (has_extra(spec, i))
			doc_column(doc, extras[spec->extra].heading, extras[spec->extra].form,
				   DOC_KNOWN);
	}
}

/* Return the rank of a cell, from 1, in its row or, if the columns are figures, in its
 * column; NAN: its value is unknown, or it is the total of the others. */
static double rank_of(const struct grid *grid, const struct grid_row *row, size_t column)
{
	const struct grid_cell *cell = &row->cells[column];
	const size_t count = grid->by != NULL ? grid->column_count : grid->row_count;
	double rank = 1;
	size_t i;

	if (isnan(cell->value) || (grid->by == NULL && row->is_total))
		return NAN;
	for (i = 0; i < count; i++) {
		const struct grid_row *other = grid->by != NULL ? row : &grid->rows[i];

		rank += (grid->by != NULL || !other->is_total) &&
			grid_is_better(cell->figure,
				       other->cells[grid->by != NULL ? i : column].value,
				       cell->value);
	}
	return rank;
}

/* Return what the extra column after a cell shows. */
static double extra_of(const struct grid *grid, const struct grid_row *row, size_t column)
{
	const enum spec_extra extra = grid->spec->extra;
	double base;

	if (extra == SPEC_RANK)
		return rank_of(grid, row, column);
	base = row->cells[extra == SPEC_STEP ? column - 1 : 0].value;
	if (!(base > 0))
		return NAN;
	return row->cells[column].value / base - (extra == SPEC_RATIO ? 0 : 1);
}

static void add_value(struct doc *doc, const struct grid_cell *cell, double value)
{
	if (cell->point != NULL && !cell->is_valid)
		doc_cell_text(doc, "%s", "invalid");
	else
		doc_cell(doc, value);
}

static void add_cells(struct doc *doc, const struct grid *grid, const struct grid_row *row)
{
	size_t i;

	for (i = 0; i < grid->column_count; i++) {
		add_value(doc, &row->cells[i], row->cells[i].value);
		if (has_extra(grid->spec, i))
			doc_cell(doc, extra_of(grid, row, i));
	}
}

/* Begin a row below the others. */
static void begin_last(struct doc *doc, const struct grid *grid, const char *name)
{
	size_t i;

	doc_row(doc, DOC_PLAIN, 0);
	for (i = 0; i < grid->row_key_count; i++)
		doc_cell_text(doc, "%s", i == 0 ? name : "");
}

/* Add how much better the first row is than the last one that is not a total, if there
 * are two. */
static void add_better(struct doc *doc, const struct grid *grid)
{
	const struct grid_row *last = &grid->rows[grid->row_count - 1];
	size_t i;

	while (last > grid->rows && last->is_total)
		last--;
	if (last == grid->rows)
		return;
	begin_last(doc, grid, "better");
	for (i = 0; i < grid->column_count; i++) {
		const struct grid_cell *cell = &grid->rows[0].cells[i];
		const double other = last->cells[i].value;
		const double ratio = figures[cell->figure].more_is_better ? cell->value / other
									  : other / cell->value;

		doc_cell_form(doc, NUMBER_CHANGE, isfinite(ratio) ? ratio - 1 : NAN);
	}
}

/* Add the mean ranks of the columns as the last row. */
static void add_mean_ranks(struct doc *doc, const struct grid *grid)
{
	size_t i, j;

	begin_last(doc, grid, "mean rank");
	for (i = 0; i < grid->column_count; i++) {
		double sum = 0, count = 0;

		for (j = 0; j < grid->row_count; j++) {
			double rank = rank_of(grid, &grid->rows[j], i);

			if (grid->rows[j].is_total || isnan(rank))
				continue;
			sum += rank;
			count++;
		}
		doc_cell_text(doc, "%s", "");
		doc_cell_form(doc, NUMBER_PER_S, count > 0 ? sum / count : NAN);
	}
}

/* The values of a cell in the valid repeats of its point. */
struct repeats {
	double max, min, mean, deviation; /* NAN: unknown */
};

static struct repeats repeats_of(const struct spec *spec, const struct grid_cell *cell)
{
	struct repeats repeats = {NAN, NAN, NAN, NAN};
	double mean = 0, squares = 0, count = 0;
	size_t i;

	for (i = 0; cell->point != NULL && i < cell->point->repeat_count; i++) {
		const struct result_repeat *repeat = &cell->point->repeats[i];
		const struct record *record = records_find(&repeat->records, &cell->record->key);
		double value = record != NULL ? grid_value(spec, cell->figure, record) : NAN;
		double before = value - mean;

		if (isnan(value) || !result_repeat_is_valid(repeat))
			continue;
		repeats.max = fmax(repeats.max, value);
		repeats.min = fmin(repeats.min, value);
		mean += before / ++count;
		squares += before * (value - mean);
	}
	if (count > 0)
		repeats.mean = mean;
	if (count > 1)
		repeats.deviation = sqrt(squares / (count - 1));
	return repeats;
}

/* Add a table of the repeats of a figure. */
static void add_repeats(struct doc *doc, const struct grid *grid, size_t figure)
{
	static const char *const headings[] = {"max", "min", "mean", "std dev"};
	size_t i;

	for (i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		doc_column(doc, headings[i], number_form_of(grid->spec->figures[figure]), 0);
	for (i = 0; i < grid->row_count; i++) {
		const struct grid_cell *cell = &grid->rows[i].cells[figure];
		const struct repeats repeats = repeats_of(grid->spec, cell);

		begin_row(doc, grid, &grid->rows[i]);
		add_value(doc, cell, repeats.max);
		add_value(doc, cell, repeats.min);
		add_value(doc, cell, repeats.mean);
		add_value(doc, cell, repeats.deviation);
	}
}

/* Add a table and its charts; without `plot`, it is for text only. */
static void add_grid(struct doc *doc, const struct grid *grid, size_t first, size_t end,
		     struct plot *plot)
{
	char title[TITLE_TEXT], heading[HEADING_TEXT];
	size_t i;

	print_title(grid, first, end, title);
	if (grid->spec->load != NULL)
		doc_heading(doc, 2, "Phases");
	doc_heading(doc, 3, "%s", title);
	doc_table(doc, 0);
	add_row_keys(doc, grid);
	if (grid->spec->extra == SPEC_REPEATS) {
		add_repeats(doc, grid, first);
	} else {
		add_columns(doc, grid);
		for (i = 0; i < grid->row_count; i++) {
			begin_row(doc, grid, &grid->rows[i]);
			add_cells(doc, grid, &grid->rows[i]);
		}
		if (grid->spec->extra == SPEC_RANK && grid->by != NULL && grid->row_count > 1)
			add_mean_ranks(doc, grid);
		if (grid->spec->extra == SPEC_BETTER)
			add_better(doc, grid);
	}
	doc_table_end(doc);
	if (grid->by != NULL && plot != NULL)
		plot_grid(plot, grid, title,
			  print_heading(grid->view, grid->spec->figures[first], heading));
}

/* Add one table of all figures or, if it has other columns, one of each. With `is_text`,
 * names of results are brief. Without `plot`, there are no charts. */
static void add_tables(struct doc *doc, const struct view *view, const struct spec *spec,
		       struct plot *plot, bool is_text)
{
	const bool is_one = spec->by == SPEC_NONE && spec->extra != SPEC_REPEATS;
	size_t i;

	for (i = 0; i < (is_one ? 1 : spec->figure_count); i++) {
		struct grid grid;

		if (grid_make(&grid, view, spec, i, is_text) < 0)
			doc_fail(doc);
		else if (grid.row_count > 0)
			add_grid(doc, &grid, i, is_one ? spec->figure_count : i + 1, plot);
		grid_free(&grid);
	}
}

/* Check if an earlier table of the results is the same as this one of a side. */
static bool is_repeated(const struct view *view, size_t side, size_t table)
{
	char *const text = view->sides[side].result->run.tables[table];
	size_t i, j;

	for (i = 0; i <= side; i++) {
		const struct result_run *run = &view->sides[i].result->run;

		for (j = 0; j < (i < side ? run->table_count : table); j++)
			if (strcmp(run->tables[j], text) == 0)
				return true;
	}
	return false;
}

/* Add the tables that a text of --table asks for; or why these results cannot have them,
 * as the text may come from another file. */
static void add_text(struct doc *doc, const struct view *view, const char *text, struct plot *plot)
{
	struct error error = {0};
	struct spec spec;

	if (spec_parse(text, &spec, &error) < 0 || spec_check(&spec, text, view, &error) < 0) {
		/* Without a heading, a page would take it for the caption of a chart. */
		doc_heading(doc, 3, "not shown");
		doc_note(doc, "%s", error.text);
		return;
	}
	/* In text, the names of several results are brief. */
	if (view_has_several(view)) {
		doc_medium(doc, DOC_TEXT);
		add_tables(doc, view, &spec, NULL, true);
		doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
	}
	add_tables(doc, view, &spec, plot, false);
	doc_medium(doc, DOC_ALL);
}

bool tables_are_asked(const struct view *view)
{
	size_t i;

	for (i = 0; i < view->side_count; i++)
		if (view->sides[i].result->run.table_count > 0)
			return true;
	return false;
}

void section_tables(struct doc *doc, const struct view *view)
{
	struct plot plot = {.doc = doc};
	size_t i, j;

	if (!tables_are_asked(view))
		return;
	doc_heading(doc, 2, "Tables");
	for (i = 0; i < view->side_count; i++) {
		const struct result_run *run = &view->sides[i].result->run;

		for (j = 0; j < run->table_count; j++)
			if (!is_repeated(view, i, j))
				add_text(doc, view, run->tables[j], &plot);
	}
}

/* Return the index of the first variant with this load. */
static size_t first_with(const struct result_run *run, const char *load)
{
	size_t i, j;

	for (i = 0; i < run->variant_count; i++)
		for (j = 0; j < run->variants[i].load_count; j++)
			if (strcmp(run->variants[i].loads[j].name, load) == 0)
				return i;
	return i;
}

void section_phase_rates(struct doc *doc, const struct view *view)
{
	const struct result *result = view->whole;
	const struct result_run *run = &result->run;
	struct spec spec = {
		.figures = {FIGURE_MB_PER_S, FIGURE_ITEMS_PER_S, FIGURE_OPS_PER_S},
		.figure_count = 3,
		.parts = SPEC_NONE,
		.by = SPEC_PHASE,
		.is_usual = true,
	};
	size_t i, j;

	/* A single measurement has them in section_phases. */
	if (result->point_count == 1 && result->points[0].repeat_count == 1)
		return;
	for (i = 0; i < run->variant_count; i++)
		for (j = 0; j < run->variants[i].load_count; j++) {
			spec.load = run->variants[i].loads[j].name;
			if (first_with(run, spec.load) == i)
				add_tables(doc, view, &spec, NULL, false);
		}
}

/* Return the name of the last axis with several values. */
static const char *last_axis(const struct result_run *run)
{
	size_t i = run->axis_count - 1;

	while (i > 0 && run->axes[i].value_count == 1)
		i--;
	return run->axes[i].name;
}

void section_pivot(struct doc *doc, const struct view *view)
{
	struct spec spec = {
		.figures = {view->rate, FIGURE_P99_MS},
		.figure_count = 1,
		.parts = SPEC_NONE,
		.by = view_has_several(view) ? SPEC_RESULT : SPEC_AXIS,
		.extra = SPEC_RATIO,
		.is_usual = true,
	};

	if (view->side_count < 2 || view->side_count > PIVOT_MAX || view->place_count == 0)
		return;
	if (spec.by == SPEC_AXIS)
		snprintf(spec.axis, sizeof(spec.axis), "%s", last_axis(&view->whole->run));
	doc_heading(doc, 2, "Side by side");
	doc_medium(doc, DOC_TEXT);
	add_tables(doc, view, &spec, NULL, true);
	doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
	spec.figure_count = 2;
	add_tables(doc, view, &spec, NULL, false);
	doc_medium(doc, DOC_ALL);
}
