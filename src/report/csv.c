/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/csv.h"

#include "report/escape.h"

#include <inttypes.h>
#include <string.h>

#define LINE_END "\r\n"

/* Whose figures a row has: a point's or a repeat's. */
struct row {
	unsigned users;
	size_t repeat; /* from 1; 0: all of them */
	bool valid;
	const struct result_figures *figures;
};

static void print_count(uint64_t count, FILE *stream)
{
	fprintf(stream, ",%" PRIu64, count);
}

/* Without zeros at the end, and never with an exponent. */
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
	fprintf(stream, ",%.*s", (int)length, text);
}

/* Nothing where it is not known. */
static void print_ms(uint64_t ns, FILE *stream)
{
	if (ns > 0)
		print_real((double)ns / 1e6, stream);
	else
		fputc(',', stream);
}

static void print_latency(const struct result_latency *latency, FILE *stream)
{
	print_real(latency->mean_ns / 1e6, stream);
	print_ms(latency->p50_ns, stream);
	print_ms(latency->p90_ns, stream);
	print_ms(latency->p95_ns, stream);
	print_ms(latency->p99_ns, stream);
	print_ms(latency->p99_9_ns, stream);
	print_ms(latency->max_ns, stream);
}

static void print_begin(const struct row *row, const char *operation,
			FILE *stream)
{
	fprintf(stream, "%u,", row->users);
	if (row->repeat == 0)
		fputs("all", stream);
	else
		fprintf(stream, "%zu", row->repeat);
	fprintf(stream, ",%s,", row->valid ? "true" : "false");
	escape_csv(operation, stream);
}

/* All operations together, and what only they have. */
static void print_all(const struct row *row, FILE *stream)
{
	const struct result_figures *figures = row->figures;

	print_begin(row, "all", stream);
	print_count(figures->ops, stream);
	print_count(figures->bytes, stream);
	print_count(figures->errors, stream);
	print_count(figures->mismatches, stream);
	print_latency(&figures->latency, stream);
	if (row->valid) {
		print_real(figures->mb_per_s, stream);
		print_real(figures->ops_per_s, stream);
	} else {
		fputs(",,", stream);
	}
	print_real(figures->seconds, stream);
	print_count(figures->skipped, stream);
	print_count(figures->loops, stream);
	print_real(figures->client_cpu.user_s, stream);
	print_real(figures->client_cpu.system_s, stream);
	print_real(figures->client_cpu.utilisation, stream);
	print_real(figures->client_cpu.per_op_us, stream);
	fputs(LINE_END, stream);
}

static void print_rows(const struct row *row, FILE *stream)
{
	size_t i;

	print_all(row, stream);
	for (i = 0; i < row->figures->operation_count; i++) {
		const struct result_operation *operation =
			&row->figures->operations[i];

		print_begin(row, operation->name, stream);
		print_count(operation->count, stream);
		print_count(operation->bytes, stream);
		print_count(operation->errors, stream);
		print_count(operation->mismatches, stream);
		print_latency(&operation->latency, stream);
		fputs(",,,,,,,,," LINE_END, stream);
	}
}

static void print_point(const struct result_point *point, FILE *stream)
{
	struct row row = {
		.users = point->users,
		.valid = result_is_valid(point),
		.figures = &point->figures,
	};
	size_t i;

	print_rows(&row, stream);
	for (i = 0; i < point->repeat_count; i++) {
		row.repeat = i + 1;
		row.valid = result_repeat_is_valid(&point->repeats[i]);
		row.figures = &point->repeats[i].figures;
		print_rows(&row, stream);
	}
}

int csv_write(const struct result *results, size_t count, FILE *stream)
{
	size_t i;

	(void)count;
	fputs("users,repeat,valid,operation,count,bytes,errors,mismatches,"
	      "mean_ms,p50_ms,p90_ms,p95_ms,p99_ms,p99_9_ms,max_ms,"
	      "mb_per_s,ops_per_s,seconds,skipped,loops,"
	      "client_user_s,client_system_s,client_utilisation,"
	      "client_per_op_us" LINE_END, stream);
	for (i = 0; i < results->point_count; i++)
		print_point(&results->points[i], stream);
	return 0;
}
