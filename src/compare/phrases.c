/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/phrases.h"

#include "base/units.h"
#include "report/naming.h"
#include "result/variant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A larger number of pairs or repeats is not named: throng compare measures at most
 * this number of pairs. */
#define PRACTICAL 500

static char *print_ratio(double ratio, char text[NUMBER_TEXT])
{
	return number_print(NUMBER_RATIO, ratio, -1, NUMBER_ASCII, text);
}

static bool is_throughput(const struct comparison_row *row)
{
	return strcmp(row->unit, figure_unit(FIGURE_MB_PER_S)) == 0;
}

double phrases_number(const struct comparison_row *row, double value, enum number_form *form)
{
	*form = row->per_second > 0 ? NUMBER_TIME : NUMBER_PLAIN;
	if (row->per_second > 0)
		return value / row->per_second;
	return is_throughput(row) ? number_rate_shown(value) : value;
}

const char *phrases_unit(const struct comparison_row *row)
{
	if (row->per_second > 0)
		return "";
	return is_throughput(row) ? number_rate_unit() : row->unit;
}

char *phrases_value(const struct comparison_row *row, double value, char text[PHRASES_NUMBER])
{
	const char *unit = phrases_unit(row);
	char number[NUMBER_TEXT];
	enum number_form form;

	value = phrases_number(row, value, &form);
	snprintf(text, PHRASES_NUMBER, "%s%s%s",
		 number_print(form, value, -1, NUMBER_ASCII, number), unit[0] != '\0' ? " " : "",
		 unit);
	return text;
}

char *phrases_name(const struct comparison_row *row, char text[PHRASES_NAME])
{
	char place[VARIANT_TEXT];

	snprintf(text, PHRASES_NAME, "%s at %s", row->metric,
		 variant_print_point(row->point, place));
	return text;
}

char *phrases_clause(const struct comparison_row *row, char text[PHRASES_CLAUSE])
{
	const struct ratio_interval *interval = &row->judged.interval;
	char name[PHRASES_NAME], ratio[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];
	int length = snprintf(text, PHRASES_CLAUSE, "%s is %s times the base's",
			      phrases_name(row, name), print_ratio(interval->ratio, ratio));
	size_t room = PHRASES_CLAUSE - (size_t)length;

	print_ratio(interval->low, low);
	print_ratio(interval->high, high);
	if (interval->low > 0 && isfinite(interval->high))
		snprintf(text + length, room, " (%s to %s)", low, high);
	else if (interval->low > 0)
		snprintf(text + length, room, " (at least %s)", low);
	else if (isfinite(interval->high))
		snprintf(text + length, room, " (at most %s)", high);
	return text;
}

char *phrases_need(const struct comparison *comparison, const struct comparison_row *row,
		   char text[PHRASES_CLAUSE])
{
	const char *samples = comparison->paired ? "pairs" : "repeats of each";
	size_t needed = row->judged.samples_needed;
	char name[PHRASES_NAME], low[NUMBER_TEXT], high[NUMBER_TEXT];

	phrases_name(row, name);
	/* The needed number is estimated only after the last pair. */
	if (comparison->answer == VERDICT_UNDECIDED)
		snprintf(text, PHRASES_CLAUSE, "%s needs more pairs", name);
	else if (needed > PRACTICAL)
		snprintf(text, PHRASES_CLAUSE, "%s needs more than %d %s", name, PRACTICAL,
			 samples);
	else if (needed > 0)
		snprintf(text, PHRASES_CLAUSE, "%s needs about %zu %s", name, needed, samples);
	else
		snprintf(text, PHRASES_CLAUSE,
			 "%s is %s to %s times the base's, which does not decide at a margin of "
			 "%g %%",
			 name, print_ratio(row->judged.interval.low, low),
			 print_ratio(row->judged.interval.high, high), 100 * comparison->margin);
	return text;
}

const char *phrases_verdict(enum verdict verdict)
{
	return verdict == VERDICT_PASS ? "no regression" : verdict_names[verdict];
}

