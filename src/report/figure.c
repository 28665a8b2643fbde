/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/figure.h"

#include "base/units.h"
#include "doc/escape.h"
#include "report/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The width of a time: four columns for the number, a blank, and two for the
 * unit. */
enum { TIME_COLUMNS = 7 };

/* Return the number of columns that a UTF-8 text takes, if each of its
 * characters takes one. */
static int columns_of(const char *text)
{
	int columns = 0;

	for (; *text != '\0'; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}

void figure_write_right(const char *text, int width, FILE *stream)
{
	int blanks = width - columns_of(text);

	fprintf(stream, "%*s%s", blanks > 0 ? blanks : 0, "", text);
}

/* Return how many decimals to print of a rate: up to two, as far as the number
 * fits into `width` columns (0: any width), and none of 0. */
static int rate_decimals(double value, int width)
{
	int digits = value >= 10 ? (int)floor(log10(value)) + 1 : 1;

	if (value == 0)
		return 0;
	if (width == 0 || digits + 3 <= width)
		return 2;
	return digits + 2 <= width ? 1 : 0;
}

/* Print a time, with a blank after a unit of one letter, so that the numbers of
 * a column are aligned. */
static void print_time(double ns, char text[FIGURE_TEXT])
{
	char time[UNITS_TEXT];

	units_print_time(ns, time);
	snprintf(text, FIGURE_TEXT, "%s%s", time, strcmp(strchr(time, ' '), " s") == 0 ? " " : "");
}

char *figure_print(enum figure_form form, double value, int width, char text[FIGURE_TEXT])
{
	switch (form) {
	case FORM_MB_PER_S:
		value = rate_shown(value);
		snprintf(text, FIGURE_TEXT, "%.*f", rate_decimals(value, width), value);
		break;
	case FORM_PER_S:
		snprintf(text, FIGURE_TEXT, "%.*f",
			 value == 0 || value >= 99.95 ? 0
			 : value >= 9.995             ? 1
						      : 2,
			 value);
		break;
	case FORM_S:
		print_time(1e9 * value, text);
		break;
	case FORM_MS:
		print_time(1e6 * value, text);
		break;
	case FORM_US:
		print_time(1e3 * value, text);
		break;
	case FORM_SHARE:
		snprintf(text, FIGURE_TEXT, "%.0f%%", 100 * value);
		break;
	case FORM_COUNT:
		snprintf(text, FIGURE_TEXT, "%.0f", value);
		break;
	case FORM_BYTES:
		units_print_bytes((uint64_t)value, text);
		break;
	}
	return text;
}

static bool is_time(const struct figure_column *column)
{
	return figure_per_second(column->figure) > 0;
}

/* Print the heading of a column. A rate's own heading ends with its unit. */
static void print_heading(const struct figure_column *column, bool paced, char text[FIGURE_TEXT])
{
	const struct figure_info *info = &figures[column->figure];
	const char *heading = column->heading != NULL ? column->heading : info->heading;
	bool is_rate = column->heading == NULL && info->form == FORM_MB_PER_S;
	size_t length = strlen(heading) - (is_rate ? strlen("MB/s") : 0);

	snprintf(text, FIGURE_TEXT, "%s%.*s%s", paced && column->is_response ? "response " : "",
		 (int)length, heading, is_rate ? rate_unit() : "");
}

/* Return the value of a cell, or NAN if it is unknown. */
static double value_of(const struct figure_column *column, const struct figure_row *row)
{
	const struct record *record = row->record;

	if (column->phase != NULL) {
		const struct record_key key = {.load = record->key.load, .phase = column->phase};

		record = records_find(row->records, &key);
	}
	if (record == NULL || (column->shows != NULL && !column->shows(record)))
		return NAN;
	return column->is_mean ? record_phase_mean(record, column->figure)
			       : record_shown(record, column->figure);
}

static void print_cell(const struct figure_column *column, const struct figure_row *row,
		       char text[FIGURE_TEXT])
{
	double value = value_of(column, row);

	if (isnan(value))
		strcpy(text, is_time(column) ? "-   " : "-");
	else
		figure_print(figures[column->figure].form, value, column->width, text);
}

/* Return the width of a column in a table whose rows are not yet known. */
static int fixed_width(const struct figure_column *column, bool paced)
{
	char heading[FIGURE_TEXT];
	int width = is_time(column) ? TIME_COLUMNS : column->width;

	print_heading(column, paced, heading);
	return width > columns_of(heading) ? width : columns_of(heading);
}

void figure_headings(const struct figure_column *columns, size_t count, bool paced, FILE *stream)
{
	char heading[FIGURE_TEXT];

	for (; count > 0; count--, columns++) {
		print_heading(columns, paced, heading);
		fputc(' ', stream);
		figure_write_right(heading, fixed_width(columns, paced), stream);
	}
}

void figure_values(const struct figure_column *columns, size_t count, bool paced,
		   const struct figure_row *row, FILE *stream)
{
	char text[FIGURE_TEXT];

	for (; count > 0; count--, columns++) {
		print_cell(columns, row, text);
		fputc(' ', stream);
		figure_write_right(text, fixed_width(columns, paced), stream);
	}
}

/* The width of a column in a table, or 0 if the column is left out. */
static int width_in(const struct figure_column *column, bool paced, const struct figure_row *rows,
		    size_t row_count)
{
	char text[FIGURE_TEXT];
	bool any = !column->is_optional;
	int width;
	size_t i;

	print_heading(column, paced, text);
	width = columns_of(text);
	for (i = 0; i < row_count; i++) {
		any |= value_of(column, &rows[i]) > 0;
		print_cell(column, &rows[i], text);
		if (columns_of(text) > width)
			width = columns_of(text);
	}
	return any ? width : 0;
}

/* Return the escaped names of the rows, and set *width to that of the longest
 * one or of the heading. Return NULL if memory is short. */
static char **copy_names(const char *heading, const struct figure_row *rows, size_t count,
			 int *width)
{
	char **names = calloc(count + 1, sizeof(*names));
	size_t i;

	*width = columns_of(heading);
	for (i = 0; names != NULL && i < count; i++) {
		names[i] = escape_text_copy(rows[i].name);
		if (names[i] != NULL && columns_of(names[i]) > *width)
			*width = columns_of(names[i]);
	}
	return names;
}

static void write_name(const char *name, bool numbered, int width, FILE *stream)
{
	if (numbered)
		figure_write_right(name, width, stream);
	else
		fprintf(stream, "%s%*s", name, width - columns_of(name), "");
}

/* Write a line of the table: a row, or the headings if it is NULL. Write no
 * blanks at its end. */
static void write_line(const struct figure_column *columns, const int *widths, size_t count,
		       bool paced, const struct figure_row *row, FILE *stream)
{
	char text[FIGURE_TEXT];
	int owed = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		size_t length;
		int used;

		if (widths[i] == 0)
			continue;
		if (row == NULL)
			print_heading(&columns[i], paced, text);
		else
			print_cell(&columns[i], row, text);
		used = columns_of(text);
		length = strlen(text);
		while (length > 0 && text[length - 1] == ' ')
			length--;
		fprintf(stream, "%*s%.*s", owed + 1 + widths[i] - used, "", (int)length, text);
		owed = (int)(strlen(text) - length);
	}
	fputc('\n', stream);
}

void figure_table(const char *heading, bool numbered, bool paced,
		  const struct figure_column *columns, size_t count, const struct figure_row *rows,
		  size_t row_count, FILE *stream)
{
	int *widths = calloc(count + 1, sizeof(*widths)), name_width;
	char **names = copy_names(heading, rows, row_count, &name_width);
	size_t i;

	if (widths != NULL && names != NULL) {
		for (i = 0; i < count; i++)
			widths[i] = width_in(&columns[i], paced, rows, row_count);
		write_name(heading, numbered, name_width, stream);
		write_line(columns, widths, count, paced, NULL, stream);
		for (i = 0; i < row_count; i++) {
			write_name(names[i] != NULL ? names[i] : "", numbered, name_width, stream);
			write_line(columns, widths, count, paced, &rows[i], stream);
		}
	}
	for (i = 0; names != NULL && i < row_count; i++)
		free(names[i]);
	free(names);
	free(widths);
}
