/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/phrases.h"

#include <math.h>
#include <stdlib.h>

/* By how much the new one is slower: above 1. */
static double loss_of(const struct comparison_row *row)
{
	double ratio = row->judged.interval.ratio;

	return row->judged.more_is_better ? 1 / ratio : ratio;
}

static const struct comparison_row *
greatest_loss(const struct comparison *comparison)
{
	const struct comparison_row *greatest = NULL;
	size_t i;

	for (i = 0; i < comparison->row_count; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		if (row->judged.verdict == VERDICT_REGRESSION &&
		    (greatest == NULL || loss_of(row) > loss_of(greatest)))
			greatest = row;
	}
	return greatest;
}

/* How many pairs it takes; more than anybody measures is more than others. */
static double pairs_needed(const struct comparison_row *row)
{
	size_t needed = row->judged.samples_needed;

	return needed > 0 ? (double)needed : INFINITY;
}

static const struct comparison_row *
farthest_from_an_answer(const struct comparison *comparison)
{
	const struct comparison_row *farthest = NULL;
	size_t i;

	for (i = 0; i < comparison->row_count; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		if (row->judged.verdict == VERDICT_INCONCLUSIVE &&
		    (farthest == NULL ||
		     pairs_needed(row) > pairs_needed(farthest)))
			farthest = row;
	}
	return farthest;
}

static void tell_regression(const struct comparison *comparison, FILE *stream)
{
	size_t count = 0, i;
	char clause[WORDS_CLAUSE];

	for (i = 0; i < comparison->row_count; i++)
		count += comparison->rows[i].judged.verdict == VERDICT_REGRESSION;
	fprintf(stream, "regression: %s, margin %g %%",
		phrases_clause(greatest_loss(comparison), clause),
		100 * comparison->margin);
	if (count > 1)
		fprintf(stream, ", and %zu more", count - 1);
}

static void tell_pass(const struct comparison *comparison, FILE *stream)
{
	double min = 1 - comparison->margin;
	size_t more = 0, i;

	for (i = 0; i < comparison->row_count; i++)
		more += comparison->rows[i].judged.more_is_better;
	fprintf(stream, "no regression: %s ratio's interval lies ",
		comparison->row_count == 1 ? "the" : "every");
	if (more > 0)
		fprintf(stream, "above %.3f", min);
	if (more > 0 && more < comparison->row_count)
		fputs(", where less is better ", stream);
	if (more < comparison->row_count)
		fprintf(stream, "below %.3f", 1 / min);
}

/* Does any interval have an end? Then there were enough pairs for that. */
static bool is_any_bounded(const struct comparison *comparison)
{
	size_t i;

	for (i = 0; i < comparison->row_count; i++) {
		const struct ratio_interval *interval =
			&comparison->rows[i].judged.interval;

		if (interval->low > 0 || isfinite(interval->high))
			return true;
	}
	return false;
}

static void tell_inconclusive(const struct comparison *comparison,
			      FILE *stream)
{
	const char *word = comparison->pairs == 1 ? "pair" : "pairs";
	char need[WORDS_CLAUSE];

	fputs("inconclusive", stream);
	if (is_any_bounded(comparison)) {
		if (comparison->paired)
			fprintf(stream, " after %zu %s", comparison->pairs,
				word);
		fprintf(stream, ": %s",
			phrases_need(comparison,
				     farthest_from_an_answer(comparison),
				     need));
	} else if (comparison->paired) {
		fprintf(stream, ": %zu %s can never decide; %zu are needed",
			comparison->pairs, word, comparison->min);
	} else {
		fprintf(stream,
			": so few repeats can never decide; %zu of "
			"each are needed",
			comparison->min);
	}
}

char *comparison_summary(const struct comparison *comparison)
{
	const struct result_reasons *failures = &comparison->failures;
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	if (stream == NULL)
		return NULL;
	switch (comparison->answer) {
	case VERDICT_REGRESSION:
		tell_regression(comparison, stream);
		break;
	case VERDICT_PASS:
		tell_pass(comparison, stream);
		break;
	case VERDICT_INCONCLUSIVE:
		tell_inconclusive(comparison, stream);
		break;
	case VERDICT_UNDECIDED:
		fprintf(stream, "undecided after %zu %s, of %zu at the most",
			comparison->pairs,
			comparison->pairs == 1 ? "pair" : "pairs",
			comparison->budget);
		break;
	}
	if (failures->count == 1)
		fprintf(stream, "; limit not met: %s", failures->texts[0]);
	else if (failures->count > 1)
		fprintf(stream, "; %zu limits not met", failures->count);
	if (fclose(stream) == 0)
		return text;
	free(text);
	return NULL;
}
