/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of the phases of loads, and of their rates at several points.
 */
#include "text/text.h"

#include "report/escape.h"
#include "report/figure.h"
#include "report/rate.h"
#include "text/axes.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Return the phase that a row's figures are part of. */
static const struct result_phase *phase_of(const struct figure_row *row)
{
	return (const void *)((const char *)row->figures - offsetof(struct result_phase, figures));
}

static bool phase_elapsed(const struct figure_row *row, double *value)
{
	*value = 1e9 * phase_of(row)->elapsed_s;
	return true;
}

/* Check if one user played the phase once. Its operations are counted in one
 * loop then, and it is the slowest and the fastest user. */
static bool is_single(const struct figure_row *row)
{
	return row->figures->loops == 1;
}

static bool phase_ops(const struct figure_row *row, double *value)
{
	*value = (double)row->figures->ops;
	return is_single(row);
}

static bool phase_bytes(const struct figure_row *row, double *value)
{
	*value = (double)row->figures->bytes;
	return is_single(row);
}

static bool phase_user_min(const struct figure_row *row, double *value)
{
	*value = 1e9 * phase_of(row)->user_min_s;
	return !is_single(row);
}

static bool phase_user_max(const struct figure_row *row, double *value)
{
	*value = 1e9 * phase_of(row)->user_max_s;
	return !is_single(row);
}

static bool phase_user_cpu(const struct figure_row *row, double *value)
{
	const struct result_phase *phase = phase_of(row);

	*value = 1e9 * result_phase_mean(phase, phase->figures.client_cpu.user_s);
	return true;
}

static bool phase_system_cpu(const struct figure_row *row, double *value)
{
	const struct result_phase *phase = phase_of(row);

	*value = 1e9 * result_phase_mean(phase, phase->figures.client_cpu.system_s);
	return true;
}

static void print_phases(bool paced, const struct result_figures *figures, FILE *stream)
{
	static const struct figure_column columns[] = {
		{.heading = "ops", .form = FIGURE_COUNT, .value = phase_ops, .is_optional = true},
		{.heading = "bytes",
		 .form = FIGURE_BYTES,
		 .value = phase_bytes,
		 .is_optional = true},
		{.heading = "elapsed", .form = FIGURE_TIME, .value = phase_elapsed},
		{.heading = "min",
		 .form = FIGURE_TIME,
		 .value = phase_user_min,
		 .is_optional = true},
		{.heading = "max",
		 .form = FIGURE_TIME,
		 .value = phase_user_max,
		 .is_optional = true},
		{.heading = "user", .form = FIGURE_TIME, .value = phase_user_cpu},
		{.heading = "system", .form = FIGURE_TIME, .value = phase_system_cpu},
		{.metric = "mb_per_s", .is_optional = true},
		{.metric = "ops_per_s"},
		{.metric = "mean", .is_response = true},
		{.metric = "p99"},
		{.metric = "mismatches", .is_optional = true},
	};
	size_t count = figures->phase_count, i;
	struct figure_row *rows = calloc(count + 1, sizeof(*rows));

	for (i = 0; rows != NULL && i < count; i++)
		rows[i] = (struct figure_row){
			.name = figures->phases[i].name,
			.figures = &figures->phases[i].figures,
			.measurements = 1,
		};
	if (rows != NULL) {
		fputc('\n', stream);
		figure_table("phase", false, paced, columns, LENGTH(columns), rows, count, stream);
	}
	free(rows);
}

void text_phases(bool paced, const struct result_figures *figures, FILE *stream)
{
	size_t i;

	if (figures->phase_count > 0)
		print_phases(paced, figures, stream);
	for (i = 0; i < figures->load_count; i++) {
		const struct result_load *load = &figures->loads[i];

		if (load->figures.phase_count == 0)
			continue;
		text_load_title(load, stream);
		print_phases(paced, &load->figures, stream);
	}
}

/* A column of a table of rates: a phase of the load. */
struct rate_column {
	const char *phase; /* its name, owned by the result */
	bool moves_data;   /* at any point */
	char heading[FIGURE_TEXT], metric[METRIC_TEXT];
};

static struct rate_column *find_column(struct rate_column *columns, size_t count, const char *phase)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(columns[i].phase, phase) == 0)
			return &columns[i];
	return NULL;
}

/* Return a point's figures of one of its loads, or NULL. If the run has only
 * one load, they are those of the point. */
static const struct result_figures *figures_of(const struct result_point *point, size_t load)
{
	const struct result_figures *figures = &point->figures;

	if (!result_is_valid(point))
		return NULL;
	if (load < figures->load_count)
		return &figures->loads[load].figures;
	return load == 0 ? figures : NULL;
}

/*
 * List the phases that the load has at any valid point; there may be different
 * ones. Return their number. A file may have longer names than any load; leave
 * these phases out. If memory is short, return 0. The caller frees *columns.
 */
static size_t list_columns(const struct result *result, size_t load, struct rate_column **columns)
{
	const struct result_figures *figures;
	size_t count = 0, i, j;

	for (i = 0; i < result->point_count; i++) {
		figures = figures_of(&result->points[i], load);
		count += figures != NULL ? figures->phase_count : 0;
	}
	*columns = calloc(count + 1, sizeof(**columns));
	count = 0;
	for (i = 0; *columns != NULL && i < result->point_count; i++) {
		figures = figures_of(&result->points[i], load);
		for (j = 0; figures != NULL && j < figures->phase_count; j++) {
			const struct result_phase *phase = &figures->phases[j];
			struct rate_column *column = find_column(*columns, count, phase->name);

			if (strlen(phase->name) >= FIGURE_TEXT)
				continue;
			if (column == NULL)
				column = &(*columns)[count++];
			column->phase = phase->name;
			column->moves_data |= phase->figures.bytes > 0;
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
		snprintf(column->metric, sizeof(column->metric), "phase.%s.%s", column->phase,
			 moving ? "mb_per_s" : "ops_per_s");
		list[chosen++] = (struct figure_column){
			.metric = column->metric,
			.heading = column->heading,
		};
	}
	return chosen;
}

/* List a row for each valid point. Return their number. */
static size_t list_rows(const struct result *result, size_t load, struct figure_row *rows)
{
	size_t count = 0, i;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		const struct result_figures *figures = figures_of(point, load);
		char *name;

		if (figures == NULL)
			continue;
		name = axes_row_name(&result->run, point);
		if (name != NULL)
			rows[count++] = (struct figure_row){
				.name = name,
				.figures = figures,
				.measurements = point->repeat_count,
			};
	}
	return count;
}

/* Write the title of a table of rates. If the run has several loads, it has the
 * name of the load. */
static void print_title(const struct result *result, size_t load, bool moving, FILE *stream)
{
	size_t count;
	const struct result_loadfile *files = result_loadfiles(&result->run, &count);

	fprintf(stream, "\n%s by phase", moving ? rate_unit() : "ops/s");
	if (count > 1 && load < count) {
		fputs(" of ", stream);
		escape_text(files[load].name, stream);
	}
	fputc('\n', stream);
}

/* Write the tables of one load. */
static void print_rates(const struct result *result, size_t load, FILE *stream)
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
		print_title(result, load, i == 0, stream);
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
	size_t loads, i;

	if (result->point_count == 1 && result->points[0].repeat_count == 1)
		return;
	result_loadfiles(&result->run, &loads);
	for (i = 0; i < loads; i++)
		print_rates(result, i, stream);
}
