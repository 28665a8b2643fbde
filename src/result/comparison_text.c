/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison for people, at most 80 columns wide.
 */
#include "result/comparison_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_COLUMNS = 80, LABEL_COLUMNS = 9, METRIC_COLUMNS = 15 };

/* Names may hold what steers a terminal. */
static void print_masked(const char *text, size_t bytes, FILE *stream)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		fputc(iscntrl((unsigned char)text[i]) ? '?' : text[i], stream);
}

/* Folded behind a label; words longer than a line are not cut. */
static void print_folded(const char *label, const char *text, FILE *stream)
{
	size_t column = LABEL_COLUMNS;

	fprintf(stream, "%-*s", LABEL_COLUMNS, label);
	while (*text != '\0') {
		size_t length = strcspn(text, " ");

		if (column > LABEL_COLUMNS &&
		    column + 1 + length > LINE_COLUMNS) {
			fprintf(stream, "\n%*s", LABEL_COLUMNS, "");
			column = LABEL_COLUMNS;
		} else if (column > LABEL_COLUMNS) {
			fputc(' ', stream);
			column++;
		}
		print_masked(text, length, stream);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', stream);
}

static void print_header(const struct comparison *comparison, FILE *stream)
{
	char *measured = words_measured(comparison);

	print_folded("base", comparison->base_name, stream);
	print_folded("new", comparison->new_name, stream);
	if (measured != NULL)
		fprintf(stream, "%-*s%s; margin %g %%, alpha %g\n",
			LABEL_COLUMNS, "measured", measured,
			100 * comparison->margin, comparison->alpha);
	free(measured);
	fprintf(stream, "\n%5s %-*s %9s %9s %-4s %6s %6s %6s %s\n", "users",
		METRIC_COLUMNS, "metric", "base", "new", "", "ratio", "low",
		"high", "verdict");
}

static void print_row(const struct comparison_row *row, FILE *stream)
{
	const struct ratio_interval *interval = &row->judged.interval;
	char base[WORDS_NUMBER], new[WORDS_NUMBER], ratio[WORDS_NUMBER];
	char low[WORDS_NUMBER], high[WORDS_NUMBER];
	size_t length = strlen(row->metric);

	fprintf(stream, "%5u ", row->users);
	print_masked(row->metric, length, stream);
	/* What is too long for its column has a line of its own. */
	if (length > METRIC_COLUMNS)
		fprintf(stream, "\n%*s", 6 + METRIC_COLUMNS, "");
	else
		fprintf(stream, "%*s", (int)(METRIC_COLUMNS - length), "");
	fprintf(stream, " %9s %9s %-4s %6s %6s %6s %s\n",
		words_value(row->base, base), words_value(row->new, new),
		row->unit, words_ratio(interval->ratio, ratio),
		words_ratio(interval->low, low),
		words_ratio(interval->high, high),
		comparison_verdict_name(row->judged.verdict));
}

static void print_reasons(const char *label,
			  const struct result_reasons *reasons, FILE *stream)
{
	size_t i;

	if (reasons->count > 0)
		fputc('\n', stream);
	for (i = 0; i < reasons->count; i++)
		print_folded(label, reasons->texts[i], stream);
}

void comparison_text(const struct comparison *comparison, FILE *stream)
{
	char *summary = comparison_summary(comparison);
	size_t i;

	print_header(comparison, stream);
	for (i = 0; i < comparison->row_count; i++)
		print_row(&comparison->rows[i], stream);
	print_reasons("doubt", &comparison->doubts, stream);
	print_reasons("limit", &comparison->failures, stream);
	fputc('\n', stream);
	if (summary != NULL)
		print_folded("verdict", summary, stream);
	free(summary);
}
