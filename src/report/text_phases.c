/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"

#include "report/figure.h"

#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Return the phase that a row's figures are part of. */
static const struct result_phase *phase_of(const struct figure_row *row)
{
	return (const void *)((const char *)row->figures -
			      offsetof(struct result_phase, figures));
}

static bool phase_elapsed(const struct figure_row *row, double *value)
{
	*value = 1e9 * phase_of(row)->elapsed_s;
	return true;
}

static bool phase_user_min(const struct figure_row *row, double *value)
{
	*value = 1e9 * phase_of(row)->user_min_s;
	return true;
}

static bool phase_user_max(const struct figure_row *row, double *value)
{
	*value = 1e9 * phase_of(row)->user_max_s;
	return true;
}

static bool phase_user_cpu(const struct figure_row *row, double *value)
{
	const struct result_phase *phase = phase_of(row);

	*value = 1e9 * result_phase_mean(phase,
					 phase->figures.client_cpu.user_s);
	return true;
}

static bool phase_system_cpu(const struct figure_row *row, double *value)
{
	const struct result_phase *phase = phase_of(row);

	*value = 1e9 * result_phase_mean(phase,
					 phase->figures.client_cpu.system_s);
	return true;
}

static void print_phases(const struct result_figures *figures, FILE *stream)
{
	static const struct figure_column columns[] = {
		{.heading = "elapsed", .form = FIGURE_TIME,
		 .value = phase_elapsed},
		{.heading = "min", .form = FIGURE_TIME,
		 .value = phase_user_min},
		{.heading = "max", .form = FIGURE_TIME,
		 .value = phase_user_max},
		{.heading = "user", .form = FIGURE_TIME,
		 .value = phase_user_cpu},
		{.heading = "system", .form = FIGURE_TIME,
		 .value = phase_system_cpu},
		{.metric = "mb_per_s", .is_optional = true},
		{.metric = "ops_per_s"},
		{.metric = "mean"},
		{.metric = "p99"},
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
		figure_table("phase", false, columns, LENGTH(columns), rows,
			     count, stream);
		fputc('\n', stream);
	}
	free(rows);
}

void text_phases(const struct result_figures *figures, FILE *stream)
{
	bool first = true;
	size_t i;

	if (figures->phase_count > 0)
		print_phases(figures, stream);
	for (i = 0; i < figures->load_count; i++) {
		const struct result_load *load = &figures->loads[i];

		if (load->figures.phase_count == 0)
			continue;
		if (first)
			fputc('\n', stream);
		first = false;
		text_load_title(load, stream);
		print_phases(&load->figures, stream);
	}
}
