/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/tables/plot.h"

#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With more charts, or more curves or bars in one, nobody could find anything. */
enum { CHARTS_MAX = 12, CURVES_MAX = 26, BARS_MAX = 120 };

/* Check if rows have several user counts. */
static bool has_users(const struct grid *grid)
{
	size_t i;

	for (i = 0; i < grid->row_key_count; i++)
		if (grid->row_keys[i]->key == SPEC_USERS && grid->row_keys[i]->value_count > 1)
			return true;
	return false;
}

/* Check if two rows differ only in their user counts. */
static bool is_same_but_users(const struct grid *grid, const struct grid_row *one,
			      const struct grid_row *other)
{
	size_t i;

	for (i = 0; i < grid->row_key_count; i++)
		if (grid->row_keys[i]->key != SPEC_USERS && one->at[i] != other->at[i])
			return false;
	return true;
}

/* Return the index of the first row that differs from this one only in its user count. */
static size_t first_like(const struct grid *grid, size_t row)
{
	size_t i = 0;

	while (!is_same_but_users(grid, &grid->rows[i], &grid->rows[row]))
		i++;
	return i;
}

/* Print the values of a row's keys, except its user count if `is_chart`: "4Ki, 8 users".
 * Return `text`. */
static char *print_row(const struct grid *grid, const struct grid_row *row, bool is_chart,
		       char text[GRID_TEXT])
{
	size_t used = 0, i;

	text[0] = '\0';
	for (i = 0; i < grid->row_key_count && used < GRID_TEXT; i++) {
		const bool is_users = grid->row_keys[i]->key == SPEC_USERS;
		const char *value = grid_name(grid, row, i);

		if (is_users && is_chart)
			continue;
		used += (size_t)snprintf(text + used, GRID_TEXT - used, "%s%s%s%s",
					 used > 0 ? ", " : "", value, is_users ? " user" : "",
					 is_users && strcmp(value, "1") != 0 ? "s" : "");
	}
	return text;
}

/* Begin a chart about a row; NULL: about all. Up to `name_count` names are those of the x
 * axis; without any, it has user counts. */
static void begin_chart(struct plot *plot, const struct grid_row *row, const char *const *names,
			size_t name_count)
{
	const struct grid *grid = plot->grid;
	const enum figure figure = grid->rows[0].cells[0].figure;
	const bool is_latency = figures[figure].form == FORM_MS;
	const struct doc_axis axes[] = {
		{
			.name = names == NULL ? "users" : "",
			.scale = names == NULL ? DOC_STEPS : DOC_NAMES,
			.names = names,
			.name_count = name_count,
		},
		{
			.name = plot->heading,
			.form = number_form_of(figure),
			.scale = is_latency && names == NULL ? DOC_SPAN : DOC_LINEAR,
		},
	};
	char id[32], text[GRID_TEXT], full[2 * GRID_TEXT];

	snprintf(id, sizeof(id), "table%u", ++plot->count);
	snprintf(full, sizeof(full), "%s%s%s", plot->title, row != NULL ? ", " : "",
		 row != NULL ? print_row(grid, row, true, text) : "");
	doc_chart(plot->doc, id, full, axes);
}

/* Add the spot of a cell. Its title is like "nfs3, 8 users: 1,852 MB/s". */
static void add_spot(const struct plot *plot, const struct grid_cell *cell, double x,
		     const char *name, const char *at)
{
	const enum number_form form = number_form_of(cell->figure);
	const bool is_rate = form == NUMBER_MB_PER_S || form == NUMBER_PER_S;
	char number[NUMBER_TEXT];

	doc_spot(plot->doc, &(struct doc_spot){.x = x, .y = cell->value});
	if (!isnan(cell->value))
		doc_title(plot->doc, "%s%s%s: %s%s%s", name,
			  name[0] != '\0' && at[0] != '\0' ? ", " : "", at,
			  number_print(form, cell->value, -1, NUMBER_TYPESET, number),
			  is_rate ? " " : "", is_rate ? plot->heading : "");
}

/* Begin a mark. All crosses have one entry in the legend. */
static void begin_mark(const struct plot *plot, enum doc_mark_kind kind, size_t index,
		       const char *name)
{
	const bool is_cross = kind == DOC_MARK_CROSS;
	const struct doc_mark mark = {
		.kind = kind,
		.series = is_cross ? 0 : (unsigned)index + 1,
		.name = kind == DOC_MARK_LINE ? name : NULL,
		.legend = is_cross ? "invalid" : name,
	};

	doc_mark(plot->doc, &mark);
}

