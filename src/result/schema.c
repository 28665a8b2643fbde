/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static size_t list_figures(const struct schema_row *row, size_t offset, struct schema_place *places,
			   size_t count)
{
	for (; row->kind != SCHEMA_END; row++) {
		if (row->figure != NULL && count < SCHEMA_PLACES)
			places[count++] = (struct schema_place){row, offset + row->offset};
		if (row->kind == SCHEMA_OBJECT && row->size == 0)
			count = list_figures(row->of, offset + row->offset, places, count);
	}
	return count;
}

size_t schema_list_figures(const struct schema_row *rows, struct schema_place places[SCHEMA_PLACES])
{
	return list_figures(rows, 0, places, 0);
}

static int by_column(const void *a, const void *b)
{
	const struct schema_place *one = a, *other = b;

	return (int)one->row->figure->column - (int)other->row->figure->column;
}

size_t schema_list_columns(const struct schema_row *rows, struct schema_place places[SCHEMA_PLACES])
{
	size_t figures = schema_list_figures(rows, places), count = 0, i;

	for (i = 0; i < figures; i++)
		if (places[i].row->figure->column > 0)
			places[count++] = places[i];
	qsort(places, count, sizeof(*places), by_column);
	return count;
}

struct schema_place schema_find_figure(const struct schema_row *rows,
				       const struct schema_figure *figure)
{
	struct schema_place place = {NULL, 0};

	for (; rows->kind != SCHEMA_END && place.row == NULL; rows++) {
		if (rows->figure == figure)
			return (struct schema_place){rows, rows->offset};
		if (rows->kind == SCHEMA_OBJECT && rows->size == 0) {
			place = schema_find_figure(rows->of, figure);
			place.offset += rows->offset;
		}
	}
	return place;
}

bool schema_is_known(const struct schema_row *row, const void *at)
{
	double number = schema_number(row, at);

	return row->presence == SCHEMA_KNOWN ? number > 0 : isfinite(number);
}

double schema_number(const struct schema_row *row, const void *at)
{
	switch (row->kind) {
	case SCHEMA_COUNT:
	case SCHEMA_TIME:
		return (double)*(const uint64_t *)at;
	case SCHEMA_SIZE:
		return (double)*(const size_t *)at;
	case SCHEMA_NUMBER:
	case SCHEMA_WORD:
		return *(const unsigned *)at;
	default:
		return *(const double *)at;
	}
}

double schema_in_unit(const struct schema_row *row, const void *at)
{
	bool in_ns = row->kind == SCHEMA_TIME || row->kind == SCHEMA_MEAN;

	return schema_number(row, at) / (in_ns ? row->unit_ns : 1);
}

/* Numbers are written as multiples of 1 / REAL_STEPS. A mean has more digits,
 * because it is more precise than the single times. */
#define REAL_STEPS 1e6
#define MEAN_STEPS 1e9

/* A double above this (about 2^53) has no fraction to round. */
#define DOUBLE_EXACT 9e15

static double with_digits(double value, int digits)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*g", digits, value);
	return strtod(text, NULL);
}

double schema_shown(const struct schema_row *row, const void *at)
{
	double steps = row->kind == SCHEMA_MEAN ? MEAN_STEPS : REAL_STEPS;
	double value = schema_in_unit(row, at);

	if (row->digits > 0)
		return with_digits(value, row->digits);
	if (row->kind != SCHEMA_TIME && fabs(value) < DOUBLE_EXACT / steps)
		return round(value * steps) / steps;
	return value;
}

/* Return a number in the file's unit, as a reader of the file will get it. */
static double read_again(const struct schema_row *row, const void *at)
{
	return with_digits(schema_shown(row, at), SCHEMA_DIGITS);
}

/* Call `visit` for each record that the row's value consists of, with the
 * table that describes it. */
static void each_part(const struct schema_row *row, void *record,
		      void (*visit)(const struct schema_row *rows, void *part))
{
	void *at = (char *)record + row->offset;
	char *elements;
	size_t count, i;

	switch (row->kind) {
	case SCHEMA_OBJECT:
		/* A copy of another row's values is not at this offset. */
		if (row->derived && row->find != NULL)
			break;
		if (row->size > 0)
			at = *(void **)at;
		if (at != NULL)
			visit(row->of, at);
		break;
	case SCHEMA_LIST:
	case SCHEMA_PAIRS:
		elements = schema_elements(row, record, &count);
		for (i = 0; i < count; i++)
			visit(row->of, elements + i * row->size);
		break;
	default: /* nothing to visit; numbers in COLUMNS stay as they are */
		break;
	}
}

void schema_round(const struct schema_row *rows, void *record)
{
	for (; rows->kind != SCHEMA_END; rows++) {
		void *at = (char *)record + rows->offset;

		each_part(rows, record, schema_round);
		if (rows->kind == SCHEMA_REAL)
			*(double *)at = read_again(rows, at);
		else if (rows->kind == SCHEMA_MEAN)
			*(double *)at = read_again(rows, at) * rows->unit_ns;
		else if (rows->kind == SCHEMA_TIME)
			*(uint64_t *)at = (uint64_t)llround(read_again(rows, at) * rows->unit_ns);
	}
}

void schema_free(const struct schema_row *rows, void *record)
{
	for (; rows->kind != SCHEMA_END; rows++) {
		void *at = (char *)record + rows->offset;

		each_part(rows, record, schema_free);
		if (rows->kind == SCHEMA_NOTICES)
			notices_free(at);
		if (rows->kind == SCHEMA_LIST || rows->kind == SCHEMA_PAIRS ||
		    rows->kind == SCHEMA_COLUMNS ||
		    (rows->kind == SCHEMA_OBJECT && rows->size > 0) ||
		    (rows->kind == SCHEMA_TEXT && rows->make == NULL))
			free(*(void **)at);
	}
}
