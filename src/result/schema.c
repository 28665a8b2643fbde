/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

/* Numbers are written as multiples of 1 / REAL_STEPS. */
#define REAL_STEPS 1e6

/* A double above this (about 2^53) has no fraction to round. */
#define DOUBLE_EXACT 9e15

double schema_shown(const struct schema_row *row, const void *at)
{
	double value = schema_number(row, at) / (row->kind == SCHEMA_TIME ? row->unit_ns : 1);
	char text[32];

	if (row->digits > 0) {
		snprintf(text, sizeof(text), "%.*g", row->digits, value);
		return strtod(text, NULL);
	}
	if (row->kind != SCHEMA_TIME && fabs(value) < DOUBLE_EXACT / REAL_STEPS)
		return round(value * REAL_STEPS) / REAL_STEPS;
	return value;
}

bool schema_has_lists(const struct schema_row *row)
{
	const struct schema_row *part = row->kind == SCHEMA_OBJECT ? row->of : NULL;

	for (; part != NULL && part->kind != SCHEMA_END; part++)
		if (schema_has_lists(part))
			return true;
	return row->kind == SCHEMA_ROWS;
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
