/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Changes smaller than this, the default margin of throng compare, have no
 * colour. */
#define SMALL_CHANGE 0.05

/* A column of the table for one side, and the format of its numbers. */
struct form {
	const struct column *column;
	size_t side;
	bool is_named;  /* the heading has the side's name */
	bool is_change; /* a change, written in per cent */
	/* Used if the column has neither a write nor a value function. */
	enum figure figure;
	bool is_duration; /* each number is written with its own unit */
	int decimals;
};

static const struct record *record_at(const struct row *row, const struct result_point *point)
{
	return point != NULL ? records_find(&point->records, &row->key) : NULL;
}

const struct record *table_record(const struct row *row, size_t side)
{
	return record_at(row, row->points[side]);
}

static double figure_at(const struct form *form, const struct row *row,
			const struct result_point *point)
{
	const struct record *record = record_at(row, point);

	if (record == NULL || !result_is_valid(point))
		return NAN;
	return form->column->is_mean ? record_phase_mean(record, form->figure)
				     : page_value(form->figure, record);
}

/* Return the number of a cell, or NAN if it is unknown. */
static double number_at(const struct page *page, const struct form *form, const struct row *row)
{
	const struct result_point *point = row->points[form->side];
	double value;

	if (row->is_void || point == NULL)
		return NAN;
	if (form->column->value != NULL)
		return form->column->value(page, row, point);
	value = figure_at(form, row, point);
	if (!form->is_change)
		return value;
	return point != row->base ? value / figure_at(form, row, row->base) - 1 : NAN;
}

/*
 * Choose the figure and the format of a column. The numbers of all rows and
 * sides decide the format, so that the column looks the same for all sides.
 * Return whether to show the column.
 */
static bool complete_form(const struct page *page, struct form *form, size_t sides,
			  const struct row *rows, size_t count)
{
	const struct column *column = form->column;
	struct form other;
	double max = 0;
	bool is_whole = true, is_known = false, is_positive = false;
	size_t i;

	form->figure = column->figure < FIGURES ? column->figure : page->rate;
	other = *form;
	for (i = 0; column->write == NULL && i < sides * count; i++) {
		double value;

		other.side = i % sides;
		value = number_at(page, &other, &rows[i / sides]);
		if (isnan(value))
			continue;
		if (other.side == form->side) {
			is_known = true;
			is_positive |= value > 0;
		}
		max = fmax(max, value);
		is_whole = is_whole && value == floor(value);
	}
	if (column->value == NULL && !form->is_change)
		form->is_duration = figure_per_second(form->figure) > 0;
	if (!is_whole)
		form->decimals = max >= 10000 ? 0 : max >= 10 ? 1 : max >= 1 ? 2 : 4;
	return column->write != NULL || is_positive || (is_known && !column->is_optional);
}

/* Make the forms of all columns that are shown. Return their number. */
static size_t make_forms(const struct page *page, size_t sides, const struct column *columns,
			 size_t column_count, const struct row *rows, size_t row_count,
			 struct form *forms)
{
	size_t count = 0, i, j;

	for (i = 0; i < column_count; i++) {
		for (j = 0; j < (i == 0 ? 1 : sides); j++) {
			const struct form form = {
				.column = &columns[i],
				.side = j,
				.is_named = i > 0 && sides > 1,
				.is_change = columns[i].is_change,
			};

			if (columns[i].is_single && sides > 1)
				continue;
			forms[count] = form;
			count += complete_form(page, &forms[count], sides, rows, row_count);
			if (j == 0 || !columns[i].is_compared)
				continue;
			forms[count] = form;
			forms[count].is_named = false;
			forms[count].is_change = true;
			count += complete_form(page, &forms[count], sides, rows, row_count);
		}
	}
	return count;
}

static void write_heading(const struct page *page, const struct form *form)
{
	const char *heading = form->column->heading;
	bool is_response = page->paced && form->column->is_response;

	if (heading == NULL)
		heading = page->unit;
	if (form->is_change && !form->column->is_change) {
		heading = "change";
		is_response = false;
	}
	/* No scope is needed: only headings are in its row or column. This
	 * makes large pages smaller by 3 %. */
	fputs("<th>", page->stream);
	if (form->is_named)
		page_swatch(page, form->side);
	fprintf(page->stream, "%s%s</th>", is_response ? "response " : "", heading);
}

/* Return the CSS class of a cell, or NULL. A change has the class "better" or
 * "worse", unless it is small. */
static const char *class_of(const struct form *form, double value)
{
	if (!form->is_change || form->column->class != NULL)
		return form->column->class;
	if (!(fabs(value) >= SMALL_CHANGE))
		return NULL;
	return (value > 0) == figures[form->figure].more_is_better ? "better" : "worse";
}

static void write_cell(const struct page *page, const struct form *form, const struct row *row)
{
	double value = form->column->write != NULL ? NAN : number_at(page, form, row);
	const char *class = class_of(form, value);
	char text[MARKUP_TEXT];

	fputs("<td", page->stream);
	if (class != NULL)
		fprintf(page->stream, " class=\"%s\"", class);
	fputc('>', page->stream);
	if (form->column->write != NULL)
		form->column->write(page, row, form->side);
	else if (!isfinite(value) || (value == 0 && form->column->is_optional))
		; /* page.css puts a dash into an empty cell */
	else if (form->is_change)
		fputs(markup_change(value, text), page->stream);
	else if (form->is_duration)
		fputs(markup_time(form->figure, value, text), page->stream);
	else
		fputs(markup_number(value, form->decimals, text), page->stream);
	fputs("</td>", page->stream);
}

static void write_row(const struct page *page, const struct form *forms, size_t count,
		      const struct row *row)
{
	size_t i;

	fputs("<tr", page->stream);
	if (row->class != NULL)
		fprintf(page->stream, " class=\"%s\"", row->class);
	fputs("><th>", page->stream);
	forms[0].column->write(page, row, 0);
	fputs("</th>", page->stream);
	if (row->is_void) {
		fprintf(page->stream, "<td class=\"void\" colspan=\"%zu\">",
			count > 1 ? count - 1 : 1);
		page_counts(page, row->points[0]);
		fputs("</td>", page->stream);
	}
	for (i = 1; !row->is_void && i < count; i++)
		write_cell(page, &forms[i], row);
	fputs("</tr>\n", page->stream);
}

void table_write(const struct page *page, const char *class, size_t sides,
		 const struct column *columns, size_t column_count, const struct row *rows,
		 size_t row_count)
{
	/* Allocate twice as many: each column may have a column of changes. */
	struct form *forms = calloc(2 * sides * column_count, sizeof(*forms));
	size_t count, i;

	if (forms == NULL)
		return;
	count = make_forms(page, sides, columns, column_count, rows, row_count, forms);
	fprintf(page->stream,
		"<div class=\"wide\" tabindex=\"0\">\n"
		"<table class=\"%s\">\n<thead><tr>",
		class);
	for (i = 0; i < count; i++)
		write_heading(page, &forms[i]);
	fputs("</tr></thead>\n<tbody>\n", page->stream);
	for (i = 0; i < row_count; i++)
		write_row(page, forms, count, &rows[i]);
	fputs("</tbody>\n</table>\n</div>\n", page->stream);
	free(forms);
}
