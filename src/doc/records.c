/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/records.h"

#include "result/combine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Return the value of the figure in a record, in the unit of number_print; or NAN. */
static double value_of(enum figure figure, const struct record *record)
{
	return record != NULL ? number_value_of(figure, record_shown(record, figure)) : NAN;
}

/* Check if one user played the phase once. Its operations are counted in one loop
 * then, and it is the slowest and the fastest user. */
static bool is_once(const struct record *phase)
{
	return record_shown(phase, FIGURE_LOOPS) == 1;
}

static double ratio_to(enum figure figure, const struct record *record, const struct record *base)
{
	double before = base != record ? value_of(figure, base) : NAN;

	return before > 0 ? value_of(figure, record) / before : NAN;
}

/* Return the range of a figure, which is known only of several repeats. */
static struct combine_range range_of(enum figure figure, const struct records_row *row)
{
	const struct combine_range unknown = {.min = NAN, .max = NAN, .spread = NAN};

	if (row->point == NULL || row->point->repeat_count < 2)
		return unknown;
	return combine_range_of(row->point, row->record, figure);
}

double records_cell(const struct records_column *column, const struct records_row *row)
{
	const struct record *record = row->record;
	enum figure figure = column->figure;

	if (record == NULL ||
	    ((column->flags & RECORDS_UNLESS_ITEMS) != 0 && record_count(record, FIGURE_ITEMS) > 0))
		return NAN;
	switch (column->show) {
	case RECORDS_MEAN:
		return number_value_of(figure, record_phase_mean(record, figure));
	case RECORDS_ONCE:
		return is_once(record) ? value_of(figure, record) : NAN;
	case RECORDS_NOT_ONCE:
		return is_once(record) ? NAN : value_of(figure, record);
	case RECORDS_MIN:
		return number_value_of(figure, range_of(figure, row).min);
	case RECORDS_MAX:
		return number_value_of(figure, range_of(figure, row).max);
	case RECORDS_SPREAD:
		return range_of(figure, row).spread;
	case RECORDS_TO_FIRST:
		return ratio_to(figure, record, row->first);
	case RECORDS_TO_PREVIOUS:
		return ratio_to(figure, record, row->previous);
	case RECORDS_STEP:
		return ratio_to(figure, record, row->previous) - 1;
	default:
		return value_of(figure, record);
	}
}

static enum number_form form_of(const struct records_column *column)
{
	switch (column->show) {
	case RECORDS_SPREAD:
		return NUMBER_SPREAD;
	case RECORDS_TO_FIRST:
	case RECORDS_TO_PREVIOUS:
		return NUMBER_RATIO;
	case RECORDS_STEP:
		return NUMBER_CHANGE;
	default:
		return number_form_of(column->figure);
	}
}

void records_add_column(struct doc *doc, const struct records_column *column, bool open_loop)
{
	const char *heading = column->heading != NULL ? column->heading
						      : figures[column->figure].heading;
	char text[NUMBER_TEXT], full[2 * NUMBER_TEXT];

	if (heading == NULL)
		heading = figures[column->figure].name;
	snprintf(full, sizeof(full), "%s%s",
		 open_loop && (column->flags & DOC_RESPONSE) != 0 ? "response " : "",
		 number_heading(heading, text));
	doc_column(doc, full, form_of(column), column->flags & ~(unsigned)RECORDS_UNLESS_ITEMS);
}

void records_columns(struct doc *doc, const struct records_column *columns, size_t count,
		     bool open_loop)
{
	size_t i;

	for (i = 0; i < count; i++)
		records_add_column(doc, &columns[i], open_loop);
}

void records_cells(struct doc *doc, const struct records_column *columns, size_t count,
		   const struct records_row *row)
{
	size_t i;

	for (i = 0; i < count; i++)
		doc_cell(doc, records_cell(&columns[i], row));
}
