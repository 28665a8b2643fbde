/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/model/conversion.h"

#include "base/array.h"
#include "base/units.h"
#include "base/utf8.h"
#include "capture/capture.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const char *const row_names[CONVERSION_ROWS] = {
	[CONVERSION_ELSEWHERE] = "elsewhere",
	[CONVERSION_MERGED] = "merged",
	[CONVERSION_CONVERTED] = "converted",
	[CONVERSION_APPROXIMATED] = "approximated",
	[CONVERSION_DROPPED] = "dropped",
};
/* clang-format on */

enum {
	REASONS = 34, /* column of the reasons */
	COLUMNS = 80, /* max width */
};

/* The order in which rows are printed. */
static const enum conversion_row printed[] = {
	CONVERSION_CONVERTED,
	CONVERSION_APPROXIMATED,
	CONVERSION_MERGED,
	CONVERSION_DROPPED,
};

/* Rows that have reasons. */
static bool has_reason(enum conversion_row row)
{
	return row != CONVERSION_CONVERTED && row != CONVERSION_ELSEWHERE;
}

void conversion_begin(struct conversion *conversion, uint64_t line)
{
	conversion_end(conversion);
	conversion->began = true;
	conversion->decided = false;
	conversion->row = CONVERSION_CONVERTED;
	conversion->line = line;
	conversion->end_ns = 0;
}

void conversion_set(struct conversion *conversion, enum conversion_row row, const char *format, ...)
{
	va_list arguments;

	if (conversion->decided && row <= conversion->row)
		return;
	conversion->decided = true;
	conversion->row = row;
	conversion->reason[0] = (char)('0' + row);
	va_start(arguments, format);
	vsnprintf(conversion->reason + 1, sizeof(conversion->reason) - 1, format, arguments);
	va_end(arguments);
	/* A reason can have words of the source. */
	utf8_mask(conversion->reason);
}

static void count_reason(struct conversion *conversion)
{
	int is_new;
	int64_t number = intern(&conversion->reasons, conversion->reason,
				strlen(conversion->reason), &is_new);

	if (number < 0 ||
	    array_grow(&conversion->reason_counts, &conversion->reason_room, (size_t)number + 1,
		       sizeof(uint64_t)) < 0 ||
	    array_grow(&conversion->reason_lines, &conversion->line_room, (size_t)number + 1,
		       sizeof(uint64_t)) < 0) {
		conversion->failed = true;
		return;
	}
	if (is_new) {
		conversion->reason_counts[number] = 0;
		conversion->reason_lines[number] = conversion->line;
	}
	conversion->reason_counts[number]++;
}

void conversion_time(struct conversion *conversion, uint64_t begin_ns, uint64_t end_ns)
{
	conversion->begin_ns = begin_ns;
	conversion->end_ns = end_ns;
}

void conversion_end(struct conversion *conversion)
{
	if (!conversion->began)
		return;
	conversion->began = false;
	conversion->counts[conversion->row]++;
	if (conversion->row != CONVERSION_ELSEWHERE)
		flight_add(&conversion->flight, conversion->begin_ns, conversion->end_ns);
	if (has_reason(conversion->row))
		count_reason(conversion);
}

bool conversion_is_dropped(const struct conversion *conversion)
{
	return conversion->began && conversion->decided && conversion->row == CONVERSION_DROPPED;
}

const char *conversion_reason(const struct conversion *conversion)
{
	return conversion->reason + 1;
}

uint64_t conversion_calls(const struct conversion *conversion)
{
	uint64_t calls = conversion->began;
	size_t row;

	for (row = 0; row < CONVERSION_ROWS; row++)
		calls += conversion->counts[row];
	return calls;
}

