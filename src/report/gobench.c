/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/gobench.h"

#include "report/escape.h"

#include <inttypes.h>

/* A key without a value takes away what an earlier result gave it. */
static void print_key(const char *key, const char *text, FILE *stream)
{
	fprintf(stream, "%s: ", key);
	if (text != NULL)
		escape_text(text, stream);
	fputc('\n', stream);
}

/*
 * Only what makes figures incomparable, as benchstat makes a table for each
 * configuration: neither time nor seed.
 */
static void print_configuration(const struct result_run *run, FILE *stream)
{
	size_t i;

	fprintf(stream, "# throng %s, %s, seed %" PRIu64 "\n", run->version,
		run->started, run->seed);
	print_key("host", run->host, stream);
	print_key("loadfile", run->loadfile.name, stream);
	print_key("loadfile-sha256", run->loadfile.sha256, stream);
	fputs("target:", stream);
	for (i = 0; i < run->target_count; i++) {
		fputc(' ', stream);
		escape_text(run->targets[i].url, stream);
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

/* Units of time are ns, which benchstat turns into seconds. */
static void print_time(uint64_t ns, const char *what, FILE *stream)
{
	if (ns > 0)
		fprintf(stream, " %" PRIu64 " %s-ns/op", ns, what);
}

static void print_latency(const struct result_latency *latency, FILE *stream)
{
	fprintf(stream, " %.12g ns/op", latency->mean_ns);
	print_time(latency->p50_ns, "p50", stream);
	print_time(latency->p90_ns, "p90", stream);
	print_time(latency->p95_ns, "p95", stream);
	print_time(latency->p99_ns, "p99", stream);
	print_time(latency->p99_9_ns, "p99.9", stream);
	print_time(latency->max_ns, "max", stream);
}

static void print_repeat(const struct result_repeat *repeat, FILE *stream)
{
	const struct result_figures *figures = &repeat->figures;
	size_t i;

	fprintf(stream, "BenchmarkThrong/users=%u %" PRIu64, repeat->users,
		figures->ops);
	print_latency(&figures->latency, stream);
	fprintf(stream, " %.12g MB/s %.12g ops/s %.12g cpu-ns/op\n",
		figures->mb_per_s, figures->ops_per_s,
		1000 * figures->client_cpu.per_op_us);
	for (i = 0; i < figures->operation_count; i++) {
		const struct result_operation *operation =
			&figures->operations[i];

		fprintf(stream, "BenchmarkThrong/users=%u/op=", repeat->users);
		escape_benchmark(operation->name, stream);
		fprintf(stream, " %" PRIu64, operation->count);
		print_latency(&operation->latency, stream);
		fputc('\n', stream);
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
			const struct result_point *point =
				&results[i].points[j];

			for (k = 0; k < point->repeat_count; k++)
				if (result_repeat_is_valid(&point->repeats[k]))
					print_repeat(&point->repeats[k],
						     stream);
		}
	}
	return 0;
}
