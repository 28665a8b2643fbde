/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison for people, at most 80 columns wide.
 */
#include "compare/phrases.h"
#include "report/escape.h"
#include "report/text.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL_COLUMNS = 9, METRIC_COLUMNS = 15 };

static void print_row(const struct comparison_row *row, FILE *stream)
{
	const struct ratio_interval *interval = &row->judged.interval;
	char base[WORDS_NUMBER], new[WORDS_NUMBER], ratio[WORDS_NUMBER];
	char low[WORDS_NUMBER], high[WORDS_NUMBER];
	size_t length = strlen(row->metric);

	fprintf(stream, "%5u ", row->users);
	escape_text(row->metric, stream);
	/* What is too long for its column has a line of its own. */
	if (length > METRIC_COLUMNS)
		fprintf(stream, "\n%*s", 6 + METRIC_COLUMNS, "");
	else
		fprintf(stream, "%*s", (int)(METRIC_COLUMNS - length), "");
	fprintf(stream, " %9s %9s %-4s %6s %6s %6s %s\n",
		phrases_value(row->base, base), phrases_value(row->new, new),
		row->unit, phrases_ratio(interval->ratio, ratio),
		phrases_ratio(interval->low, low),
		phrases_ratio(interval->high, high),
		comparison_verdict_name(row->judged.verdict));
}

static void print_reasons(const char *label,
			  const struct result_reasons *reasons, FILE *stream)
{
	size_t i;

	if (reasons->count > 0)
		fputc('\n', stream);
	for (i = 0; i < reasons->count; i++)
		text_folded(label, reasons->texts[i], stream);
}

void comparison_text(const struct comparison *comparison, FILE *stream)
{
	char *summary = comparison_summary(comparison);
	char *measured = phrases_measured(comparison);
	size_t i;

	text_folded("base", comparison->base_name, stream);
	text_folded("new", comparison->new_name, stream);
	if (measured != NULL)
		fprintf(stream, "%-*s%s; margin %g %%, alpha %g\n",
			LABEL_COLUMNS, "measured", measured,
			100 * comparison->margin, comparison->alpha);
	free(measured);
	fprintf(stream, "\n%5s %-*s %9s %9s %-4s %6s %6s %6s %s\n", "users",
		METRIC_COLUMNS, "metric", "base", "new", "", "ratio", "low",
		"high", "verdict");
	for (i = 0; i < comparison->row_count; i++)
		print_row(&comparison->rows[i], stream);
	print_reasons("warning", &comparison->warnings, stream);
	print_reasons("limit", &comparison->failures, stream);
	fputc('\n', stream);
	if (summary != NULL)
		text_folded("verdict", summary, stream);
	free(summary);
}
