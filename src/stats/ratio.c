/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/ratio.h"

#include "stats/summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

const char *const side_names[SIDES] = {[BASE] = "base", [NEW] = "new"};

const char *const verdict_names[] = {
	[VERDICT_INCONCLUSIVE] = "inconclusive",
	[VERDICT_PASS] = "pass",
	[VERDICT_REGRESSION] = "regression",
	[VERDICT_UNDECIDED] = "undecided",
	NULL,
};

/* If a verdict needs more samples than this, the estimate is 0, because nobody
 * would measure them. */
enum { SAMPLES_MAX = 10000 };

/* The desired power: the share of true differences that are found. */
static const double power = 0.8;

/* Return how many values of a null distribution, from the lowest one on,
 * together have a probability of at most `alpha`. */
static size_t tail(const double *probability, size_t count, double alpha)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		sum += probability[i];
		if (sum > alpha)
			break;
	}
	return i;
}

/* Compute the null distribution of the signed-rank statistic, whose values are
 * 0 to pairs (pairs + 1) / 2. */
static void signed_rank(double *probability, size_t pairs)
{
	size_t max = 0, rank, i;

	probability[0] = 1;
	for (rank = 1; rank <= pairs; rank++) {
		for (i = max + 1; i <= max + rank; i++)
			probability[i] = 0;
		max += rank;
		for (i = max + 1; i-- > 0;)
			probability[i] = (probability[i] +
					  (i >= rank ? probability[i - rank]
						     : 0)) / 2;
	}
}

/*
 * Compute the null distribution of the rank-sum statistic of `m` and `n`
 * samples, whose values are 0 to m n. The largest of all samples is either one
 * of the `m` samples, and then larger than all `n` others, or it is one of the
 * `n` samples:
 * P(m, n, u) = m / (m + n) P(m - 1, n, u - n) + n / (m + n) P(m, n - 1, u).
 */
static int rank_sum(double *probability, size_t m, size_t n)
{
	size_t length = m * n + 1, i, j, u;
	double *rows = calloc((m + 1) * length, sizeof(*rows));

	if (rows == NULL)
		return -ENOMEM;
	for (i = 0; i <= m; i++)
		rows[i * length] = 1;
	for (j = 1; j <= n; j++) {
		for (i = 1; i <= m; i++) {
			double *row = &rows[i * length];
			const double *fewer = row - length;
			double share = (double)i / (double)(i + j);

			for (u = length; u-- > 0;)
				row[u] = (1 - share) * row[u] +
					 (u >= j ? share * fewer[u - j] : 0);
		}
	}
	memcpy(probability, &rows[m * length], length * sizeof(*rows));
	free(rows);
	return 0;
}

/* Differences of logarithms. For pairs and for unpaired samples, the estimate
 * is the median of these differences, and the interval ends at two of them. */
struct differences {
	double *values;
	size_t count;
	/* probability[n]: the probability that exactly n differences are below
	 * the true value. */
	double *probability;
};

static int make_room(struct differences *differences, size_t count)
{
	differences->count = count;
	differences->values = calloc(count, sizeof(double));
	differences->probability = calloc(count + 1, sizeof(double));
	return differences->values == NULL || differences->probability == NULL
		       ? -ENOMEM : 0;
}

/* Compute the Walsh averages of the pairs' differences: the mean of each two
 * differences, and each difference itself. */
static int differ_in_pairs(const struct ratio_samples *samples,
			   struct differences *differences)
{
	size_t pairs = samples->base_count, next = 0, i, j;
	int rc = make_room(differences, pairs * (pairs + 1) / 2);

	if (rc < 0)
		return rc;
	for (i = 0; i < pairs; i++)
		for (j = 0; j <= i; j++)
			differences->values[next++] =
				(log(samples->new[i] / samples->base[i]) +
				 log(samples->new[j] / samples->base[j])) / 2;
	signed_rank(differences->probability, pairs);
	return 0;
}

/* Compute the difference of each new sample from each base sample. */
static int differ_each_from_each(const struct ratio_samples *samples,
				 struct differences *differences)
{
	size_t next = 0, i, j;
	int rc = make_room(differences,
			   samples->base_count * samples->new_count);

	if (rc < 0)
		return rc;
	for (i = 0; i < samples->base_count; i++)
		for (j = 0; j < samples->new_count; j++)
			differences->values[next++] =
				log(samples->new[j] / samples->base[i]);
	return rank_sum(differences->probability, samples->base_count,
			samples->new_count);
}

static bool is_usable(const struct ratio_samples *samples)
{
	size_t i;

	for (i = 0; i < samples->base_count; i++)
		if (!(samples->base[i] > 0 && isfinite(samples->base[i])))
			return false;
	for (i = 0; i < samples->new_count; i++)
		if (!(samples->new[i] > 0 && isfinite(samples->new[i])))
			return false;
	return !samples->paired || samples->base_count == samples->new_count;
}

