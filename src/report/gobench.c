/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/gobench.h"

#include "report/escape.h"
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
	const struct result_load *loads = run->variants[0].loads;
	size_t count = run->variants[0].load_count, i;

	fputs("loadfile:", stream);
	for (i = 0; i < count; i++) {
		fputc(' ', stream);
		escape_text(loads[i].name, stream);
		if (count > 1)
			fprintf(stream, ":%u", loads[i].weight);
	}
	fputs("\nloadfile-sha256:", stream);
	for (i = 0; i < count; i++) {
		fputc(' ', stream);
		if (loads[i].sha256 != NULL)
			escape_text(loads[i].sha256, stream);
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
	const struct result_target *targets = run->variants[0].targets;
	size_t target_count = run->variants[0].target_count, i;

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
	for (i = 0; i < target_count; i++) {
		fputc(' ', stream);
		escape_text(targets[i].url, stream);
	}
	fputs("\nclient:", stream);
	/* Variants may have different clients; their names say which. */
	for (i = 0; i < target_count && run->variant_count == 1; i++) {
		if (targets[i].client.name == NULL)
			continue;
		fputc(' ', stream);
		escape_text(targets[i].client.name, stream);
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

/* The names of figures, which have the units. */
static const struct {
	enum figure figure;
	const char *name;
} units[] = {
	{FIGURE_MEAN_MS, "ns/op"},    {FIGURE_P50_MS, "p50-ns/op"},
	{FIGURE_P90_MS, "p90-ns/op"}, {FIGURE_P95_MS, "p95-ns/op"},
	{FIGURE_P99_MS, "p99-ns/op"}, {FIGURE_P99_9_MS, "p99.9-ns/op"},
	{FIGURE_MAX_MS, "max-ns/op"}, {FIGURE_MB_PER_S, "MB/s"},
	{FIGURE_OPS_PER_S, "ops/s"},  {FIGURE_CPU_PER_OP_US, "cpu-ns/op"},
};

/* Print the figures. Print times in ns, which benchstat converts to seconds.
 * Leave out a rate of 0, such as the MB/s of a stat: benchstat cannot compare
 * it. */
static void print_figures(const struct record *record, FILE *stream)
{
	size_t i;

	fprintf(stream, " %.0f", record_shown(record, FIGURE_OPS));
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		double value = record_value(record, units[i].figure);
		double per_second = figure_per_second(units[i].figure);

		if (isnan(value) || (per_second == 0 && value == 0))
			continue;
		fprintf(stream, " %.12g %s", per_second > 0 ? 1e9 / per_second * value : value,
			units[i].name);
	}
	fputc('\n', stream);
}

static void print_part(const char *name, const char *value, FILE *stream)
{
	if (value == NULL)
		return;
	fprintf(stream, "/%s=", name);
	escape_benchmark(value, stream);
}

/* Print the name of a benchmark, which has the users, the values of the axes
 * and what the record is of. */
static void print_name(const struct result_run *run, const struct result_repeat *repeat,
		       const struct record_key *key, FILE *stream)
{
	size_t i;

	fprintf(stream, "BenchmarkThrong/users=%u", repeat->users);
	for (i = 0; i < run->axis_count; i++) {
		fputc('/', stream);
		escape_benchmark(run->axes[i].name, stream);
		fputc('=', stream);
		escape_benchmark(variant_value(run, repeat->variant, i), stream);
	}
	print_part("load", key->load, stream);
	print_part("phase", key->phase, stream);
	print_part("op", key->operation, stream);
}

/* Print a benchmark for each record but those of single operations of a
 * phase. */
static void print_repeat(const struct result_run *run, const struct result_repeat *repeat,
			 FILE *stream)
{
	size_t i;

	for (i = 0; i < repeat->records.count; i++) {
		const struct record *record = &repeat->records.list[i];

		if (record->key.phase != NULL && record->key.operation != NULL)
			continue;
		print_name(run, repeat, &record->key, stream);
		print_figures(record, stream);
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
