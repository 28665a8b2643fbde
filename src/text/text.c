/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text/text.h"

#include "base/clock.h"
#include "base/units.h"
#include "report/describe.h"
#include "doc/escape.h"
#include "report/figure.h"
#include "text/axes.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The width at which lines are folded, and the width of their labels. */
enum { LINE_COLUMNS = 80, LABEL_COLUMNS = 9 };

/* Print the time that a run of several measurements takes. It is unknown with
 * --loops, and of no interest after the run (max_ns is 0). */
static void print_total(const struct result_run *run, uint64_t max_ns, FILE *stream)
{
	uint64_t count = (uint64_t)run->user_count_count * run->variant_count *
			 (run->pairs > 0 ? 2 * run->pairs : run->repeats);
	uint64_t each_ns = phases_total_ns(&run->phases);
	uint64_t total_ns, settle_ns;
	char text[UNITS_TEXT];

	if (run->phases.loops > 0 || count < 2 || max_ns == 0)
		return;
	if (__builtin_mul_overflow(count, each_ns, &total_ns) ||
	    __builtin_mul_overflow(count - 1, run->phases.settle_ns, &settle_ns) ||
	    __builtin_add_overflow(total_ns, settle_ns, &total_ns))
		total_ns = UINT64_MAX;
	fprintf(stream, "total    %" PRIu64 " measurements", count);
	if (run->pairs > 0)
		fprintf(stream, " in %u pairs", run->pairs);
	fprintf(stream, ": %s at most%s\n",
		units_print_duration(total_ns < max_ns ? total_ns : max_ns, text),
		total_ns < max_ns ? ", plus set-up and clean-up" : "");
}

/* Where to print lines, and the heading of lines about targets. In a
 * comparison, it is also the heading of the side's label. */
struct lines {
	FILE *stream;
	const char *target, *label;
};

static void print_line(void *context, const char *name, const char *text)
{
	const struct lines *lines = context;

	if (strcmp(name, "target") == 0)
		name = lines->target;
	else if (strcmp(name, "label") == 0)
		name = lines->label;
	text_folded(name, text, lines->stream);
}

static void print_version(const struct result_run *run, FILE *stream)
{
	fputs("throng ", stream);
	escape_text(run->version, stream);
	fputc('\n', stream);
}

void text_header(const struct result_run *run, uint64_t max_ns, FILE *stream)
{
	struct lines lines = {stream, "target", "label"};

	print_version(run, stream);
	describe_run(run, DESCRIBE_ALL & ~DESCRIBE_ORIGIN, print_line, &lines);
	print_total(run, max_ns, stream);
}

void text_headers(const struct result_run *base, const struct result_run *new, uint64_t max_ns,
		  FILE *stream)
{
	struct lines lines = {stream, "base", "base"};

	print_version(base, stream);
	describe_run(base, DESCRIBE_NOTES | DESCRIBE_LOAD, print_line, &lines);
	describe_run(base, DESCRIBE_LABEL | DESCRIBE_TARGETS, print_line, &lines);
	lines.target = lines.label = "new";
	describe_run(new, DESCRIBE_LABEL | DESCRIBE_TARGETS, print_line, &lines);
	describe_run(base, DESCRIBE_PLAN, print_line, &lines);
	print_total(base, max_ns, stream);
}

static const struct figure_column point_columns[] = {
	{.figure = FIGURE_MB_PER_S, .width = 8},
	{.figure = FIGURE_OPS_PER_S, .width = 8},
	{.figure = FIGURE_P50_MS, .is_response = true},
	{.figure = FIGURE_P95_MS},
	{.figure = FIGURE_P99_MS},
	{.figure = FIGURE_MAX_MS},
	{.figure = FIGURE_MISMATCHES},
	{.figure = FIGURE_CPU_SHARE, .width = 4},
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

void text_heading(const struct result_run *run, FILE *stream)
{
	fputs("users", stream);
	axes_headings(run, stream);
	figure_headings(point_columns, LENGTH(point_columns), run->paced, stream);
	fputc('\n', stream);
}

static void print_place(const struct result *result, const struct result_point *point, FILE *stream)
{
	fprintf(stream, "%5u", point->users);
	axes_values(&result->run, point->set, point->set_count, stream);
}

static void print_invalid(const struct notices *invalid, const struct record *total, FILE *stream)
{
	char ops[UNITS_TEXT], bytes[UNITS_TEXT];
	size_t i;

	fputs(" not valid: ", stream);
	for (i = 0; i < invalid->count; i++) {
		char *text = notice_text(&invalid->list[i]);

		fputs(i > 0 ? "; " : "", stream);
		escape_text(text != NULL ? text : "", stream);
		free(text);
	}
	fprintf(stream, " (%s operations and %s were counted)\n",
		units_print_count((uint64_t)record_shown(total, FIGURE_OPS), ops),
		units_print_bytes((uint64_t)record_shown(total, FIGURE_BYTES), bytes));
}

void text_figures(const struct result_run *run, const struct record *record, FILE *stream)
{
	const struct figure_row row = {.record = record};

	figure_values(point_columns, LENGTH(point_columns), run->paced, &row, stream);
}

void text_repeat(const struct result *result, const struct result_repeat *repeat, FILE *stream)
{
	const struct result_point *point = result_find_point(result, repeat->variant,
							     repeat->users);
	const struct record *total = records_total(&repeat->records);

	print_place(result, point, stream);
	if (result_repeat_is_valid(repeat)) {
		text_figures(&result->run, total, stream);
		fputc('\n', stream);
	} else {
		print_invalid(&repeat->invalid, total, stream);
	}
}

void text_point(const struct result *result, const struct result_point *point, FILE *stream)
{
	print_place(result, point, stream);
	text_figures(&result->run, records_total(&point->records), stream);
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

		if (column > LABEL_COLUMNS && column + 1 + length > LINE_COLUMNS) {
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

void text_notices(const struct notices *warnings, FILE *stream)
{
	size_t i;

	if (warnings->count > 0)
		fputc('\n', stream);
	for (i = 0; i < warnings->count; i++) {
		char *text = notice_text(&warnings->list[i]);

		if (text != NULL)
			text_folded("warning", text, stream);
		free(text);
	}
}

void text_warnings(const struct result *result, FILE *stream)
{
	struct notices warnings = {0};

	describe_notices(&result, NULL, 1, describe_warnings, &warnings);
	text_notices(&warnings, stream);
	notices_free(&warnings);
}
