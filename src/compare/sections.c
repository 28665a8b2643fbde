/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison as a document: the facts, the table of metrics, warnings, the verdict,
 * and the operations that changed most.
 */
#include "compare/sections.h"

#include "base/units.h"
#include "compare/phrases.h"
#include "doc/render.h"
#include "report/points.h"
#include "report/sections.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names of both sides that are longer do not head columns. */
enum { SIDE_COLUMNS = 9 };

/* With more rows, a page has no tiles. */
enum { TILES_MAX = 4 };

static void add_fact(void *context, const char *name, const char *text)
{
	doc_fact(context, name, "%s", text);
}

void section_side_columns(struct doc *doc, const struct comparison *comparison,
			  enum number_form form)
{
	unsigned side;

	for (side = 0; side < SIDES; side++)
		doc_column(doc, phrases_side(comparison, side, SIDE_COLUMNS), form, 0);
}

static void add_row(const struct points_table *table, const struct comparison_row *row,
		    bool has_units)
{
	static const enum doc_class classes[] = {
		[VERDICT_PASS] = DOC_PLAIN,
		[VERDICT_REGRESSION] = DOC_BAD,
		[VERDICT_INCONCLUSIVE] = DOC_WARNING,
	};
	const struct ratio_interval *interval = &row->judged.interval;
	enum verdict verdict = row->judged.verdict;
	const char *unit = phrases_unit(row);
	struct doc *doc = table->doc;
	enum number_form form;
	double value;
	unsigned side;

	points_row(table, row->point, classes[verdict]);
	doc_cell_text(doc, "%s", row->metric);
	for (side = 0; side < SIDES; side++) {
		value = phrases_number(row, row->medians[side], &form);
		doc_cell_form(doc, form, value);
	}
	/* A page shows a dash in an empty cell, as for an unknown figure. */
	if (has_units)
		doc_cell_text(doc, "%s", unit[0] != '\0' ? unit : " ");
	doc_cell_colour(doc, interval->ratio,
			verdict == VERDICT_REGRESSION ? DOC_WORSE : DOC_PLAIN);
	doc_cell(doc, interval->low);
	doc_cell(doc, interval->high);
	doc_cell_text(doc, "%s", verdict_names[verdict]);
}

/* Return the form of the values in the table. The digits of different metrics do
 * not agree: a column of times prints each number on its own. */
static enum number_form form_of(const struct comparison *comparison)
{
	enum number_form form = NUMBER_TIME;
	size_t i;

	for (i = 1; i < comparison->row_count; i++)
		if (strcmp(comparison->rows[i].metric, comparison->rows[0].metric) != 0)
			return form;
	phrases_number(&comparison->rows[0], 0, &form);
	return form;
}

/* Add the table of metrics at points. */
static void add_metrics(struct doc *doc, const struct comparison *comparison)
{
	struct points_table table;
	bool has_units = false;
	size_t i;

	for (i = 0; i < comparison->row_count; i++)
		has_units |= phrases_unit(&comparison->rows[i])[0] != '\0';
	table = points_begin(doc, &comparison->results[BASE]->run, 0);
	doc_column(doc, "metric", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	section_side_columns(doc, comparison, form_of(comparison));
	if (has_units)
		doc_column(doc, "", NUMBER_COUNT, DOC_LEFT);
	doc_column(doc, "ratio", NUMBER_RATIO, DOC_MAIN);
	doc_column(doc, "low", NUMBER_RATIO, 0);
	doc_column(doc, "high", NUMBER_RATIO, 0);
	doc_column(doc, "verdict", NUMBER_COUNT, DOC_LEFT);
	for (i = 0; i < comparison->row_count; i++)
		add_row(&table, &comparison->rows[i], has_units);
	points_end(&table);
	doc_fact(doc, "ratio", "%s",
		 comparison->paired
			 ? "estimated from the pairs' ratios new / base (Hodges-Lehmann); base and "
			   "new are medians of all pairs, whose ratio may differ, even in "
			   "direction"
			 : "estimated from all values (Hodges-Lehmann); base and new are medians, "
			   "whose ratio may differ, even in direction");
}

static void add_notices(struct doc *doc, const struct comparison *comparison)
{
	const struct result_reasons *failures = &comparison->failures;
	size_t i;

	for (i = 0; i < comparison->warnings.count; i++) {
		char *text = notice_text(&comparison->warnings.list[i]);

		if (text != NULL)
			doc_item(doc, DOC_WARNING, "Warnings", "warning", "%s", text);
		free(text);
	}
	for (i = 0; i < failures->count; i++)
		doc_item(doc, DOC_BAD, "Conditions of --fail-if that hold", "fail-if", "%s",
			 failures->texts[i]);
}

/* Check if a row needs more pairs for a verdict than were planned. */
static bool needs_more(const struct comparison *comparison)
{
	size_t i;

	for (i = 0; i < comparison->row_count; i++) {
		const struct ratio_comparison *judged = &comparison->rows[i].judged;

		if (judged->verdict == VERDICT_INCONCLUSIVE &&
		    (judged->samples_needed == 0 || judged->samples_needed > comparison->budget))
			return true;
	}
	return false;
}

/* Write how to get all planned pairs into --max-time. */
static void write_shorter(const struct result_run *run, FILE *stream)
{
	fputs(", or make each pair shorter with ", stream);
	if (run->user_count_count > 1)
		fputs("fewer numbers of users (-u), ", stream);
	fprintf(stream, "a smaller load (-c) or %s",
		run->phases.loops > 0 ? "fewer loops (--loops)" : "a shorter time (-t)");
}

/* Write how to get a verdict. */
static void write_advice(const struct comparison *comparison, FILE *stream)
{
	const struct result_run *run = &comparison->results[NEW]->run;
	const char *more = comparison->paired ? "more pairs (--pairs)" : "more often (--repeat)";
	/* If not, neither the margin nor the noise matters. */
	const bool bounded = phrases_is_bounded(comparison),
		   enough = !bounded || !needs_more(comparison);

	if (comparison->out_of_time)
		fputs("increase --max-time", stream);
	if (comparison->out_of_time && enough)
		write_shorter(run, stream);
	else if (comparison->pairs < comparison->budget && enough)
		fprintf(stream, "measure all %zu pairs", comparison->budget);
	else if (!bounded)
		fprintf(stream, "measure %s", more);
	else
		fprintf(stream, "%smeasure %s or %s", comparison->out_of_time ? ", and " : "",
			run->phases.loops > 0 ? "more loops (--loops)" : "longer (-t)", more);
	if (bounded)
		fputs(", or accept a wider margin (--margin); throng compare --calibrate shows the "
		      "noise of a target",
		      stream);
}

/* Say how to get a verdict. */
static void add_advice(struct doc *doc, const struct comparison *comparison)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream;

	if (comparison->answer != VERDICT_INCONCLUSIVE)
		return;
	stream = open_memstream(&text, &bytes);
	if (stream == NULL) {
		doc_fail(doc);
		return;
	}
	write_advice(comparison, stream);
	if (fclose(stream) == 0)
		doc_item(doc, DOC_PLAIN, "Advice", "advice", "%s", text);
	else
		doc_fail(doc);
	free(text);
}

