/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/ratio.h"

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

const char *const ratio_method_names[] = {
	[RATIO_EXACT] = "exact",
	[RATIO_NORMAL] = "normal",
	[RATIO_SEQUENTIAL] = "sequential",
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
					  (i >= rank ? probability[i - rank] : 0)) /
					 2;
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
				row[u] = (1 - share) * row[u] + (u >= j ? share * fewer[u - j] : 0);
		}
	}
	memcpy(probability, &rows[m * length], length * sizeof(*rows));
	free(rows);
	return 0;
}

/*
 * Differences of logarithms, which are never stored: there is one for each two
 * entries. For pairs and for unpaired samples, the estimate is the median of
 * these differences, and the interval ends at two of them.
 *
 * Unpaired samples: each new[j] - base[i]. Pairs: the Walsh averages of the
 * pairs' differences d, times 2, which are d[i] + d[j] for j <= i. With d in
 * new[] and -d in base[], these are half of all new[j] - base[i].
 */
struct differences {
	bool paired;
	double *new, *base; /* sorted logarithms */
	size_t new_count, base_count;
	size_t count; /* number of differences */
};

static int by_value(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

static int take_differences(const struct ratio_samples *samples, struct differences *all)
{
	size_t bases = samples->base_count, news = samples->new_count, i;

	*all = (struct differences){
		.paired = samples->paired,
		.new = calloc(news, sizeof(double)),
		.base = calloc(bases, sizeof(double)),
		.new_count = news,
		.base_count = bases,
		.count = samples->paired ? bases *(bases + 1) / 2 : bases *news,
	};
	if (all->new == NULL || all->base == NULL)
		return -ENOMEM;
	for (i = 0; i < news; i++)
		all->new[i] = log(samples->paired ? samples->new[i] / samples->base[i]
						  : samples->new[i]);
	for (i = 0; i < bases; i++)
		all->base[i] = samples->paired ? -all->new[i] : log(samples->base[i]);
	qsort(all->new, news, sizeof(double), by_value);
	qsort(all->base, bases, sizeof(double), by_value);
	return 0;
}

/* Count the differences up to `limit`. */
static size_t count_up_to(const struct differences *all, double limit)
{
	size_t count = 0, twins = 0, first = 0, i;

	for (i = 0; i < all->new_count; i++) {
		/* The greater new[i] is, the fewer base[] are great enough. */
		while (first < all->base_count && all->new[i] - all->base[first] > limit)
			first++;
		count += all->base_count - first;
		twins += all->new[i] + all->new[i] <= limit;
	}
	return all->paired ? (count + twins) / 2 : count;
}

/*
 * Return the logarithm of a ratio: the difference that is number `rank`, from 1,
 * in ascending order. Find it by bisection, down to neighbouring numbers.
 */
static double pick(const struct differences *all, size_t rank)
{
	double below = all->new[0] - all->base[all->base_count - 1];
	double found = all->new[all->new_count - 1] - all->base[0], middle;

	if (count_up_to(all, below) >= rank)
		found = below;
	while (middle = below + (found - below) / 2, middle > below && middle < found) {
		if (count_up_to(all, middle) >= rank)
			found = middle;
		else
			below = middle;
	}
	return all->paired ? found / 2 : found;
}

/* With up to this number of pairs, or this product of the numbers of base and
 * new samples, the null distribution is computed; the time is about 0.1 s. */
enum { EXACT_PAIRS = 200, EXACT_PRODUCT = 100 * 100 };

enum ratio_method ratio_method(const struct ratio_samples *samples)
{
	size_t bases = samples->base_count, news = samples->new_count;

	if (samples->paired)
		return bases <= EXACT_PAIRS ? RATIO_EXACT : RATIO_NORMAL;
	return news == 0 || bases <= EXACT_PRODUCT / news ? RATIO_EXACT : RATIO_NORMAL;
}

/* The ranks of the differences between which the interval ends: its lower end
 * is number `low` from below, its upper end number `high` from above. 0: it has
 * no such end. */
struct ends {
	size_t low, high;
};

static int find_exact_ends(const struct differences *all, double alpha_low, double alpha_high,
			   struct ends *ends)
{
	double *probability = calloc(all->count + 1, sizeof(double));
	int rc = 0;

	if (probability == NULL)
		return -ENOMEM;
	if (all->paired)
		signed_rank(probability, all->base_count);
	else
		rc = rank_sum(probability, all->base_count, all->new_count);
	if (rc == 0) {
		ends->low = tail(probability, all->count, alpha_low);
		ends->high = tail(probability, all->count, alpha_high);
	}
	free(probability);
	return rc;
}

/* Return the greatest rank up to which the null distribution has at most
 * `alpha`, if it is normal. A continuity correction of 0.5 is applied. */
static size_t normal_end(double mean, double deviation, double alpha)
{
	double rank = mean + 0.5 - deviation * gsl_cdf_ugaussian_Qinv(alpha);

	return rank > 0 ? (size_t)rank : 0;
}

/*
 * Take the null distribution to be normal, with the mean and variance that it
 * has without ties. Ties make the variance smaller, and would make the interval
 * shorter. Beyond sqrt(3) standard deviations, the tails of the true
 * distribution are lighter than those of the normal one, so that the rate of
 * wrong verdicts is never above an alpha of up to 4 %. It may be a little above
 * a larger alpha.
 */
static struct ends find_normal_ends(const struct differences *all, double alpha_low,
				    double alpha_high)
{
	double m = (double)all->base_count, n = (double)all->new_count;
	double mean = (double)all->count / 2;
	double variance = all->paired ? m * (m + 1) * (2 * m + 1) / 24 : m * n * (m + n + 1) / 12;

	return (struct ends){
		normal_end(mean, sqrt(variance), alpha_low),
		normal_end(mean, sqrt(variance), alpha_high),
	};
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

int ratio_interval(const struct ratio_samples *samples, double alpha_low, double alpha_high,
		   struct ratio_interval *interval)
{
	struct differences all = {0};
	struct ends ends = {0};
	int rc;

	*interval = (struct ratio_interval){NAN, 0, INFINITY};
	if (!is_usable(samples))
		return -EINVAL;
	if (samples->base_count == 0 || samples->new_count == 0)
		return 0;
	rc = take_differences(samples, &all);
	if (rc == 0 && ratio_method(samples) == RATIO_EXACT)
		rc = find_exact_ends(&all, alpha_low, alpha_high, &ends);
	else if (rc == 0)
		ends = find_normal_ends(&all, alpha_low, alpha_high);
	if (rc == 0) {
		interval->ratio = exp(
			(pick(&all, (all.count + 1) / 2) + pick(&all, all.count / 2 + 1)) / 2);
		if (ends.low > 0)
			interval->low = exp(pick(&all, ends.low));
		if (ends.high > 0)
			interval->high = exp(pick(&all, all.count + 1 - ends.high));
	}
	free(all.new);
	free(all.base);
	return rc;
}

enum verdict ratio_judge(const struct ratio_interval *interval, bool more_is_better, double margin)
{
	double low = more_is_better ? interval->low : 1 / interval->high;
	double high = more_is_better ? interval->high : 1 / interval->low;

	if (high < 1 - margin)
		return VERDICT_REGRESSION;
	return low >= 1 - margin ? VERDICT_PASS : VERDICT_INCONCLUSIVE;
}

/* Return an interval that is as wide as that of the comparison would be if both
 * of its ends were at the level `alpha`. */
static struct ratio_interval at_level(const struct ratio_comparison *comparison,
				      const struct ratio_levels *levels, double alpha)
{
	const struct ratio_interval *interval = &comparison->interval;
	double z = gsl_cdf_ugaussian_Qinv(alpha);
	double ends = gsl_cdf_ugaussian_Qinv(levels->pass) +
		      gsl_cdf_ugaussian_Qinv(levels->regression);
	double half = log(interval->high / interval->low) * z / ends;

	return (struct ratio_interval){interval->ratio, exp(-half), exp(half)};
}

size_t ratio_still_needed(const struct ratio_comparison *comparison, double margin,
			  const struct ratio_levels *levels)
{
	const struct ratio_samples *samples = &comparison->samples;
	double limit = comparison->more_is_better ? 1 - margin : 1 / (1 - margin);
	double distance = log(comparison->interval.ratio / limit);
	double alpha = (distance < 0) == comparison->more_is_better ? levels->regression
								    : levels->pass;
	const struct ratio_interval interval = at_level(comparison, levels, alpha);
	size_t count = samples->base_count < samples->new_count ? samples->base_count
								: samples->new_count;
	size_t needed = ratio_needed(&interval, samples->paired, count, alpha, distance);

	return needed > 0 && needed <= count ? count + 1 : needed;
}

bool ratio_share_alpha(const struct ratio_comparison *comparisons, size_t count, double alpha,
		       struct ratio_levels *levels)
{
	double before = levels->regression;
	size_t regressions = 0, i;

	for (i = 0; i < count; i++)
		regressions += comparisons[i].verdict == VERDICT_REGRESSION;
	levels->pass = alpha;
	if (regressions < count)
		levels->regression = alpha / (double)(count - regressions);
	return levels->regression > before;
}

int ratio_compare(struct ratio_comparison *comparisons, size_t count, double margin, double alpha)
{
	struct ratio_levels levels = {0};
	int rc = 0;
	size_t i;

	for (i = 0; i < count; i++)
		comparisons[i].verdict = VERDICT_INCONCLUSIVE;
	while (rc == 0 && ratio_share_alpha(comparisons, count, alpha, &levels)) {
		for (i = 0; i < count && rc == 0; i++) {
			struct ratio_comparison *one = &comparisons[i];
			bool more = one->more_is_better;

			rc = ratio_interval(&one->samples, more ? levels.pass : levels.regression,
					    more ? levels.regression : levels.pass, &one->interval);
			one->method = ratio_method(&one->samples);
			if (rc == 0)
				one->verdict = ratio_judge(&one->interval, more, margin);
		}
	}
	for (i = 0; i < count && rc == 0; i++)
		comparisons[i].samples_needed = comparisons[i].verdict != VERDICT_INCONCLUSIVE
							? 0
							: ratio_still_needed(&comparisons[i],
									     margin, &levels);
	return rc;
}

enum verdict ratio_answer(const struct ratio_comparison *comparisons, size_t count)
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

	return log(interval->high / interval->low) / 2 * (z + gsl_cdf_ugaussian_Pinv(power)) / z;
}

/* Extrapolate: the width of an interval shrinks with the square root of the
 * number of pairs. */
size_t ratio_needed(const struct ratio_interval *interval, bool paired, size_t count, double alpha,
		    double distance)
{
	size_t min = ratio_min_repeats(paired, alpha, 1);
	double needed;

	if (!isfinite(interval->high) || !(interval->low > 0))
		return min;
	needed = (double)count * pow(reach(interval, alpha) / fabs(distance), 2);
	if (!(needed <= SAMPLES_MAX))
		return 0;
	return needed > (double)min ? (size_t)ceil(needed) : min;
}

double ratio_margin(const struct ratio_interval *interval, size_t count, double alpha,
		    size_t wanted)
{
	return 1 - exp(-reach(interval, alpha) * sqrt((double)count / (double)wanted));
}
