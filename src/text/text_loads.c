/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures of each load, if a run has several, and the operations of loads
 * and phases.
 */
#include "text/text.h"

#include "base/units.h"
#include "doc/escape.h"
#include "report/figure.h"
#include "result/variant.h"

#include <inttypes.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Write a row for each load of a point, with the load's users and its name. */
static void print_point(bool paced, const struct result_point *point, FILE *stream)
{
	/* The title has the values of the axes, so the table has no columns
	 * for them. */
	const struct result_run no_axes = {.paced = paced};
	const struct record *load = NULL;
	char place[VARIANT_TEXT], *title;

	title = escape_text_copy(variant_print_point(point, place));
	fprintf(stream, "\n%s, by load\n", title != NULL ? title : "");
	free(title);
	text_heading(&no_axes, stream);
	while ((load = records_next_load(&point->records, load)) != NULL) {
		fprintf(stream, "%5.0f", record_count(load, FIGURE_LOAD_USERS));
		text_figures(&no_axes, load, stream);
		fputs("  ", stream);
		escape_text(load->key.load, stream);
		fputc('\n', stream);
	}
}

void text_loads(const struct result *result, FILE *stream)
{
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (result_is_valid(point) && records_next_load(&point->records, NULL) != NULL)
			print_point(result->run.paced, point, stream);
	}
}

void text_load_title(const struct record *load, FILE *stream)
{
	uint64_t users = (uint64_t)record_count(load, FIGURE_LOAD_USERS);

	fputc('\n', stream);
	escape_text(load->key.load, stream);
	fprintf(stream, ", %" PRIu64 " %s:", users, units_plural(users, "user", "users"));
}

static int by_time(const void *a, const void *b)
{
	double one = record_count(((const struct figure_row *)a)->record, FIGURE_TIME_SHARE);
	double other = record_count(((const struct figure_row *)b)->record, FIGURE_TIME_SHARE);

	return (one < other) - (one > other);
}

static void print_operations(bool paced, const struct record *record, FILE *stream)
{
	static const struct figure_column columns[] = {
		{.figure = FIGURE_OPS, .heading = "count"},
		{.figure = FIGURE_TIME_SHARE, .heading = "time"},
		{.figure = FIGURE_OPS_PER_S},
		{.figure = FIGURE_MB_PER_S, .width = 6},
		{.figure = FIGURE_MEAN_MS, .is_response = true},
		{.figure = FIGURE_P50_MS},
		{.figure = FIGURE_P99_MS},
		{.figure = FIGURE_MAX_MS},
		{.figure = FIGURE_MISMATCHES, .is_optional = true},
	};
	size_t count = record->operations, i;
	struct figure_row *rows = calloc(count + 1, sizeof(*rows));

	for (i = 0; rows != NULL && i < count; i++) {
		rows[i].record = &record[1 + i];
		rows[i].name = rows[i].record->key.operation;
	}
	if (rows != NULL) {
		qsort(rows, count, sizeof(*rows), by_time);
		fputc('\n', stream);
		figure_table("operation", false, paced, columns, LENGTH(columns), rows, count,
			     stream);
	}
	free(rows);
}

void text_operations(bool paced, const struct records *records, FILE *stream)
{
	size_t i;

	for (i = 0; i < records->count; i += 1 + records->list[i].operations) {
		const struct record *record = &records->list[i];

		/* A single operation has the figures of its phase. */
		if (record->key.phase != NULL && record->operations < 2)
			continue;
		if (record->key.phase != NULL) {
			fputs("\nphase ", stream);
			escape_text(record->key.phase, stream);
			fputc(':', stream);
		} else if (record->key.load != NULL) {
			text_load_title(record, stream);
		}
		print_operations(paced, record, stream);
	}
}
