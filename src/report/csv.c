/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/csv.h"

#include "report/escape.h"
#include "result/schema.h"
#include "result/variant.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE_END "\r\n"

/* The columns for figures. A line describes all operations together, a single
 * one, or a phase of the load; each figure has a place in these records. */
struct columns {
	struct schema_place of_all[SCHEMA_PLACES];
	struct schema_place of_phases[SCHEMA_PLACES];
	struct schema_place of_operations[SCHEMA_PLACES];
	size_t count;
	bool has_loads; /* the result has several loads */
	/* The axes have a column each. */
	const struct result_run *run;
	FILE *stream;
};

/* Print the names of the columns for the label and the notes, if there are
 * any. */
static void print_note_names(const struct result_run *run, FILE *stream)
{
	size_t i;

	if (run->label[0] != '\0')
		fputs(",label", stream);
	for (i = 0; i < run->note_count; i++) {
		char *name;

		fputc(',', stream);
		if (asprintf(&name, "note:%s", run->notes[2 * i]) < 0)
			continue;
		escape_csv(name, stream);
		free(name);
	}
}

static void print_notes(const struct result_run *run, FILE *stream)
{
	size_t i;

	if (run->label[0] != '\0') {
		fputc(',', stream);
		escape_csv(run->label, stream);
	}
	for (i = 0; i < run->note_count; i++) {
		fputc(',', stream);
		escape_csv(run->notes[2 * i + 1], stream);
	}
}

/* The values that are the same in all lines of a point or of a repeat. */
struct line {
	unsigned users;
	size_t variant;
	size_t repeat; /* its number, from 1; 0: the point as a whole */
	bool valid;
	const char *load;    /* "all", or the name of the load */
	unsigned load_users; /* number of users that play it */
	const struct result_figures *figures;
};

/* Print a number without trailing zeros, and never with an exponent. */
static void print_real(double value, FILE *stream)
{
	char text[400];
	size_t length;

	snprintf(text, sizeof(text), "%.9f", value);
	length = strlen(text);
	while (text[length - 1] == '0')
		length--;
	if (text[length - 1] == '.')
		length--;
	fprintf(stream, "%.*s", (int)length, text);
}

/* Print a figure, or nothing if the record does not have it or if its value is
 * unknown. */
static void print_figure(const struct schema_place *place, const void *record, bool valid,
			 FILE *stream)
{
	const void *at = (const char *)record + place->offset;
	const struct schema_row *row = place->row;

	if (row == NULL || !schema_is_known(row, at) ||
	    (row->presence == SCHEMA_IF_VALID && !valid))
		return;
	if (row->kind == SCHEMA_COUNT)
		fprintf(stream, "%" PRIu64, *(const uint64_t *)at);
	else
		print_real(schema_in_unit(row, at), stream);
}

static void print_line(const struct columns *columns, const struct line *line,
		       const char *operation, const struct schema_place *places, const void *record)
{
	FILE *stream = columns->stream;
	size_t i;

	fprintf(stream, "%u,", line->users);
	for (i = 0; i < columns->run->axis_count; i++) {
		escape_csv(variant_value(columns->run, line->variant, i), stream);
		fputc(',', stream);
	}
	if (line->repeat == 0)
		fputs("all", stream);
	else
		fprintf(stream, "%zu", line->repeat);
	fprintf(stream, ",%s,", line->valid ? "true" : "false");
	escape_csv(operation, stream);
	for (i = 0; i < columns->count; i++) {
		fputc(',', stream);
		print_figure(&places[i], record, line->valid, stream);
	}
	if (columns->has_loads) {
		fputc(',', stream);
		escape_csv(line->load, stream);
		fprintf(stream, ",%u", line->load_users);
	}
	print_notes(columns->run, stream);
	fputs(LINE_END, stream);
}

/* Print the line of a phase. No operation has such a name, as it has a
 * blank. */
static void print_phase(const struct columns *columns, const struct line *line,
			const struct result_phase *phase)
{
	char *name;

	if (asprintf(&name, "PHASE %s", phase->name) < 0)
		return;
	print_line(columns, line, name, columns->of_phases, phase);
	free(name);
}

/* Print a line for all operations together, then one for each phase and for
 * each operation. */
static void print_lines(const struct columns *columns, const struct line *line)
{
	const struct result_figures *figures = line->figures;
	size_t i;

	print_line(columns, line, "all", columns->of_all, figures);
	for (i = 0; i < figures->phase_count; i++)
		print_phase(columns, line, &figures->phases[i]);
	for (i = 0; i < figures->operation_count; i++)
		print_line(columns, line, figures->operations[i].name, columns->of_operations,
			   &figures->operations[i]);
}

/* Print the lines of all loads together, then those of each load. */
static void print_loads(const struct columns *columns, const struct line *all)
{
	struct line line = *all;
	size_t i;

	print_lines(columns, all);
	for (i = 0; i < all->figures->load_count; i++) {
		const struct result_load *load = &all->figures->loads[i];

		line.load = load->name;
		line.load_users = load->users;
		line.figures = &load->figures;
		print_lines(columns, &line);
	}
}

static void print_point(const struct columns *columns, const struct result_point *point)
{
	struct line line = {
		.users = point->users,
		.variant = point->variant,
		.valid = result_is_valid(point),
		.load = "all",
		.load_users = point->users,
		.figures = &point->figures,
	};
	size_t i;

	print_loads(columns, &line);
	for (i = 0; i < point->repeat_count; i++) {
		line.repeat = i + 1;
		line.valid = result_repeat_is_valid(&point->repeats[i]);
		line.figures = &point->repeats[i].figures;
		print_loads(columns, &line);
	}
}

static bool has_phases(const struct result *result)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		if (result_has_phases(&result->points[i].figures))
			return true;
	return false;
}

int csv_write(const struct result *results, size_t count, FILE *stream)
{
	struct columns columns = {
		.has_loads = results->run.loadfile_count > 0,
		.run = &results->run,
		.stream = stream,
	};
	size_t i;

	columns.count = schema_list_columns(has_phases(results) ? schema_phase : schema_figures,
					    columns.of_phases);
	fputs("users,", stream);
	for (i = 0; i < results->run.axis_count; i++) {
		escape_csv(results->run.axes[i].name, stream);
		fputc(',', stream);
	}
	fputs("repeat,valid,operation", stream);
	for (i = 0; i < columns.count; i++) {
		const struct schema_figure *figure = columns.of_phases[i].row->figure;

		columns.of_all[i] = schema_find_figure(schema_figures, figure);
		columns.of_operations[i] = schema_find_figure(schema_operation, figure);
		fprintf(stream, ",%s", figure->csv);
	}
	if (columns.has_loads)
		fputs(",load,load_users", stream);
	print_note_names(&results->run, stream);
	fputs(LINE_END, stream);
	for (i = 0; i < results->point_count; i++)
		print_point(&columns, &results->points[i]);
	return 0;
}
