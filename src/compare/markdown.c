/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write a comparison as GitHub flavoured Markdown, for a pull request or a
 * job's summary page: the answer, the table, the warnings, and folded details.
 */
#include "compare/phrases.h"

#include "doc/escape.h"

#include <stdlib.h>

/* Print the values of the axes, each in a cell. */
static void print_values(const struct comparison *comparison, const struct comparison_row *row,
			 FILE *stream)
{
	const struct result_run *run = &comparison->results[BASE]->run;
	size_t i;

	for (i = 0; i < run->axis_count; i++) {
		const char *value = variant_set_value(row->set, row->set_count, run->axes[i].name);

		escape_markdown(value != NULL ? value : "", stream);
		fputs(" | ", stream);
	}
}

/* Print the head of the table. */
static void print_head(const struct comparison *comparison, FILE *stream)
{
	const struct result_run *run = &comparison->results[BASE]->run;
	size_t i;

	fputs("\n\n| users | ", stream);
	for (i = 0; i < run->axis_count; i++) {
		escape_markdown(run->axes[i].name, stream);
		fputs(" | ", stream);
	}
	fputs("metric | ", stream);
	escape_markdown(comparison->sides[BASE], stream);
	fputs(" | ", stream);
	escape_markdown(comparison->sides[NEW], stream);
	fputs(" | ratio | interval | verdict |\n|---:|", stream);
	for (i = 0; i < run->axis_count; i++)
		fputs(":---|", stream);
	fputs(":---|---:|---:|---:|:---:|:---|\n", stream);
}

static void print_row(const struct comparison *comparison, const struct comparison_row *row,
		      FILE *stream)
{
	const struct phrases_row texts = phrases_row(row);
	const char *space = texts.unit[0] != '\0' ? " " : "";
	const char *bold = row->judged.verdict != VERDICT_PASS ? "**" : "";

	fprintf(stream, "| %u | ", row->users);
	print_values(comparison, row, stream);
	escape_markdown(row->metric, stream);
	fprintf(stream, " | %s%s%s | %s%s%s | %s | %s to %s | %s%s%s |\n", texts.medians[BASE],
		space, texts.unit, texts.medians[NEW], space, texts.unit, texts.ratio, texts.low,
		texts.high, bold, verdict_names[row->judged.verdict], bold);
}

static void print_item(const char *text, FILE *stream)
{
	fputs("- ", stream);
	escape_markdown(text, stream);
	fputc('\n', stream);
}

static void print_failures(const struct result_reasons *failures, FILE *stream)
{
	size_t i;

	if (failures->count > 0)
		fputs("\nConditions of --fail-if that hold:\n\n", stream);
	for (i = 0; i < failures->count; i++)
		print_item(failures->texts[i], stream);
}

static void print_warnings(const struct notices *warnings, FILE *stream)
{
	size_t i;

	if (warnings->count > 0)
		fputs("\nWarnings:\n\n", stream);
	for (i = 0; i < warnings->count; i++) {
		char *text = notice_text(&warnings->list[i]);

		print_item(text != NULL ? text : "", stream);
		free(text);
	}
}

static void print_detail(void *context, const char *name, const char *text)
{
	fprintf(context, "- %s: ", name);
	escape_markdown(text, context);
	fputc('\n', context);
}

void comparison_markdown(const struct comparison *comparison, FILE *stream)
{
	char *summary = comparison_summary(comparison);
	size_t i;

	fprintf(stream, "## throng compare: %s\n\n", phrases_answer(comparison));
	if (summary != NULL)
		escape_markdown(summary, stream);
	free(summary);
	print_head(comparison, stream);
	for (i = 0; i < comparison->row_count; i++)
		print_row(comparison, &comparison->rows[i], stream);
	print_failures(&comparison->failures, stream);
	print_warnings(&comparison->warnings, stream);
	fputs("\n<details><summary>Details</summary>\n\n", stream);
	phrases_describe(comparison, print_detail, stream);
	phrases_describe_run(comparison, print_detail, stream);
	fputs("\nThe ratio is new / base; the verdict follows from its interval.\n\n</details>\n",
	      stream);
}
