/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures of each load, if a run has several, and the operations of loads
 * and phases.
 */
#include "text/text.h"

#include "base/units.h"
#include "report/escape.h"
#include "result/variant.h"

#include <stdlib.h>

/* Write a row for each load of a point, with the load's users and its name. */
static void print_point(const struct result_run *run, const struct result_point *point,
			FILE *stream)
{
	/* The title has the values of the axes, so the table has no columns
	 * for them. */
	const struct result no_axes = {.run.paced = run->paced};
	const struct result_figures *figures = &point->figures;
	char place[VARIANT_TEXT], *title;
	size_t i;

	title = escape_text_copy(variant_print_point(point, place));
	fprintf(stream, "\n%s, by load\n", title != NULL ? title : "");
	free(title);
	text_heading(&no_axes.run, stream);
	for (i = 0; i < figures->load_count; i++) {
		const struct result_point row = {
			.users = figures->loads[i].users,
			.figures = figures->loads[i].figures,
		};

		text_point(&no_axes, &row, stream);
		fputs("  ", stream);
		escape_text(figures->loads[i].name, stream);
		fputc('\n', stream);
	}
}

void text_loads(const struct result *result, FILE *stream)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		if (result_is_valid(&result->points[i]) && result->points[i].figures.load_count > 0)
			print_point(&result->run, &result->points[i], stream);
}

void text_load_title(const struct result_load *load, FILE *stream)
{
	fputc('\n', stream);
	escape_text(load->name, stream);
	fprintf(stream, ", %u %s:", load->users, units_plural(load->users, "user", "users"));
}

void text_operations(bool paced, const struct result_figures *figures, FILE *stream)
{
	size_t i;

	text_operation_table(paced, figures, stream);
	for (i = 0; i < figures->phase_count; i++) {
		/* A single operation has the figures of its phase. */
		if (figures->phases[i].figures.operation_count < 2)
			continue;
		fputs("\nphase ", stream);
		escape_text(figures->phases[i].name, stream);
		fputc(':', stream);
		text_operation_table(paced, &figures->phases[i].figures, stream);
	}
	for (i = 0; i < figures->load_count; i++) {
		const struct result_load *load = &figures->loads[i];

		text_load_title(load, stream);
		text_operations(paced, &load->figures, stream);
	}
}
