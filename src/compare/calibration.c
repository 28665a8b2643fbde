/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print a calibration: the noise of a machine, measured by comparing a target
 * with itself, and the margins and losses that a comparison on this machine can
 * detect.
 */
#include "compare/phrases.h"

#include "doc/render.h"
#include "result/combine.h"

#include <math.h>
#include <stdlib.h>

enum { USUAL_PAIRS = 20 };

/* The column "pairs" has the number of pairs needed to find a loss of LOSS with
 * a margin of SMALL_MARGIN. */
#define LOSS 0.05
#define SMALL_MARGIN 0.01

/* Multiply a median absolute deviation by this to get the standard deviation,
 * if the distribution is normal. */
#define SIGMA_OF_MEDIAN 1.4826

/* Return the standard deviation of the differences within the pairs. */
static double spread_of(const struct ratio_samples *samples)
{
	double *distances = calloc(samples->base_count, sizeof(double));
	double spread = NAN;
	size_t i;

	if (distances == NULL)
		return NAN;
	for (i = 0; i < samples->base_count; i++)
		distances[i] = fabs(log(samples->new[i] / samples->base[i]));
	spread = SIGMA_OF_MEDIAN * combine_median(distances, samples->base_count);
	free(distances);
	return spread;
}

static void add_row(struct doc *doc, const struct comparison *comparison,
		    const struct comparison_row *row)
{
	const struct ratio_samples *samples = &row->judged.samples;
	double alpha = comparison->alpha / (double)comparison->row_count;
	size_t count = samples->base_count, needed;
	struct ratio_interval interval;
	char median[PHRASES_NUMBER];

	doc_row(doc, DOC_PLAIN, 0);
	doc_cell_text(doc, "%u", row->users);
	doc_cell_text(doc, "%s", row->metric);
	doc_cell_text(doc, "%s", phrases_value(row, row->medians[BASE], median));
	doc_cell_text(doc, "%.2f%%", 100 * spread_of(samples));
	if (ratio_interval(samples, alpha, alpha, &interval) < 0 || interval.low <= 0 ||
	    isinf(interval.high)) {
		doc_cell(doc, NAN);
		doc_cell(doc, NAN);
		doc_cell(doc, NAN);
		return;
	}
	needed = ratio_needed(&interval, true, count, alpha, log((1 - SMALL_MARGIN) / (1 - LOSS)));
	doc_cell_text(doc, "%.4f", interval.ratio);
	doc_cell_text(doc, "%.2f%%", 100 * ratio_margin(&interval, count, alpha, USUAL_PAIRS));
	if (needed == 0)
		doc_cell_text(doc, "many");
	else
		doc_cell(doc, (double)needed);
}

/* With too few pairs, most columns are empty: say how to fill them. */
static void add_advice(struct doc *doc, const struct comparison *comparison)
{
	size_t min = ratio_min_repeats(true, comparison->alpha, comparison->row_count);

	const char *limits = "--pairs";

	if (comparison->pairs >= min)
		return;
	if (comparison->out_of_time)
		limits = comparison->budget < min ? "--max-time and --pairs" : "--max-time";
	doc_fact(doc, "advice",
		 "ratio, margin and pairs need at least %zu pairs, not %zu; increase %s", min,
		 comparison->pairs, limits);
}

int calibration_text(const struct comparison *comparison, FILE *stream)
{
	struct doc *doc = doc_new();
	size_t i;
	int rc;

	doc_table(doc, 0);
	doc_column(doc, "users", NUMBER_COUNT, DOC_LABEL);
	doc_column(doc, "metric", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_column(doc, "median", NUMBER_PLAIN, 0);
	doc_column(doc, "noise", NUMBER_SPREAD, 0);
	doc_column(doc, "ratio", NUMBER_RATIO, 0);
	doc_column(doc, "margin", NUMBER_SPREAD, 0);
	doc_column(doc, "pairs", NUMBER_COUNT, 0);
	for (i = 0; i < comparison->row_count; i++)
		add_row(doc, comparison, &comparison->rows[i]);
	doc_table_end(doc);
	doc_fact(doc, "noise", "standard deviation of the difference within a pair");
	doc_fact(doc, "margin", "smallest usable with %d pairs: equal targets pass in 4 of 5 cases",
		 USUAL_PAIRS);
	doc_fact(doc, "pairs", "number needed to find a loss of %.0f %% with --margin %.0f%%",
		 100 * LOSS, 100 * SMALL_MARGIN);
	add_advice(doc, comparison);
	rc = doc_text(doc, true, stream);
	doc_free(doc);
	return rc;
}
