/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"

#include "base/clock.h"
#include "base/units.h"
#include "report/axes.h"
#include "report/describe.h"
#include "report/escape.h"
#include "result/metric.h"
#include "result/variant.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The width at which lines are folded, and the width of their labels. */
enum { LINE_COLUMNS = 80, LABEL_COLUMNS = 9 };

/* Print the time that a run of several measurements takes. It is unknown with
 * --loops, and of no interest after the run (max_ns is 0). */
static void print_total(const struct result_run *run, uint64_t max_ns,
			FILE *stream)
{
	uint64_t count = (uint64_t)run->user_count_count * variant_count(run) *
			 (run->pairs > 0 ? 2 * run->pairs : run->repeats);
	uint64_t each_ns = phases_total_ns(&run->phases);
	uint64_t total_ns, settle_ns;
	char text[UNITS_TEXT];

	if (run->phases.loops > 0 || count < 2 || max_ns == 0)
		return;
	if (__builtin_mul_overflow(count, each_ns, &total_ns) ||
	    __builtin_mul_overflow(count - 1, run->phases.settle_ns,
				   &settle_ns) ||
	    __builtin_add_overflow(total_ns, settle_ns, &total_ns))
		total_ns = UINT64_MAX;
	fprintf(stream, "total    %" PRIu64 " measurements", count);
	if (run->pairs > 0)
		fprintf(stream, " in %u pairs", run->pairs);
	fprintf(stream, ": %s at most%s\n",
		units_print_duration(total_ns < max_ns ? total_ns : max_ns,
				     text),
		total_ns < max_ns ? ", plus set-up and clean-up" : "");
}

/* Where to print lines, and the label for lines about targets. */
struct lines {
	FILE *stream;
	const char *target;
};

static void print_line(void *context, const char *name, const char *text)
{
	const struct lines *lines = context;

	text_folded(strcmp(name, "target") == 0 ? lines->target : name, text,
		    lines->stream);
}

static void print_version(const struct result_run *run, FILE *stream)
{
	fputs("throng ", stream);
	escape_text(run->version, stream);
	fputc('\n', stream);
}

void text_header(const struct result_run *run, uint64_t max_ns, FILE *stream)
{
	struct lines lines = {stream, "target"};

	print_version(run, stream);
	describe_run(run, DESCRIBE_LOAD | DESCRIBE_TARGETS | DESCRIBE_PLAN,
		     print_line, &lines);
	print_total(run, max_ns, stream);
	fputc('\n', stream);
}

void text_headers(const struct result_run *base, const struct result_run *new,
		  uint64_t max_ns, FILE *stream)
{
	struct lines lines = {stream, "base"};

	print_version(base, stream);
	describe_run(base, DESCRIBE_LOAD | DESCRIBE_TARGETS, print_line,
		     &lines);
	lines.target = "new";
	describe_run(new, DESCRIBE_TARGETS, print_line, &lines);
	describe_run(base, DESCRIBE_PLAN, print_line, &lines);
	print_total(base, max_ns, stream);
	fputc('\n', stream);
}

/* A column of a table: a metric and its format. */
struct column {
	const char *metric;
	int width;
	int decimals;     /* FIT: 1 to 4 decimals, as many as fit */
	const char *unit; /* printed after each value */
};

enum { FIT = -1 };

static const struct column point_columns[] = {
	{"mb_per_s", 8, 2, ""}, {"ops_per_s", 8, 0, ""},
	{"p50", 7, FIT, ""}, {"p95", 7, FIT, ""}, {"p99", 7, FIT, ""},
	{"max", 8, FIT, ""}, {"mismatches", 6, 0, ""},
	{"cpu", 3, 0, "%"}, {"cpu_per_op", 6, 1, ""},
};