/*
 * The page.
 */

static enum doc_class class_of(const struct comparison *comparison)
{
	if (comparison->answer == VERDICT_REGRESSION || comparison->failures.count > 0)
		return DOC_BAD;
	return comparison->answer == VERDICT_PASS ? DOC_GOOD : DOC_WARNING;
}

/* Add the answer as the headline, with badges and tiles. */
static void add_headline(struct doc *doc, const struct comparison *comparison, const char *summary)
{
	const char *answer = phrases_answer(comparison);
	size_t length = strlen(answer), warnings = comparison->warnings.count, i;

	/* The summary begins with the verdict, unless a condition is the answer. */
	if (strncmp(summary, answer, length) == 0)
		summary += length + strspn(summary + length, ": ");
	doc_headline(doc, class_of(comparison), answer, summary);
	if (comparison->failures.count > 0)
		doc_badge(doc, DOC_BAD, "--fail-if");
	if (warnings > 0)
		doc_badge(doc, DOC_WARNING, "%zu %s", warnings,
			  units_plural(warnings, "warning", "warnings"));
	for (i = 0; i < comparison->row_count && comparison->row_count <= TILES_MAX; i++) {
		const struct ratio_interval *interval = &comparison->rows[i].judged.interval;
		char name[PHRASES_NAME], ratio[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];
		char remark[2 * NUMBER_TEXT + 8];

		number_print(NUMBER_RATIO, interval->low, -1, NUMBER_TYPESET, low);
		number_print(NUMBER_RATIO, interval->high, -1, NUMBER_TYPESET, high);
		snprintf(remark, sizeof(remark), "%s to %s", low, high);
		doc_tile(doc, phrases_name(&comparison->rows[i], name),
			 number_print(NUMBER_RATIO, interval->ratio, -1, NUMBER_TYPESET, ratio),
			 remark);
	}
}

/* Add dots for the values of a row: the ratios of the pairs or, without pairs, those of
 * all values of a side to the base's median. */
static void add_dots(struct doc *doc, const struct comparison *comparison, unsigned side)
{
	size_t i, j;

	/* A pair has the colour of neither side. */
	doc_mark(doc, &(struct doc_mark){
			      .kind = DOC_MARK_DOTS,
			      .series = comparison->paired ? PAIR_COLOUR : side + 1,
			      .legend = comparison->paired ? "a pair"
					: side == BASE     ? "base / median of base"
							   : "new / median of base",
		      });
	for (i = 0; i < comparison->row_count; i++) {
		const struct comparison_row *row = &comparison->rows[i];
		const struct ratio_samples *samples = &row->judged.samples;
		const double *values = side == BASE ? samples->base : samples->new;
		size_t count = side == BASE ? samples->base_count : samples->new_count;

		for (j = 0; j < count; j++) {
			double base = comparison->paired ? samples->base[j] : row->medians[BASE];

			doc_spot(doc,
				 &(struct doc_spot){.x = values[j] / base, .y = (double)i + 1});
			doc_title(doc, "%.3f", values[j] / base);
		}
	}
}

