/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/phrases.h"

#include "base/units.h"
#include "report/naming.h"
#include "report/rate.h"
#include "result/variant.h"

#include <math.h>
#include <stdlib.h>

/* Print smaller ratios with three decimals, larger ones with four significant
 * digits. */
#define GREAT_RATIO 10

static void print_ratio(double ratio, char text[PHRASES_NUMBER])
{
	if (!isfinite(ratio) || !(ratio > 0))
		snprintf(text, PHRASES_NUMBER, "-");
	else if (ratio < GREAT_RATIO)
		snprintf(text, PHRASES_NUMBER, "%.3f", ratio);
	else
		snprintf(text, PHRASES_NUMBER, "%.4g", ratio);
}

/* Print a value with five significant digits, in at most eight columns. */
static void print_value(double value, char text[PHRASES_NUMBER])
{
	int decimals = 4 - (int)floor(log10(value));

	if (decimals > 6 || decimals < -3)
		snprintf(text, PHRASES_NUMBER, "%.2e", value);
	else
		snprintf(text, PHRASES_NUMBER, "%.*f", decimals > 0 ? decimals : 0, value);
}

char *phrases_value(const struct comparison_row *row, double value, char text[PHRASES_NUMBER])
{
	if (row->per_second > 0)
		return units_print_time(1e9 * value / row->per_second, text);
	print_value(rate_value_of(row->unit, value), text);
	return text;
}

struct phrases_row phrases_row(const struct comparison_row *row)
{
	const struct ratio_interval *interval = &row->judged.interval;
	struct phrases_row texts;
	char set[VARIANT_TEXT];
	unsigned side;

	snprintf(texts.name, sizeof(texts.name), "%s at %u %s%s%s", row->metric, row->users,
		 units_plural(row->users, "user", "users"), row->set_count > 0 ? ", " : "",
		 variant_print(row->set, row->set_count, set));
	texts.unit = row->per_second > 0 ? "" : rate_unit_of(row->unit);
	for (side = 0; side < SIDES; side++)
		phrases_value(row, row->medians[side], texts.medians[side]);
	print_ratio(interval->ratio, texts.ratio);
	print_ratio(interval->low, texts.low);
	print_ratio(interval->high, texts.high);
	return texts;
}

char *phrases_clause(const struct comparison_row *row, char text[PHRASES_CLAUSE])
{
	const struct ratio_interval *interval = &row->judged.interval;
	const struct phrases_row texts = phrases_row(row);
	int length = snprintf(text, PHRASES_CLAUSE, "%s is %s times the base's", texts.name,
			      texts.ratio);
	size_t room = PHRASES_CLAUSE - (size_t)length;

	if (interval->low > 0 && isfinite(interval->high))
		snprintf(text + length, room, " (%s to %s)", texts.low, texts.high);
	else if (interval->low > 0)
		snprintf(text + length, room, " (at least %s)", texts.low);
	else if (isfinite(interval->high))
		snprintf(text + length, room, " (at most %s)", texts.high);
	return text;
}

char *phrases_need(const struct comparison *comparison, const struct comparison_row *row,
		   char text[PHRASES_CLAUSE])
{
	const struct phrases_row texts = phrases_row(row);
	size_t needed = row->judged.samples_needed;

	/* The needed number is estimated only after the last pair. */
	if (comparison->answer == VERDICT_UNDECIDED)
		snprintf(text, PHRASES_CLAUSE, "%s needs more pairs", texts.name);
	else if (needed > 0)
		snprintf(text, PHRASES_CLAUSE, "%s needs about %zu %s", texts.name, needed,
			 comparison->paired ? "pairs" : "repeats of each");
	else
		snprintf(text, PHRASES_CLAUSE,
			 "%s is %s times the base's, too close to the margin of %g %% to decide",
			 texts.name, texts.ratio, 100 * comparison->margin);
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