int ratio_interval(const struct ratio_samples *samples, double alpha_low,
		   double alpha_high, struct ratio_interval *interval)
{
	struct differences differences = {0};
	size_t below, above;
	int rc;

	*interval = (struct ratio_interval){NAN, 0, INFINITY};
	if (!is_usable(samples))
		return -EINVAL;
	if (samples->base_count == 0 || samples->new_count == 0)
		return 0;
	rc = samples->paired ? differ_in_pairs(samples, &differences)
			     : differ_each_from_each(samples, &differences);
	if (rc == 0) {
		interval->ratio = exp(summary_median(differences.values,
						     differences.count));
		below = tail(differences.probability, differences.count,
			     alpha_low);
		above = tail(differences.probability, differences.count,
			     alpha_high);
		if (below > 0)
			interval->low = exp(differences.values[below - 1]);
		if (above > 0)
			interval->high = exp(differences.values
						     [differences.count -
						      above]);
	}
	free(differences.values);
	free(differences.probability);
	return rc;
}

enum verdict ratio_judge(const struct ratio_interval *interval,
			 bool more_is_better, double margin)
{
	double low = more_is_better ? interval->low : 1 / interval->high;
	double high = more_is_better ? interval->high : 1 / interval->low;

	if (high < 1 - margin)
		return VERDICT_REGRESSION;
	return low >= 1 - margin ? VERDICT_PASS : VERDICT_INCONCLUSIVE;
}

size_t ratio_still_needed(const struct ratio_comparison *comparison,
			  double margin, double alpha)
{
	const struct ratio_samples *samples = &comparison->samples;
	double limit = comparison->more_is_better ? 1 - margin
						  : 1 / (1 - margin);
	size_t count = samples->base_count < samples->new_count
			       ? samples->base_count : samples->new_count;
	size_t needed = ratio_needed(&comparison->interval, samples->paired,
				     count, alpha,
				     log(comparison->interval.ratio / limit));

	return needed > 0 && needed <= count ? count + 1 : needed;
}

bool ratio_share_alpha(const struct ratio_comparison *comparisons,
		       size_t count, double alpha, struct ratio_levels *levels)
{
	const struct ratio_levels before = *levels;
	size_t passes = 0, regressions = 0, i;

	for (i = 0; i < count; i++) {
		passes += comparisons[i].verdict == VERDICT_PASS;
		regressions += comparisons[i].verdict == VERDICT_REGRESSION;
	}
	if (passes < count)
		levels->pass = alpha / (double)(count - passes);
	if (regressions < count)
		levels->regression = alpha / (double)(count - regressions);
	return levels->pass > before.pass ||
	       levels->regression > before.regression;
}

int ratio_compare(struct ratio_comparison *comparisons, size_t count,
		  double margin, double alpha)
{
	struct ratio_levels levels = {0};
	int rc = 0;
	size_t i;

	for (i = 0; i < count; i++)
		comparisons[i].verdict = VERDICT_INCONCLUSIVE;
	while (rc == 0 &&
	       ratio_share_alpha(comparisons, count, alpha, &levels)) {
		for (i = 0; i < count && rc == 0; i++) {
			struct ratio_comparison *one = &comparisons[i];
			bool more = one->more_is_better;

			rc = ratio_interval(
				&one->samples,
				more ? levels.pass : levels.regression,
				more ? levels.regression : levels.pass,
				&one->interval);
			if (rc == 0)
				one->verdict = ratio_judge(&one->interval,
							   more, margin);
		}
	}
	for (i = 0; i < count && rc == 0; i++)
		comparisons[i].samples_needed =
			comparisons[i].verdict != VERDICT_INCONCLUSIVE
				? 0
				: ratio_still_needed(&comparisons[i], margin,
						     fmin(levels.pass,
							  levels.regression));
	return rc;
}

enum verdict ratio_answer(const struct ratio_comparison *comparisons,
			  size_t count)
{
	size_t passes = 0, i;

	for (i = 0; i < count; i++) {
		if (comparisons[i].verdict == VERDICT_REGRESSION)
			return VERDICT_REGRESSION;
		passes += comparisons[i].verdict == VERDICT_PASS;
	}
	return passes == count ? VERDICT_PASS : VERDICT_INCONCLUSIVE;
}

size_t ratio_min_repeats(bool paired, double alpha, size_t comparisons)
{
	double probability = 1; /* of the most extreme outcome */
	size_t count = 0;

	while (probability > alpha / (double)comparisons) {
		count++;
		/* After n steps: 1 / 2^n or, unpaired, 1 / (2n choose n). */
		probability /= paired ? 2 : 4 - 2 / (double)count;
	}
	return count;
}

/* Return half the interval's width on the logarithmic scale, widened for the
 * desired power. Assume normally distributed noise for this. */
static double reach(const struct ratio_interval *interval, double alpha)
{
	double z = gsl_cdf_ugaussian_Qinv(alpha);

	return log(interval->high / interval->low) / 2 *
	       (z + gsl_cdf_ugaussian_Pinv(power)) / z;
}

/* Extrapolate: the width of an interval shrinks with the square root of the
 * number of pairs. */
size_t ratio_needed(const struct ratio_interval *interval, bool paired,
		    size_t count, double alpha, double distance)
{
	size_t min = ratio_min_repeats(paired, alpha, 1);
	double needed;

	if (!isfinite(interval->high) || !(interval->low > 0))
		return min;
	needed = (double)count *
		 pow(reach(interval, alpha) / fabs(distance), 2);
	if (!(needed <= SAMPLES_MAX))
		return 0;
	return needed > (double)min ? (size_t)ceil(needed) : min;
}

double ratio_margin(const struct ratio_interval *interval, size_t count,
		    double alpha, size_t wanted)
{
	return 1 - exp(-reach(interval, alpha) *
		       sqrt((double)count / (double)wanted));
}
