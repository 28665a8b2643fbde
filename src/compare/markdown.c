/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison as GitHub flavoured Markdown, for a pull request or a job's
 * summary page: the answer, a table, and all else folded.
 */
#include "compare/phrases.h"

#include "report/escape.h"

#include <stdlib.h>

static void print_row(const struct comparison_row *row, FILE *stream)
{
	const struct ratio_interval *interval = &row->judged.interval;
	const char *verdict = comparison_verdict_name(row->judged.verdict);
	bool passed = row->judged.verdict == RATIO_PASS;
	char base[WORDS_NUMBER], new[WORDS_NUMBER], ratio[WORDS_NUMBER];
	char low[WORDS_NUMBER], high[WORDS_NUMBER];
	const char *space = row->unit[0] != '\0' ? " " : "";

	fprintf(stream, "| %u | ", row->users);
	escape_markdown(row->metric, stream);
	fprintf(stream, " | %s%s%s | %s%s%s | %s | %s to %s | %s%s%s |\n",
		phrases_value(row->base, base), space, row->unit,
		phrases_value(row->new, new), space, row->unit,
		phrases_ratio(interval->ratio, ratio),
		phrases_ratio(interval->low, low),
		phrases_ratio(interval->high, high), passed ? "" : "**",
		verdict, passed ? "" : "**");
}

static void print_reasons(const char *heading,
			  const struct result_reasons *reasons, FILE *stream)
{
	size_t i;

	if (reasons->count > 0)
		fprintf(stream, "\n%s\n\n", heading);
	for (i = 0; i < reasons->count; i++) {
		fputs("- ", stream);
		escape_markdown(reasons->texts[i], stream);
		fputc('\n', stream);
	}
}

static void print_detail(const char *name, const char *text, FILE *stream)
{
	fprintf(stream, "- %s: ", name);
	escape_markdown(text, stream);
	fputc('\n', stream);
}

void comparison_markdown(const struct comparison *comparison, FILE *stream)
{
	const struct result_run *run = &comparison->new->run;
	char *summary = comparison_summary(comparison);
	char *measured = phrases_measured(comparison);
	size_t i;

	fprintf(stream, "## throng compare: %s\n\n",
		phrases_answer(comparison));
	if (summary != NULL)
		escape_markdown(summary, stream);
	fputs("\n\n| users | metric | base | new | ratio | interval | verdict "
	      "|\n|---:|:---|---:|---:|---:|:---:|:---|\n", stream);
	for (i = 0; i < comparison->row_count; i++)
		print_row(&comparison->rows[i], stream);
	print_reasons("Limits not met:", &comparison->failures, stream);
	print_reasons("Warnings:", &comparison->warnings, stream);
	fputs("\n<details><summary>Details</summary>\n\n", stream);
	print_detail("base", comparison->base_name, stream);
	print_detail("new", comparison->new_name, stream);
	if (measured != NULL)
		print_detail("measured", measured, stream);
	fprintf(stream, "- margin: %g %%, alpha: %g\n",
		100 * comparison->margin, comparison->alpha);
	print_detail("load", run->loadfile.name, stream);
	print_detail("host", run->host, stream);
	print_detail("kernel", run->kernel, stream);
	print_detail("started", run->started, stream);
	print_detail("throng", run->version, stream);
	fputs("\nThe ratio is new / base; its interval is that from which the "
	      "verdict follows.\n\n</details>\n", stream);
	free(summary);
	free(measured);
}