static void add_intervals(struct doc *doc, const struct comparison *comparison)
{
	size_t i;

	doc_mark(doc, &(struct doc_mark){DOC_MARK_INTERVAL, 0, .legend = "interval"});
	for (i = 0; i < comparison->row_count; i++) {
		const struct ratio_interval *interval = &comparison->rows[i].judged.interval;

		if (interval->low > 0 || isfinite(interval->high))
			doc_spot(doc, &(struct doc_spot){
					      .x = interval->low,
					      .y = (double)i + 1,
					      .to = interval->high,
				      });
	}
}

/* Add the chart of the pairs' ratios, a row per metric and point. */
static void add_pairs(struct doc *doc, const struct comparison *comparison)
{
	double min = 1 - comparison->margin;
	char **names = calloc(comparison->row_count, sizeof(*names));
	const struct doc_axis axes[2] = {
		{.name = "new / base", .form = NUMBER_RATIO, .scale = DOC_RATIOS},
		{.name = "metric",
		 .scale = DOC_NAMES,
		 .names = (const char *const *)names,
		 .name_count = comparison->row_count},
	};
	char name[PHRASES_NAME];
	size_t i;

	for (i = 0; names != NULL && i < comparison->row_count; i++)
		names[i] = strdup(phrases_name(&comparison->rows[i], name));
	if (names == NULL)
		doc_fail(doc);
	doc_chart(doc, "pairs", comparison->paired ? "Pairs" : "Repeats", axes);
	doc_mark(doc, &(struct doc_mark){DOC_MARK_BAND, 0, .legend = "margin"});
	doc_spot(doc, &(struct doc_spot){.x = min, .to = 1 / min});
	if (!comparison->paired)
		add_dots(doc, comparison, BASE);
	add_dots(doc, comparison, NEW);
	add_intervals(doc, comparison);
	for (i = 0; names != NULL && i < comparison->row_count; i++)
		free(names[i]);
	free(names);
}

/* Add what the page of two results has (report/page.c). */
static void add_results(struct doc *doc, const struct comparison *comparison)
{
	const struct result results[SIDES] = {*comparison->results[BASE],
					      *comparison->results[NEW]};
	struct view view;

	if (view_make(&view, results, SIDES, NULL, comparison->sides) == 0) {
		/* The tables have the same heading, which is not repeated. */
		doc_heading(doc, 2, "Side by side");
		section_charts(doc, &view);
		section_sides(doc, &view);
		section_sides_parts(doc, &view);
		section_sides_samples(doc, &view);
		section_sides_operations(doc, &view);
		section_configuration(doc, &view);
	} else {
		doc_fail(doc);
	}
	view_free(&view);
}

static struct doc *make_document(const struct comparison *comparison)
{
	struct doc *doc = doc_new();
	char *summary = comparison_summary(comparison);

	if (summary == NULL) {
		doc_fail(doc);
		return doc;
	}
	doc_medium(doc, DOC_MARKDOWN);
	doc_heading(doc, 2, "throng compare: %s", phrases_answer(comparison));
	doc_note(doc, "%s", summary);
	doc_medium(doc, DOC_HTML);
	add_headline(doc, comparison, summary);
	doc_medium(doc, DOC_ALL);
	phrases_describe(comparison, add_fact, doc);
	doc_medium(doc, DOC_HTML);
	doc_heading(doc, 2, "Metrics");
	add_pairs(doc, comparison);
	doc_medium(doc, DOC_ALL);
	add_metrics(doc, comparison);
	add_notices(doc, comparison);
	doc_medium(doc, DOC_TEXT);
	doc_item(doc, DOC_PLAIN, "Verdict", "verdict", "%s", summary);
	doc_medium(doc, DOC_ALL);
	free(summary);
	add_advice(doc, comparison);
	section_changes(doc, comparison);
	doc_medium(doc, DOC_MARKDOWN);
	doc_fold(doc, false, "Details");
	phrases_describe_run(comparison, add_fact, doc);
	doc_fold_end(doc);
	doc_medium(doc, DOC_ALL);
	return doc;
}

int comparison_text(const struct comparison *comparison, FILE *stream)
{
	struct doc *doc = make_document(comparison);
	int rc = doc_text(doc, false, stream);

	doc_free(doc);
	return rc;
}

int comparison_markdown(const struct comparison *comparison, FILE *stream)
{
	struct doc *doc = make_document(comparison);
	int rc = doc_markdown(doc, stream);

	doc_free(doc);
	return rc;
}

int comparison_html(const struct comparison *comparison, FILE *stream)
{
	struct doc *doc = make_document(comparison);
	char *title = NULL;
	int rc = -ENOMEM;

	add_results(doc, comparison);
	if (asprintf(&title, "%s and %s", comparison->names[BASE], comparison->names[NEW]) >= 0)
		rc = doc_html(doc, title, stream);
	else
		title = NULL;
	free(title);
	doc_free(doc);
	return rc;
}