/* Add a curve over the user counts, or crosses where its points are invalid: of a row if
 * its columns are user counts; else of a column, over the rows that differ from this one
 * only in their user counts. */
static void add_curve(const struct plot *plot, size_t row, size_t column, enum doc_mark_kind kind)
{
	const struct grid *grid = plot->grid;
	const bool is_row = grid->by->key == SPEC_USERS;
	char text[GRID_TEXT], users[NUMBER_TEXT];
	const char *name = is_row ? print_row(grid, &grid->rows[row], false, text)
				  : grid->by->values[column];
	const size_t end = is_row ? grid->column_count : grid->row_count;
	bool is_begun = false;
	size_t i;

	for (i = is_row ? 0 : row; i < end; i++) {
		const struct grid_row *at = &grid->rows[is_row ? row : i];
		const struct grid_cell *cell = &at->cells[is_row ? i : column];

		if (cell->point == NULL || (kind == DOC_MARK_CROSS && cell->is_valid) ||
		    !is_same_but_users(grid, &grid->rows[row], at))
			continue;
		if (!is_begun)
			begin_mark(plot, kind, is_row ? row : column, name);
		is_begun = true;
		snprintf(users, sizeof(users), "%u %s", cell->point->users,
			 units_plural(cell->point->users, "user", "users"));
		add_spot(plot, cell, cell->point->users, name, users);
	}
}

/* Add a chart for each combination of the keys of rows other than the users. */
static void plot_columns(struct plot *plot)
{
	const struct grid *grid = plot->grid;
	size_t charts = 0, i, j;

	for (i = 0; i < grid->row_count && charts <= CHARTS_MAX; i++)
		charts += first_like(grid, i) == i;
	if (charts > CHARTS_MAX || grid->column_count > CURVES_MAX)
		return;
	for (i = 0; i < grid->row_count; i++) {
		if (first_like(grid, i) != i)
			continue;
		begin_chart(plot, grid->row_key_count > 1 ? &grid->rows[i] : NULL, NULL, 0);
		for (j = 0; j < grid->column_count; j++) {
			add_curve(plot, i, j, DOC_MARK_LINE);
			add_curve(plot, i, j, DOC_MARK_CROSS);
		}
	}
}

/* Add a chart with a curve per row over the columns, which are user counts. */
static void plot_rows(struct plot *plot)
{
	const struct grid *grid = plot->grid;
	size_t i;

	if (grid->row_count > CURVES_MAX || grid->column_count < 2)
		return;
	begin_chart(plot, NULL, NULL, 0);
	for (i = 0; i < grid->row_count; i++) {
		add_curve(plot, i, 0, DOC_MARK_LINE);
		add_curve(plot, i, 0, DOC_MARK_CROSS);
	}
}

/* Add a chart with a group of bars for each row or, if there is only one row, with a bar for
 * each column. */
static void plot_bars(struct plot *plot)
{
	const struct grid *grid = plot->grid;
	const bool is_single = grid->row_count == 1;
	char(*texts)[GRID_TEXT] = calloc(grid->row_count, sizeof(*texts));
	const char **names = calloc(grid->row_count, sizeof(*names));
	size_t i, j;

	if (texts == NULL || names == NULL) {
		doc_fail(plot->doc);
	} else if (grid->column_count > 1 && grid->row_count * grid->column_count <= BARS_MAX) {
		for (i = 0; i < grid->row_count; i++)
			names[i] = print_row(grid, &grid->rows[i], false, texts[i]);
		begin_chart(plot, NULL, is_single ? grid->by->values : names,
			    is_single ? grid->column_count : grid->row_count);
		if (is_single)
			begin_mark(plot, DOC_MARK_BAR, 0, names[0]);
		for (j = 0; j < grid->column_count; j++) {
			if (!is_single)
				begin_mark(plot, DOC_MARK_BAR, j, grid->by->values[j]);
			for (i = 0; i < grid->row_count; i++)
				add_spot(plot, &grid->rows[i].cells[j],
					 (double)(is_single ? j : i) + 1, grid->by->values[j],
					 names[i]);
		}
	}
	free(names);
	free(texts);
}

void plot_grid(struct plot *plot, const struct grid *grid, const char *title, const char *heading)
{
	plot->grid = grid;
	plot->title = title;
	plot->heading = heading;
	if (grid->by->key == SPEC_USERS)
		plot_rows(plot);
	else if (has_users(grid))
		plot_columns(plot);
	else
		plot_bars(plot);
}
