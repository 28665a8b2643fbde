/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print a calibration: the noise of a machine, measured by comparing a target
 * with itself, and the margins and losses that a comparison on this machine can
 * detect.
 */
#include "compare/phrases.h"

#include "doc/escape.h"
#include "report/figure.h"
#include "report/rate.h"
#include "result/combine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_PAIRS = 20, METRIC_COLUMNS = 18, MEDIAN_COLUMNS = 9 };

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

static void print_row(const struct comparison *comparison, const struct comparison_row *row,
		      FILE *stream)
{
	const struct ratio_samples *samples = &row->judged.samples;
	const struct phrases_row texts = phrases_row(row);
	double alpha = comparison->alpha / (double)comparison->row_count;
	size_t count = samples->base_count, needed;
	struct ratio_interval interval;

	fprintf(stream, "%5u ", row->users);
	escape_column(row->metric, METRIC_COLUMNS, stream);
	fputc(' ', stream);
	figure_write_right(texts.medians[BASE], MEDIAN_COLUMNS, stream);
	fprintf(stream, " %-*s %6.2f%%", (int)strlen(rate_unit()), texts.unit,
		100 * spread_of(samples));
	if (ratio_interval(samples, alpha, alpha, &interval) < 0 || interval.low <= 0 ||
	    isinf(interval.high)) {
		fprintf(stream, " %8s %9s %6s\n", "-", "-", "-");
		return;
	}
	needed = ratio_needed(&interval, true, count, alpha, log((1 - SMALL_MARGIN) / (1 - LOSS)));
	fprintf(stream, " %8.4f %8.2f%%", interval.ratio,
		100 * ratio_margin(&interval, count, alpha, USUAL_PAIRS));
	if (needed == 0)
		fprintf(stream, " %6s\n", "many");
	else
		fprintf(stream, " %6zu\n", needed);
}

void calibration_text(const struct comparison *comparison, FILE *stream)
{
	size_t i;

	fprintf(stream, "\n%5s %-*s %*s %-*s %7s %8s %9s %6s\n", "users", METRIC_COLUMNS, "metric",
		MEDIAN_COLUMNS, "median", (int)strlen(rate_unit()), "", "noise", "ratio", "margin",
		"pairs");
	for (i = 0; i < comparison->row_count; i++)
		print_row(comparison, &comparison->rows[i], stream);
	fprintf(stream,
		"\nnoise    standard deviation of the difference within a pair\n"
		"margin   smallest usable with %d pairs: equal targets pass "
		"in 4 of 5 cases\n"
		"pairs    number needed to find a loss of %.0f %% with "
		"--margin %.0f%%\n",
		USUAL_PAIRS, 100 * LOSS, 100 * SMALL_MARGIN);
}