static const struct column operation_columns[] = {
	{"mean", 7, 4, ""}, {"p50", 8, FIT, ""}, {"p99", 8, FIT, ""},
	{"max", 8, FIT, ""}, {"mismatches", 6, 0, ""},
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void print_headings(const struct column *column, size_t count,
			   FILE *stream)
{
	char heading[METRIC_TEXT];

	for (; count > 0; count--, column++) {
		struct metric metric = metric_named(column->metric);

		fprintf(stream, " %*s",
			column->width + (int)strlen(column->unit),
			metric_heading(&metric, heading));
	}
	fputc('\n', stream);
}

/* Return the number of decimals with which a value fits into `width` columns. */
static int fit_decimals(double value, int width)
{
	double bound;
	int decimals = 4;

	for (bound = pow(10, width - 5); decimals > 1 && value >= bound;
	     bound *= 10)
		decimals--;
	return decimals;
}

/* Print the values of an operation or, if it is NULL, of all operations
 * together. */
static void print_values(const struct column *column, size_t count,
			 const struct result_figures *figures,
			 const struct result_operation *operation, FILE *stream)
{
	double value;

	for (; count > 0; count--, column++) {
		struct metric metric = metric_named(column->metric);

		if (metric_value_of(&metric, figures, operation, &value))
			fprintf(stream, " %*.*f%s", column->width,
				column->decimals == FIT
					? fit_decimals(value, column->width)
					: column->decimals,
				value, column->unit);
		else
			fprintf(stream, " %*s%*s", column->width, "-",
				(int)strlen(column->unit), "");
	}
}

void text_heading(const struct result_run *run, FILE *stream)
{
	fputs("users", stream);
	axes_headings(run, stream);
	print_headings(point_columns, LENGTH(point_columns), stream);
}

static void print_place(const struct result *result,
			const struct result_point *point, FILE *stream)
{
	fprintf(stream, "%5u", point->users);
	axes_values(&result->run, point->set, point->set_count, stream);
}

static void print_invalid(const struct result_reasons *invalid,
			  const struct result_figures *figures, FILE *stream)
{
	char ops[UNITS_TEXT], bytes[UNITS_TEXT];
	size_t i;

	fputs(" not valid: ", stream);
	for (i = 0; i < invalid->count; i++) {
		fputs(i > 0 ? "; " : "", stream);
		escape_text(invalid->texts[i], stream);
	}
	fprintf(stream, " (%s operations and %s were counted)\n",
		units_print_count(figures->ops, ops),
		units_print_bytes(figures->bytes, bytes));
}

static void print_figures(const struct result_figures *figures, FILE *stream)
{
	print_values(point_columns, LENGTH(point_columns), figures, NULL,
		     stream);
}

void text_repeat(const struct result *result,
		 const struct result_repeat *repeat, FILE *stream)
{
	const struct result_point *point =
		result_find_point(result, repeat->variant, repeat->users);

	print_place(result, point, stream);
	if (result_repeat_is_valid(repeat)) {
		print_figures(&repeat->figures, stream);
		fputc('\n', stream);
	} else {
		print_invalid(&repeat->invalid, &repeat->figures, stream);
	}
}

void text_point(const struct result *result, const struct result_point *point,
		FILE *stream)
{
	print_place(result, point, stream);
	print_figures(&point->figures, stream);
}

static int by_time(const void *a, const void *b)
{
	const struct result_operation *one = *(void *const *)a;
	const struct result_operation *other = *(void *const *)b;

	return (one->sum_ns < other->sum_ns) - (one->sum_ns > other->sum_ns);
}

static void print_operation(const struct result_figures *figures,
			    const struct result_operation *operation,
			    uint64_t all_ns, FILE *stream)
{
	char *name = escape_text_copy(operation->name);

	fprintf(stream, "%-22s %8" PRIu64 " %5.1f%%", name != NULL ? name : "",
		operation->count,
		all_ns > 0 ? 100 * (double)operation->sum_ns / (double)all_ns
			   : 0.0);
	print_values(operation_columns, LENGTH(operation_columns), figures,
		     operation, stream);
	fputc('\n', stream);
	free(name);
}

void text_operations(const struct result_figures *figures, FILE *stream)
{
	struct result_operation **order;
	uint64_t all_ns = 0;
	size_t i;

	order = calloc(figures->operation_count + 1, sizeof(*order));
	if (order == NULL)
		return;
	for (i = 0; i < figures->operation_count; i++) {
		order[i] = &figures->operations[i];
		all_ns += order[i]->sum_ns;
	}
	qsort(order, figures->operation_count, sizeof(*order), by_time);
	fprintf(stream, "\n%-22s %8s %6s", "operation", "count", "time");
	print_headings(operation_columns, LENGTH(operation_columns), stream);
	for (i = 0; i < figures->operation_count; i++)
		print_operation(figures, order[i], all_ns, stream);
	fputc('\n', stream);
	free(order);
}

/* Return the length of a text's first word. If this is a number, include the
 * unit after it, as a line must not end between them. */
static size_t unit_length(const char *text)
{
	size_t length = strcspn(text, " ");
	bool number = isdigit((unsigned char)text[text[0] == '(']) &&
		      isdigit((unsigned char)text[length - 1]);

	if (number && text[length] == ' ')
		length += 1 + strcspn(&text[length + 1], " ");
	return length;
}

void text_folded(const char *label, const char *text, FILE *stream)
{
	char *escaped = escape_text_copy(text);
	size_t column = LABEL_COLUMNS;
	const char *word = escaped;

	fprintf(stream, "%-*s", LABEL_COLUMNS, label);
	for (; word != NULL && *word != '\0'; word += strspn(word, " ")) {
		size_t length = unit_length(word);

		if (column > LABEL_COLUMNS &&
		    column + 1 + length > LINE_COLUMNS) {
			fprintf(stream, "\n%*s", LABEL_COLUMNS, "");
			column = LABEL_COLUMNS;
		} else if (column > LABEL_COLUMNS) {
			fputc(' ', stream);
			column++;
		}
		fprintf(stream, "%.*s", (int)length, word);
		column += length;
		word += length;
	}
	fputc('\n', stream);
	free(escaped);
}

void text_line(FILE *stream, const char *label, const char *format, ...)
{
	char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	if (text != NULL)
		text_folded(label, text, stream);
	free(text);
}

static void print_reason(void *context, const char *name, const char *text)
{
	text_folded(name, text, context);
}

void text_reasons(const struct result *result, FILE *stream)
{
	bool any = false;
	size_t i;

	for (i = 0; i < result->point_count; i++)
		any |= result->points[i].warnings.count > 0;
	if (any)
		fputc('\n', stream);
	describe_reasons(&result, NULL, 1, describe_warnings, "warning",
			 print_reason, stream);
}
