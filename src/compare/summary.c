/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer of a comparison in a sentence: the verdict, and the row or the
 * number of pairs that explains it.
 */
#include "compare/phrases.h"

#include "base/units.h"

#include <math.h>
#include <stdlib.h>

/* Return how much a row explains the answer: how many times as slow as base the new
 * side is, for rates and for times; or the number of pairs that a verdict needs, which
 * is infinite if nobody measures that many. */
static double weight_of(const struct comparison_row *row)
{
	double ratio = row->judged.interval.ratio;
	size_t needed = row->judged.samples_needed;

	if (row->judged.verdict == VERDICT_REGRESSION)
		return row->judged.more_is_better ? 1 / ratio : ratio;
	return needed > 0 ? (double)needed : INFINITY;
}

/* Return the row with the greatest weight among those with the answer's verdict;
 * there is one. */
static const struct comparison_row *find_row(const struct comparison *comparison)
{
	const struct comparison_row *found = NULL;
	size_t i;

	for (i = 0; i < comparison->row_count; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		if (row->judged.verdict == comparison->answer &&
		    (found == NULL || weight_of(row) > weight_of(found)))
			found = row;
	}
	return found;
}

static void write_regression(const struct comparison *comparison, FILE *stream)
{
	size_t count = phrases_count(comparison, VERDICT_REGRESSION);
	char clause[PHRASES_CLAUSE];

	fprintf(stream, ": %s, margin %g %%", phrases_clause(find_row(comparison), clause),
		100 * comparison->margin);
	if (count > 1)
		fprintf(stream, ", and %zu more", count - 1);
}

static void write_pass(const struct comparison *comparison, FILE *stream)
{
	double min = 1 - comparison->margin;
	size_t more = 0, i;

	for (i = 0; i < comparison->row_count; i++)
		more += comparison->rows[i].judged.more_is_better;
	fprintf(stream, ": %s ratio's interval lies ",
		comparison->row_count == 1 ? "the" : "every");
	if (more == comparison->row_count)
		fprintf(stream, "above %.3f", min);
	else if (more == 0)
		fprintf(stream, "below %.3f", 1 / min);
	else
		fprintf(stream, "above %.3f, or below %.3f where less is better", min, 1 / min);
}

static void write_inconclusive(const struct comparison *comparison, FILE *stream)
{
	char need[PHRASES_CLAUSE];

	if (comparison->paired)
		fprintf(stream, " after %zu %s", comparison->pairs,
			units_plural(comparison->pairs, "pair", "pairs"));
	if (comparison->out_of_time)
		fputs(", when --max-time was reached", stream);
	if (phrases_is_bounded(comparison))
		fprintf(stream, ": %s", phrases_need(comparison, find_row(comparison), need));
	else
		fprintf(stream, ": at least %zu %s are needed for a verdict", comparison->min,
			comparison->paired ? "pairs" : "repeats of each");
}

static void write_undecided(const struct comparison *comparison, FILE *stream)
{
	fprintf(stream, " after %zu of at most %zu pairs", comparison->pairs, comparison->budget);
}

char *comparison_summary(const struct comparison *comparison)
{
	static void (*const write[])(const struct comparison *comparison, FILE *stream) = {
		[VERDICT_INCONCLUSIVE] = write_inconclusive,
		[VERDICT_PASS] = write_pass,
		[VERDICT_REGRESSION] = write_regression,
		[VERDICT_UNDECIDED] = write_undecided,
	};
	const struct result_reasons *failures = &comparison->failures;
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	if (stream == NULL)
		return NULL;
	fputs(phrases_verdict(comparison->answer), stream);
	write[comparison->answer](comparison, stream);
	if (failures->count == 1)
		fprintf(stream, "; a --fail-if condition holds: %s", failures->texts[0]);
	else if (failures->count > 1)
		fprintf(stream, "; %zu --fail-if conditions hold", failures->count);
	if (fclose(stream) == 0)
		return text;
	free(text);
	return NULL;
}