const char *phrases_answer(const struct comparison *comparison)
{
	if (comparison->failures.count > 0 && comparison->answer != VERDICT_REGRESSION)
		return "a --fail-if condition holds";
	return phrases_verdict(comparison->answer);
}

bool phrases_is_bounded(const struct comparison *comparison)
{
	size_t i;

	for (i = 0; i < comparison->row_count; i++) {
		const struct ratio_interval *interval = &comparison->rows[i].judged.interval;

		if (interval->low > 0 || isfinite(interval->high))
			return true;
	}
	return false;
}

size_t phrases_count(const struct comparison *comparison, enum verdict verdict)
{
	size_t count = 0, i;

	for (i = 0; i < comparison->row_count; i++)
		count += comparison->rows[i].judged.verdict == verdict;
	return count;
}

const char *phrases_side(const struct comparison *comparison, unsigned side, size_t columns)
{
	unsigned i;

	for (i = 0; i < SIDES; i++)
		if (!naming_is_short(comparison->sides[i], columns))
			return side_names[side];
	return comparison->sides[side];
}

/* Where the notes of both sides are collected. */
struct notes {
	FILE *stream;
	const char *side;
};

static void add_notes(void *context, const char *name, const char *text)
{
	const struct notes *notes = context;

	fprintf(notes->stream, "%s%s: %s", ftell(notes->stream) > 0 ? "; " : "", notes->side, text);
}

/* Describe the notes of both sides, in one line. */
static void describe_notes(const struct comparison *comparison, describe_line *line, void *context)
{
	char *text = NULL;
	size_t bytes;
	struct notes notes = {.stream = open_memstream(&text, &bytes)};
	unsigned side;

	if (notes.stream == NULL)
		return;
	for (side = 0; side < SIDES; side++) {
		notes.side = side_names[side];
		describe_run(&comparison->results[side]->run, DESCRIBE_NOTES, add_notes, &notes);
	}
	if (fclose(notes.stream) == 0 && bytes > 0)
		line(context, "notes", text);
	free(text);
}

/* Describe a side: its name and, if that is a label, its first target. */
static void describe_side(const struct comparison *comparison, unsigned side, describe_line *line,
			  void *context)
{
	static const char *const places[] = {
		[BASE] = "base on",
		[NEW] = "new on",
	};
	const struct result_run *run = &comparison->results[side]->run;

	line(context, side_names[side], comparison->names[side]);
	if (run->label[0] != '\0')
		line(context, places[side], run->variants[0].targets[0].url);
}

/* Say if the intervals are not exact. */
static void describe_method(const struct comparison *comparison, describe_line *line, void *context)
{
	size_t normal = 0, i;

	for (i = 0; i < comparison->row_count; i++)
		normal += comparison->rows[i].judged.method == RATIO_NORMAL;
	if (normal > 0)
		line(context, "interval",
		     normal == comparison->row_count
			     ? "by the normal approximation, as there are many values"
			     : "by the normal approximation where there are many values, else "
			       "exact");
}

void phrases_describe(const struct comparison *comparison, describe_line *line, void *context)
{
	char text[PHRASES_CLAUSE];
	unsigned side;

	for (side = 0; side < SIDES; side++)
		describe_side(comparison, side, line, context);
	describe_notes(comparison, line, context);
	if (!comparison->paired)
		snprintf(text, sizeof(text), "not in pairs");
	else if (comparison->budget > 0)
		snprintf(text, sizeof(text), "%zu of at most %zu pairs", comparison->pairs,
			 comparison->budget);
	else
		snprintf(text, sizeof(text), "%zu %s", comparison->pairs,
			 units_plural(comparison->pairs, "pair", "pairs"));
	line(context, "measured", text);
	describe_method(comparison, line, context);
	snprintf(text, sizeof(text), "%g %%", 100 * comparison->margin);
	line(context, "margin", text);
	snprintf(text, sizeof(text), "%g", comparison->alpha);
	line(context, "alpha", text);
}

void phrases_describe_run(const struct comparison *comparison, describe_line *line, void *context)
{
	describe_run(&comparison->results[NEW]->run,
		     DESCRIBE_LOAD | DESCRIBE_PLAN | DESCRIBE_ORIGIN, line, context);
}
