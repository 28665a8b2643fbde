/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static size_t list_figures(const struct schema_row *row, size_t offset,
			   struct schema_place *places, size_t count)
{
	for (; row->kind != SCHEMA_END; row++) {
		if (row->figure != NULL && count < SCHEMA_PLACES)
			places[count++] = (struct schema_place){
				row, offset + row->offset};
		if (row->kind == SCHEMA_OBJECT && row->size == 0)
			count = list_figures(row->of, offset + row->offset,
					     places, count);
	}
	return count;
}

size_t schema_list_figures(const struct schema_row *rows,
			   struct schema_place places[SCHEMA_PLACES])
{
	return list_figures(rows, 0, places, 0);
}

static int by_column(const void *a, const void *b)
{
	const struct schema_place *one = a, *other = b;

	return (int)one->row->figure->column - (int)other->row->figure->column;
}

size_t schema_list_columns(const struct schema_row *rows,
			   struct schema_place places[SCHEMA_PLACES])
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
	struct schema_place places[SCHEMA_PLACES];
	size_t count = schema_list_figures(rows, places), i;

	for (i = 0; i < count; i++)
		if (places[i].row->figure == figure)
			return places[i];
	return (struct schema_place){NULL, 0};
}

bool schema_is_known(const struct schema_row *row, const void *at)
{
	return row->presence != SCHEMA_KNOWN || schema_number(row, at) > 0;
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

/* A number is written in steps of this; a mean has more digits than the times
 * that it is one of. */
#define REAL_STEPS 1e6
#define MEAN_STEPS 1e9

/* Above this a double has no parts any more. */
#define DOUBLE_EXACT 9e15

double schema_shown(const struct schema_row *row, double value)
{
	double steps = row->kind == SCHEMA_MEAN ? MEAN_STEPS : REAL_STEPS;
	int digits = row->digits > 0 ? row->digits : SCHEMA_DIGITS;
	char text[32];

	if (row->digits == 0 && row->kind != SCHEMA_TIME &&
	    fabs(value) < DOUBLE_EXACT / steps)
		value = round(value * steps) / steps;
	snprintf(text, sizeof(text), "%.*g", digits, value);
	return strtod(text, NULL);
}

static void round_value(const struct schema_row *row, void *record)
{
	void *at = (char *)record + row->offset;
	char *elements;
	size_t count, i;

	switch (row->kind) {
	case SCHEMA_REAL:
		*(double *)at = schema_shown(row, *(double *)at);
		break;
	case SCHEMA_MEAN:
		*(double *)at = schema_shown(row, schema_in_unit(row, at)) *
				row->unit_ns;
		break;
	case SCHEMA_TIME:
		*(uint64_t *)at = (uint64_t)llround(
			schema_shown(row, schema_in_unit(row, at)) *
			row->unit_ns);
		break;
	case SCHEMA_OBJECT:
		if (row->size == 0)
			schema_round(row->of, at);
		break;
	case SCHEMA_LIST:
		elements = schema_elements(row, record, &count);
		for (i = 0; i < count; i++)
			round_value(row->of, elements + i * row->size);
		break;
	default:
		break;
	}
}

void schema_round(const struct schema_row *rows, void *record)
{
	for (; rows->kind != SCHEMA_END; rows++)
		round_value(rows, record);
}

static void free_value(const struct schema_row *row, void *record)
{
	void *at = (char *)record + row->offset;
	char *elements;
	size_t count, i;

	switch (row->kind) {
	case SCHEMA_TEXT:
		if (row->make == NULL)
			free(*(char **)at);
		break;
	case SCHEMA_OBJECT:
		if (row->size == 0) {
			schema_free(row->of, at);
		} else if (*(void **)at != NULL) {
			schema_free(row->of, *(void **)at);
			free(*(void **)at);
		}
		break;
	case SCHEMA_LIST:
		elements = schema_elements(row, record, &count);
		for (i = 0; i < count; i++)
			free_value(row->of, elements + i * row->size);
		free(elements);
		break;
	case SCHEMA_COLUMNS:
		free(*(void **)at);
		break;
	case SCHEMA_PAIRS:
		elements = schema_elements(row, record, &count);
		for (i = 0; i < 2 * count; i++)
			free(((char **)elements)[i]);
		free(elements);
		break;
	default:
		break;
	}
}

void schema_free(const struct schema_row *rows, void *record)
{
	for (; rows->kind != SCHEMA_END; rows++)
		free_value(rows, record);
}
