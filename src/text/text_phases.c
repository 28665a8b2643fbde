/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of the phases of loads, and of their rates at several points.
 */
#include "text/text.h"

#include "doc/escape.h"
#include "report/figure.h"
#include "report/rate.h"
#include "text/axes.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Check if one user played the phase once. Its operations are counted in one
 * loop then, and it is the slowest and the fastest user. */
static bool is_single(const struct record *phase)
{
	return record_shown(phase, FIGURE_LOOPS) == 1;
}

static bool is_not_single(const struct record *phase)
{
	return !is_single(phase);
}

/* Write the table of a load (NULL: of the only one), after its title. */
static void print_phases(bool paced, const struct records *records, const struct record *load,
			 FILE *stream)
{
	static const struct figure_column columns[] = {
		{.figure = FIGURE_OPS, .heading = "ops", .shows = is_single, .is_optional = true},
		{.figure = FIGURE_BYTES,
		 .heading = "bytes",
		 .shows = is_single,
		 .is_optional = true},
		{.figure = FIGURE_ELAPSED_S, .heading = "elapsed"},
		{.figure = FIGURE_ELAPSED_USER_MIN_S,
		 .heading = "min",
		 .shows = is_not_single,
		 .is_optional = true},
		{.figure = FIGURE_ELAPSED_USER_MAX_S,
		 .heading = "max",
		 .shows = is_not_single,
		 .is_optional = true},
		{.figure = FIGURE_USER_S, .heading = "user", .is_mean = true},
		{.figure = FIGURE_SYSTEM_S, .heading = "system", .is_mean = true},
		{.figure = FIGURE_MB_PER_S, .is_optional = true},
		{.figure = FIGURE_OPS_PER_S},
		{.figure = FIGURE_MEAN_MS, .is_response = true},
		{.figure = FIGURE_P99_MS},
		{.figure = FIGURE_MISMATCHES, .is_optional = true},
	};
	struct figure_row *rows = calloc(records->count, sizeof(*rows));
	const char *name = load != NULL ? load->key.load : NULL;
	const struct record *phase = NULL;
	size_t count = 0;

	while (rows != NULL && (phase = records_next_phase(records, name, phase)) != NULL)
		rows[count++] = (struct figure_row){.name = phase->key.phase, .record = phase};
	if (count > 0) {
		if (load != NULL)
			text_load_title(load, stream);
		fputc('\n', stream);
		figure_table("phase", false, paced, columns, LENGTH(columns), rows, count, stream);
	}
	free(rows);
}

void text_phases(bool paced, const struct records *records, FILE *stream)
{
	const struct record *load = NULL;

	print_phases(paced, records, NULL, stream);
	while ((load = records_next_load(records, load)) != NULL)
		print_phases(paced, records, load, stream);
}

/* A column of a table of rates: a phase of the load. */
struct rate_column {
	const char *phase; /* its name, owned by the result */
	bool moves_data;   /* at any point */
	char heading[FIGURE_TEXT];
};

static struct rate_column *find_column(struct rate_column *columns, size_t count, const char *phase)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(columns[i].phase, phase) == 0)
			return &columns[i];
	return NULL;
}

/* Return the record of a load (NULL: the only one) at a point, or NULL if the
 * point is invalid or does not have it. */
static const struct record *record_of(const struct result_point *point, const char *load)
{
	const struct record_key key = {.load = load};

	return result_is_valid(point) ? records_find(&point->records, &key) : NULL;
}

/*
 * List the phases that the load has at any valid point; there may be different
 * ones. Return their number. A file may have longer names than any load; leave
 * these phases out. If memory is short, return 0. The caller frees *columns.
 */
static size_t list_columns(const struct result *result, const char *load,
			   struct rate_column **columns)
{
	size_t max = 0, count = 0, i;

	for (i = 0; i < result->point_count; i++)
		max += result->points[i].records.count;
	*columns = calloc(max + 1, sizeof(**columns));
	for (i = 0; *columns != NULL && i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		const struct record *phase = NULL;

		while (result_is_valid(point) &&
		       (phase = records_next_phase(&point->records, load, phase)) != NULL) {
			const char *name = phase->key.phase;
			struct rate_column *column = find_column(*columns, count, name);

			if (strlen(name) >= FIGURE_TEXT)
				continue;
			if (column == NULL)
				column = &(*columns)[count++];
			column->phase = name;
			column->moves_data |= record_value(phase, FIGURE_BYTES) > 0;
		}
	}
	return count;
}

/* Complete the columns of the phases that move data, or of those that don't.
 * Set list[] to them and return their number. */
static size_t choose_columns(struct rate_column *columns, size_t count, bool moving,
			     struct figure_column *list)
{
	size_t chosen = 0, i;

	for (i = 0; i < count; i++) {
		struct rate_column *column = &columns[i];
		char *heading;

		if (column->moves_data != moving)
			continue;
		heading = escape_text_copy(column->phase);
		snprintf(column->heading, sizeof(column->heading), "%s",
			 heading != NULL ? heading : "");
		free(heading);
		list[chosen++] = (struct figure_column){
			.figure = moving ? FIGURE_MB_PER_S : FIGURE_OPS_PER_S,
			.heading = column->heading,
			.phase = column->phase,
		};
	}
	return chosen;
}

/* List a row for each valid point. Return their number. */
static size_t list_rows(const struct result *result, const char *load, struct figure_row *rows)
{
	size_t count = 0, i;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		const struct record *record = record_of(point, load);
		char *name;

		if (record == NULL)
			continue;
		name = axes_row_name(&result->run, point);
		if (name != NULL)
			rows[count++] = (struct figure_row){
				.name = name,
				.record = record,
				.records = &point->records,
			};
	}
	return count;
}

/* Write the title of a table of rates, with the name of the load if there are
 * several. */
static void print_title(const char *load, bool moving, FILE *stream)
{
	fprintf(stream, "\n%s by phase", moving ? rate_unit() : "ops/s");
	if (load != NULL) {
		fputs(" of ", stream);
		escape_text(load, stream);
	}
	fputc('\n', stream);
}

/* Write the tables of one load. */
static void print_rates(const struct result *result, const char *load, FILE *stream)
{
	struct rate_column *columns = NULL;
	size_t count = list_columns(result, load, &columns), shown, points, i;
	struct figure_column *list = calloc(count + 1, sizeof(*list));
	struct figure_row *rows = calloc(result->point_count + 1, sizeof(*rows));
	char *heading = axes_row_name(&result->run, NULL);

	points = rows != NULL ? list_rows(result, load, rows) : 0;
	for (i = 0; i < 2 && list != NULL && heading != NULL; i++) {
		shown = choose_columns(columns, count, i == 0, list);
		if (shown == 0)
			continue;
		print_title(load, i == 0, stream);
		figure_table(heading, true, result->run.paced, list, shown, rows, points, stream);
	}
	for (i = 0; i < points; i++)
		free((char *)rows[i].name);
	free(heading);
	free(rows);
	free(list);
	free(columns);
}

void text_phase_rates(const struct result *result, FILE *stream)
{
	const struct result_variant *variant = &result->run.variants[0];
	size_t i;

	if (result->point_count == 1 && result->points[0].repeat_count == 1)
		return;
	for (i = 0; i < variant->load_count; i++)
		print_rates(result, variant->load_count > 1 ? variant->loads[i].name : NULL,
			    stream);
}
