/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"

#include "report/escape.h"
#include "result/metric.h"

#include <stdio.h>
#include <string.h>

/* The columns with metrics, and the decimals of their values. */
static const struct column {
	const char *metric;
	int decimals;
} columns[] = {
	{"mb_per_s", 2}, {"ops_per_s", 0}, {"mean", 4}, {"p99", 4},
};

/* Max width of the column with the names. Longer names push a row to the
 * right. */
enum { NAME_COLUMNS = 16 };

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void print_phase(const struct result_phase *phase, int width,
			FILE *stream)
{
	const struct result_figures *figures = &phase->figures;
	double value;
	size_t i;

	escape_column(phase->name, width, stream);
	fprintf(stream, " %9.3f %7.3f %7.3f %7.3f %7.3f", phase->elapsed_s,
		phase->user_min_s, phase->user_max_s,
		result_phase_mean(phase, figures->client_cpu.user_s),
		result_phase_mean(phase, figures->client_cpu.system_s));
	for (i = 0; i < LENGTH(columns); i++) {
		struct metric metric = metric_named(columns[i].metric);

		if (metric_value_of(&metric, figures, NULL, &value))
			fprintf(stream, " %8.*f", columns[i].decimals, value);
		else
			fprintf(stream, " %8s", "-");
	}
	fputc('\n', stream);
}

void text_phases(const struct result_figures *figures, FILE *stream)
{
	char heading[METRIC_TEXT];
	int width = 5;
	size_t i;

	for (i = 0; i < figures->phase_count; i++) {
		int length = (int)strlen(figures->phases[i].name);

		width = length > width ? length : width;
	}
	width = width < NAME_COLUMNS ? width : NAME_COLUMNS;
	fprintf(stream, "\n%-*s %9s %7s %7s %7s %7s", width, "phase",
		"elapsed s", "min", "max", "user", "system");
	for (i = 0; i < LENGTH(columns); i++) {
		struct metric metric = metric_named(columns[i].metric);

		fprintf(stream, " %8s", metric_heading(&metric, heading));
	}
	fputc('\n', stream);
	for (i = 0; i < figures->phase_count; i++)
		print_phase(&figures->phases[i], width, stream);
	fputc('\n', stream);
}
