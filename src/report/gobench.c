/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/gobench.h"

#include "report/escape.h"
#include "result/schema.h"
#include "result/variant.h"

#include <inttypes.h>

/* Print a key and its value. An empty value cancels the value that an earlier
 * result in the same file gave to the key. */
static void print_key(const char *key, const char *text, FILE *stream)
{
	fprintf(stream, "%s: ", key);
	if (text != NULL)
		escape_text(text, stream);
	fputc('\n', stream);
}

/* Print the keys of the load; of several loads, print lists, the names with
 * their weights. */
static void print_loadfiles(const struct result_run *run, FILE *stream)
{
	size_t i;

	if (run->loadfile_count == 0) {
		print_key("loadfile", run->loadfile.name, stream);
		print_key("loadfile-sha256", run->loadfile.sha256, stream);
		return;
	}
	fputs("loadfile:", stream);
	for (i = 0; i < run->loadfile_count; i++) {
		fputc(' ', stream);
		escape_text(run->loadfiles[i].name, stream);
		fprintf(stream, ":%u", run->loadfiles[i].weight);
	}
	fputs("\nloadfile-sha256:", stream);
	for (i = 0; i < run->loadfile_count; i++) {
		fputc(' ', stream);
		if (run->loadfiles[i].sha256 != NULL)
			escape_text(run->loadfiles[i].sha256, stream);
	}
	fputc('\n', stream);
}

static void print_comment(const char *key, const char *text, FILE *stream)
{
	fputs("# ", stream);
	escape_text(key, stream);
	fputs(": ", stream);
	escape_text(text, stream);
	fputc('\n', stream);
}

/*
 * Print the configuration. benchstat makes a separate table for each
 * configuration, so make a key only of a value that makes figures incomparable.
 * Write the start time, the seed, the label and the notes as comments.
 */
static void print_configuration(const struct result_run *run, FILE *stream)
{
	size_t i;

	fputs("# throng ", stream);
	escape_text(run->version, stream);
	fprintf(stream, ", %s, seed %" PRIu64 "\n", run->started, run->seed);
	if (run->label[0] != '\0')
		print_comment("label", run->label, stream);
	for (i = 0; i < run->note_count; i++)
		print_comment(run->notes[2 * i], run->notes[2 * i + 1], stream);
	print_key("host", run->host, stream);
	print_loadfiles(run, stream);
	fputs("target:", stream);
	for (i = 0; i < run->target_count; i++) {
		fputc(' ', stream);
		escape_text(run->targets[i].url, stream);
	}
	fputs("\nclient:", stream);
	/* Variants may have different clients; their names say which. */
	for (i = 0; i < run->target_count && run->variant_count <= 1; i++) {
		if (run->targets[i].client.name == NULL)
			continue;
		fputc(' ', stream);
		escape_text(run->targets[i].client.name, stream);
	}
	fputs("\noptions:", stream);
	for (i = 0; i < run->option_count; i++) {
		fputc(' ', stream);
		escape_text(run->options[2 * i], stream);
		fputc('=', stream);
		escape_text(run->options[2 * i + 1], stream);
	}
	fputc('\n', stream);
}

/* Print a figure. Print times in ns, which benchstat converts to seconds. Leave
 * out a rate of 0, such as the MB/s of a stat: benchstat cannot compare it. */
static void print_figure(const struct schema_place *place, const void *record, FILE *stream)
{
	const void *at = (const char *)record + place->offset;
	const struct schema_row *row = place->row;

	if (row->figure->gobench == NULL || !schema_is_known(row, at) ||
	    (row->figure->more_is_better && !(schema_number(row, at) > 0)))
		return;
	if (row->kind == SCHEMA_TIME)
		fprintf(stream, " %" PRIu64, *(const uint64_t *)at);
	else
		fprintf(stream, " %.12g",
			schema_in_unit(row, at) * (row->unit_ns > 0 ? row->unit_ns : 1));
	fprintf(stream, " %s", row->figure->gobench);
}

static void print_figures(const struct schema_row *rows, const void *record, FILE *stream)
{
	struct schema_place places[SCHEMA_PLACES];
	size_t count = schema_list_columns(rows, places), i;

	for (i = 0; i < count; i++)
		print_figure(&places[i], record, stream);
	fputc('\n', stream);
}

/* A benchmark: a repeat, or the users of a repeat that play one load. */
struct benchmark {
	const struct result_run *run;
	const struct result_repeat *repeat;
	const char *load; /* the name of the load; NULL: all users */
	const struct result_figures *figures;
};

/* Print the name of a benchmark, which has the users, the values of the axes
 * and the load. */
static void print_name(const struct benchmark *benchmark, FILE *stream)
{
	const struct result_run *run = benchmark->run;
	size_t i;

	fprintf(stream, "BenchmarkThrong/users=%u", benchmark->repeat->users);
	for (i = 0; i < run->axis_count; i++) {
		fputc('/', stream);
		escape_benchmark(run->axes[i].name, stream);
		fputc('=', stream);
		escape_benchmark(variant_value(run, benchmark->repeat->variant, i), stream);
	}
	if (benchmark->load == NULL)
		return;
	fputs("/load=", stream);
	escape_benchmark(benchmark->load, stream);
}

static void print_lines(const struct benchmark *benchmark, FILE *stream)
{
	const struct result_figures *figures = benchmark->figures;
	size_t i;

	print_name(benchmark, stream);
	fprintf(stream, " %" PRIu64, figures->ops);
	print_figures(schema_figures, figures, stream);
	for (i = 0; i < figures->phase_count; i++) {
		const struct result_phase *phase = &figures->phases[i];

		print_name(benchmark, stream);
		fputs("/phase=", stream);
		escape_benchmark(phase->name, stream);
		fprintf(stream, " %" PRIu64, phase->figures.ops);
		print_figures(schema_phase, phase, stream);
	}
	for (i = 0; i < figures->operation_count; i++) {
		const struct result_operation *operation = &figures->operations[i];

		print_name(benchmark, stream);
		fputs("/op=", stream);
		escape_benchmark(operation->name, stream);
		fprintf(stream, " %" PRIu64, operation->count);
		print_figures(schema_operation, operation, stream);
	}
}

static void print_repeat(const struct result_run *run, const struct result_repeat *repeat,
			 FILE *stream)
{
	struct benchmark benchmark = {
		.run = run,
		.repeat = repeat,
		.figures = &repeat->figures,
	};
	size_t i;

	print_lines(&benchmark, stream);
	for (i = 0; i < repeat->figures.load_count; i++) {
		benchmark.load = repeat->figures.loads[i].name;
		benchmark.figures = &repeat->figures.loads[i].figures;
		print_lines(&benchmark, stream);
	}
}

int gobench_write(const struct result *results, size_t count, FILE *stream)
{
	size_t i, j, k;

	fputs("Unit ops/s better=higher\n", stream);
	for (i = 0; i < count; i++) {
		fputc('\n', stream);
		print_configuration(&results[i].run, stream);
		fputc('\n', stream);
		for (j = 0; j < results[i].point_count; j++) {
			const struct result_point *point = &results[i].points[j];

			for (k = 0; k < point->repeat_count; k++)
				if (result_repeat_is_valid(&point->repeats[k]))
					print_repeat(&results[i].run, &point->repeats[k], stream);
		}
	}
	return 0;
}