const char *conversion_first_dropped(const struct conversion *conversion, uint64_t *line)
{
	const char *first = NULL;
	size_t i;

	for (i = 0; i < conversion->reasons.count; i++) {
		const char *text = conversion->reasons.keys[i].bytes;

		if (text[0] != '0' + CONVERSION_DROPPED ||
		    (first != NULL && conversion->reason_lines[i] >= *line))
			continue;
		first = text + 1;
		*line = conversion->reason_lines[i];
	}
	return first;
}

/* Order the reasons of a row by their counts, the largest first. */
static int compare_counts(const void *left, const void *right)
{
	const uint64_t *const *a = left, *const *b = right;

	if (**a != **b)
		return **a < **b ? 1 : -1;
	return *a < *b ? -1 : *a > *b;
}

/* Print the reasons of a row and their counts, joined by commas, from column
 * REASONS on. */
static void print_reasons(const struct conversion *conversion, enum conversion_row row,
			  const char *prefix, FILE *stream)
{
	/* Pointers into reason_counts, for qsort(). */
	const uint64_t **order = calloc(conversion->reasons.count + 1, sizeof(*order));
	size_t count = 0, column = strlen(prefix) + REASONS, i;
	char text[sizeof(conversion->reason) + UNITS_TEXT], number[UNITS_TEXT];

	for (i = 0; order != NULL && i < conversion->reasons.count; i++)
		if (conversion->reasons.keys[i].bytes[0] == '0' + (char)row)
			order[count++] = &conversion->reason_counts[i];
	if (order != NULL)
		qsort(order, count, sizeof(*order), compare_counts);
	for (i = 0; i < count; i++) {
		size_t reason = (size_t)(order[i] - conversion->reason_counts);

		snprintf(text, sizeof(text), "%s %s%s", conversion->reasons.keys[reason].bytes + 1,
			 units_print_count(*order[i], number), i + 1 < count ? "," : "");
		if (i > 0 && column + strlen(text) >= COLUMNS) {
			fprintf(stream, "\n%s%*s", prefix, REASONS, "");
			column = strlen(prefix) + REASONS;
		}
		column += (size_t)fprintf(stream, "%s%s", i == 0 ? "  " : " ", text);
	}
	free(order);
}

void conversion_print(const struct conversion *conversion, const char *prefix, FILE *stream)
{
	uint64_t inside = conversion_calls(conversion) - conversion->counts[CONVERSION_ELSEWHERE];
	char text[UNITS_TEXT];
	size_t i;

	for (i = 0; i < sizeof(printed) / sizeof(printed[0]); i++) {
		enum conversion_row row = printed[i];
		uint64_t count = conversion->counts[row];

		fprintf(stream, "%s  %-12s %9s %6.2f %%", prefix, row_names[row],
			units_print_count(count, text),
			inside > 0 ? 100.0 * (double)count / (double)inside : 0.0);
		if (has_reason(row))
			print_reasons(conversion, row, prefix, stream);
		fputc('\n', stream);
	}
}

void conversion_print_flight(struct conversion *conversion, const struct recording_totals *totals,
			     const char *prefix, FILE *stream)
{
	double mean;
	size_t max = 0;

	if (!flight_measure(&conversion->flight, &mean, &max) && totals->streams <= 1)
		return;
	fprintf(stream, "%sin flight    ", prefix);
	if (max == 0)
		fputs("not known", stream);
	else if (max == 1)
		fputs("1 call at a time", stream);
	else
		fprintf(stream, "%.1f calls on average, %zu at most", mean, max);
	if (totals->streams > 1)
		fprintf(stream, "; the load has %" PRIu64 " streams", totals->streams);
	else if (max > 1)
		fputs("; a user plays 1 at a time", stream);
	if (totals->tasks_max > totals->streams)
		fprintf(stream, " for %" PRIu64 " processes", totals->tasks_max);
	fputc('\n', stream);
}

void conversion_free(struct conversion *conversion)
{
	flight_free(&conversion->flight);
	intern_free(&conversion->reasons);
	free(conversion->reason_counts);
	free(conversion->reason_lines);
}
