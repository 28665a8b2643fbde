/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write a comparison for people, at most 80 columns wide.
 */
#include "compare/phrases.h"
#include "doc/escape.h"
#include "report/figure.h"
#include "report/rate.h"
#include "text/axes.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

enum { METRIC_COLUMNS = 15, MEDIAN_COLUMNS = 8 };

static void print_line(void *context, const char *name, const char *text)
{
	text_folded(name, text, context);
}

static void print_row(const struct comparison *comparison, const struct comparison_row *row,
		      FILE *stream)
{
	const struct result_run *run = &comparison->results[BASE]->run;
	const struct phrases_row texts = phrases_row(row);
	unsigned side;

	fprintf(stream, "%5u", row->users);
	axes_values(run, row->set, row->set_count, stream);
	fputc(' ', stream);
	/* Print a name that is too long for its column on a line of its own. */
	if (escape_column(row->metric, METRIC_COLUMNS, stream) > METRIC_COLUMNS)
		fprintf(stream, "\n%*s", 6 + (int)axes_columns(run) + METRIC_COLUMNS, "");
	for (side = 0; side < SIDES; side++) {
		fputc(' ', stream);
		figure_write_right(texts.medians[side], MEDIAN_COLUMNS, stream);
	}
	fprintf(stream, " %-*s %6s %6s %6s %s\n", (int)strlen(rate_unit()), texts.unit, texts.ratio,
		texts.low, texts.high, verdict_names[row->judged.verdict]);
}

void comparison_text(const struct comparison *comparison, FILE *stream)
{
	char *summary = comparison_summary(comparison);
	const char *headings[SIDES] = {
		phrases_side(comparison, BASE, MEDIAN_COLUMNS),
		phrases_side(comparison, NEW, MEDIAN_COLUMNS),
	};
	size_t i;

	phrases_describe(comparison, print_line, stream);
	fprintf(stream, "\n%5s", "users");
	axes_headings(&comparison->results[BASE]->run, stream);
	fprintf(stream, " %-*s %*s %*s %-*s %6s %6s %6s %s\n", METRIC_COLUMNS, "metric",
		MEDIAN_COLUMNS, headings[BASE], MEDIAN_COLUMNS, headings[NEW],
		(int)strlen(rate_unit()), "", "ratio", "low", "high", "verdict");
	for (i = 0; i < comparison->row_count; i++)
		print_row(comparison, &comparison->rows[i], stream);
	/* The ratio may differ from that of the medians beside it. */
	fputc('\n', stream);
	text_folded(
		"ratio",
		comparison->paired
			? "estimated from the pairs' ratios; base and new are medians of all pairs"
			: "estimated from all values; base and new are medians",
		stream);
	text_notices(&comparison->warnings, stream);
	if (comparison->failures.count > 0)
		fputc('\n', stream);
	for (i = 0; i < comparison->failures.count; i++)
		text_folded("fail-if", comparison->failures.texts[i], stream);
	fputc('\n', stream);
	if (summary != NULL)
		text_folded("verdict", summary, stream);
	free(summary);
}
