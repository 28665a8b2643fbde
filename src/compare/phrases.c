/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/phrases.h"

#include <math.h>
#include <stdlib.h>

/* From here on ratios have four digits in all. */
#define GREAT_RATIO 10

char *phrases_ratio(double ratio, char text[WORDS_NUMBER])
{
	if (!isfinite(ratio) || !(ratio > 0))
		snprintf(text, WORDS_NUMBER, "-");
	else if (ratio < GREAT_RATIO)
		snprintf(text, WORDS_NUMBER, "%.3f", ratio);
	else
		snprintf(text, WORDS_NUMBER, "%.4g", ratio);
	return text;
}

char *phrases_value(double value, char text[WORDS_NUMBER])
{
	int decimals = 4 - (int)floor(log10(value));

	/* All have room in nine columns. */
	if (decimals > 7 || decimals < -4)
		snprintf(text, WORDS_NUMBER, "%.2e", value);
	else
		snprintf(text, WORDS_NUMBER, "%.*f",
			 decimals > 0 ? decimals : 0, value);
	return text;
}

char *phrases_row(const struct comparison_row *row, char text[WORDS_ROW])
{
	snprintf(text, WORDS_ROW, "%s at %u %s", row->metric, row->users,
		 row->users == 1 ? "user" : "users");
	return text;
}

/* " (1.150 to 1.300)", as far as there are bounds. */
static char *print_interval(const struct ratio_interval *interval,
			    char text[WORDS_CLAUSE])
{
	char low[WORDS_NUMBER], high[WORDS_NUMBER];
	bool from = interval->low > 0, to = isfinite(interval->high);

	phrases_ratio(interval->low, low);
	phrases_ratio(interval->high, high);
	if (from && to)
		snprintf(text, WORDS_CLAUSE, " (%s to %s)", low, high);
	else if (from)
		snprintf(text, WORDS_CLAUSE, " (at least %s)", low);
	else if (to)
		snprintf(text, WORDS_CLAUSE, " (at most %s)", high);
	else
		text[0] = '\0';
	return text;
}

char *phrases_clause(const struct comparison_row *row, char text[WORDS_CLAUSE])
{
	char name[WORDS_ROW], ratio[WORDS_NUMBER], interval[WORDS_CLAUSE];

	snprintf(text, WORDS_CLAUSE, "%s is %s times the base's%s",
		 phrases_row(row, name),
		 phrases_ratio(row->judged.interval.ratio, ratio),
		 print_interval(&row->judged.interval, interval));
	return text;
}

char *phrases_need(const struct comparison *comparison,
		   const struct comparison_row *row, char text[WORDS_CLAUSE])
{
	size_t needed = row->judged.samples_needed;
	char name[WORDS_ROW], ratio[WORDS_NUMBER];

	phrases_row(row, name);
	if (needed > 0)
		snprintf(text, WORDS_CLAUSE, "%s needs some %zu %s", name,
			 needed,
			 comparison->paired ? "pairs" : "repeats of each");
	else
		snprintf(text, WORDS_CLAUSE,
			 "%s is %s times the base's, too "
			 "close to the margin of %g %% to tell",
			 name, phrases_ratio(row->judged.interval.ratio, ratio),
			 100 * comparison->margin);
	return text;
}

const char *phrases_answer(const struct comparison *comparison)
{
	if (comparison->failures.count > 0 &&
	    comparison->answer != VERDICT_REGRESSION)
		return "limit not met";
	if (comparison->answer == VERDICT_PASS)
		return "no regression";
	return verdict_names[comparison->answer];
}

char *phrases_measured(const struct comparison *comparison)
{
	size_t pairs = comparison->pairs, budget = comparison->budget;
	const char *word = pairs == 1 ? "pair" : "pairs";
	char *text;
	int rc;

	if (!comparison->paired)
		rc = asprintf(&text, "not in pairs");
	else if (budget > 0)
		rc = asprintf(&text, "%zu %s, of %zu at the most", pairs, word,
			      budget);
	else
		rc = asprintf(&text, "%zu %s", pairs, word);
	return rc < 0 ? NULL : text;
}
