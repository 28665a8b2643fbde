/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/sequential.h"

#include "base/random.h"
#include "result/combine.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* Up to this number of pairs, enumerate all combinations of signs. */
	ENUMERATED = 16,
	MAX_PATHS = 1 << ENUMERATED,
	/* Store and add up the flips of 8 pairs at a time. */
	BYTE = 8,
	BYTE_VALUES = 1 << BYTE,
	ENUMERATED_BYTES = ENUMERATED / BYTE,
	/* Scale distances to integers up to this value, so that equal sums
	 * compare equal. The scale is fine enough to keep different sums
	 * apart. */
	GREATEST = 1 << 14,
};

/* Cut distances at this many times their median. */
static const double far_off = 2.5;

/*
 * The combinations of signs that the test compares (see sequential.h). A path
 * is one combination: it says for which pairs the sign of the distance from the
 * margin is flipped. Path 0 flips none: it has the signs that were measured.
 */
struct paths {
	size_t count;
	/* Per path: it was significant after some pair. */
	unsigned char *significant;
	int32_t *sums; /* per path: the sum of the distances that it flips */
	/* Random flips of the pairs after the first ENUMERATED. */
	unsigned char *drawn;
};

static int make_paths(struct paths *paths, size_t pairs)
{
	size_t max = pairs < ENUMERATED ? (size_t)1 << pairs : MAX_PATHS;
	size_t bytes = (pairs + BYTE - 1) / BYTE, i;
	struct random random;

	*paths = (struct paths){
		.count = 1,
		.significant = calloc(max, 1),
		.sums = calloc(max, sizeof(*paths->sums)),
	};
	if (paths->significant == NULL || paths->sums == NULL)
		return -ENOMEM;
	if (bytes <= ENUMERATED_BYTES)
		return 0;
	bytes -= ENUMERATED_BYTES;
	paths->drawn = malloc(bytes * MAX_PATHS);
	if (paths->drawn == NULL)
		return -ENOMEM;
	random_start(&random, 0, 0);
	random_fill(&random, paths->drawn, bytes * MAX_PATHS);
	for (i = 0; i < bytes; i++)
		paths->drawn[i * MAX_PATHS] = 0;
	return 0;
}

/*
 * For up to 8 pairs (one byte of signs), add each pair's distance to the sums
 * of the paths that flip it.
 */
static void add_byte(struct paths *paths, const int32_t *distances, size_t count, size_t byte)
{
	int32_t sums[BYTE_VALUES] = {0};
	size_t i, j;

	for (i = 0; i < BYTE; i++)
		for (j = 0; j < (size_t)1 << i; j++)
			sums[j | (size_t)1 << i] = sums[j] + (i < count ? distances[i] : 0);
	if (byte < ENUMERATED_BYTES) {
		for (i = 0; i < paths->count; i++)
			paths->sums[i] += sums[i >> (byte * BYTE) & (BYTE_VALUES - 1)];
	} else {
		const unsigned char *drawn = paths->drawn + (byte - ENUMERATED_BYTES) * MAX_PATHS;

		for (i = 0; i < paths->count; i++)
			paths->sums[i] += sums[drawn[i]];
	}
}

/* Count the paths with a sum of at least `min`. */
static size_t count_from(const struct paths *paths, int32_t min)
{
	size_t count = 0, i;

	for (i = 0; i < paths->count; i++)
		count += paths->sums[i] >= min;
	return count;
}

/* Return the number of paths that may be significant: share * paths, rounded
 * down. In theory this is often an integer, so allow for a rounding error. */
static size_t allowed(double share, double paths)
{
	return (size_t)(share * paths + 1e-6);
}

/*
 * Mark the paths with the greatest sums as significant, until `share` of all
 * paths are. The further the measured distances lie below 0, the lower are the
 * sums of the paths that flip some of them, and the sooner path 0, whose sum is
 * 0, has one of the greatest sums.
 */
static void look(struct paths *paths, size_t pairs, double share)
{
	size_t max = allowed(share, (double)paths->count);
	int32_t high = (int32_t)pairs * GREATEST + 1, low = -high;
	size_t before = 0, i;

	for (i = 0; i < paths->count; i++) {
		before += paths->significant[i];
		if (paths->significant[i])
			paths->sums[i] = INT32_MIN;
	}
	if (max <= before)
		return;
	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (count_from(paths, middle) <= max - before)
			high = middle;
		else
			low = middle + 1;
	}
	for (i = 0; i < paths->count; i++)
		paths->significant[i] |= paths->sums[i] >= low;
}

/* Scale distances to integers, and cut them at far_off. */
static void scale(const double *distances, size_t pairs, double *scratch, int32_t *scaled)
{
	double limit, greatest = 0;
	size_t i;

	for (i = 0; i < pairs; i++) {
		scratch[i] = fabs(distances[i]);
		greatest = fmax(greatest, scratch[i]);
	}
	limit = far_off * combine_median(scratch, pairs);
	/* If more than half of the distances are 0, so is the median: cut
	 * nothing. */
	if (limit == 0 || limit > greatest)
		limit = greatest;
	for (i = 0; i < pairs && limit > 0; i++)
		scaled[i] = (int32_t)lrint(GREATEST / limit *
					   fmax(-limit, fmin(limit, distances[i])));
}

/* Return the share of all sums that may be significant after `pairs` of
 * `budget` pairs (see sequential.h). */
static double share_spent(double alpha, size_t pairs, size_t budget)
{
	return alpha * pow((double)pairs / (double)budget, 2.5);
}

int sequential_test(const double *distances, size_t pairs, size_t budget, double alpha,
		    size_t *after)
{
	double *scratch = calloc(pairs + 1, sizeof(*scratch));
	int32_t *scaled = calloc(pairs + 1, sizeof(*scaled));
	struct paths paths;
	int rc = make_paths(&paths, pairs);
	size_t n, i;

	*after = 0;
	if (scratch == NULL || scaled == NULL)
		rc = -ENOMEM;
	for (n = 1; n <= pairs && rc == 0; n++) {
		/* Continue each path twice: the new pair flipped, and not
		 * flipped. */
		if (n <= ENUMERATED) {
			memcpy(paths.significant + paths.count, paths.significant, paths.count);
			paths.count *= 2;
		}
		scale(distances, n, scratch, scaled);
		memset(paths.sums, 0, paths.count * sizeof(*paths.sums));
		for (i = 0; i < n; i += BYTE)
			add_byte(&paths, scaled + i, n - i, i / BYTE);
		look(&paths, n, share_spent(alpha, n, budget));
		if (paths.significant[0]) {
			*after = n;
			break;
		}
	}
	free(paths.significant);
	free(paths.sums);
	free(paths.drawn);
	free(scratch);
	free(scaled);
	return rc;
}

/* Test if the ratio is significantly below exp(limit) or, with a `sign` of -1,
 * above it. */
static int excludes(const struct ratio_samples *samples, double limit, double sign, size_t budget,
		    double alpha, bool *excluded)
{
	double *distances = calloc(samples->base_count + 1, sizeof(*distances));
	size_t after = 0, i;
	int rc = -ENOMEM;

	if (distances != NULL) {
		/* Compute distances from the limit on the logarithmic scale. */
		for (i = 0; i < samples->base_count; i++)
			distances[i] = sign * (log(samples->new[i] / samples->base[i]) - limit);
		rc = sequential_test(distances, samples->base_count, budget, alpha, &after);
	}
	free(distances);
	*excluded = after > 0;
	return rc;
}

/*
 * Find the end of the interval by bisection: the excluded ratio that is nearest
 * to `inside`. Search above `inside` if `sign` is 1, below it if `sign` is -1.
 * `inside` is the logarithm of a ratio that is not excluded.
 */
static int find_end(const struct ratio_samples *samples, double inside, double sign, size_t budget,
		    double alpha, double *end)
{
	const double beyond = 16, precise = 1e-7;
	double outside = inside + sign * beyond;
	bool excluded;
	int rc = excludes(samples, outside, sign, budget, alpha, &excluded);

	if (!excluded)
		outside = sign * INFINITY;
	while (rc == 0 && excluded && fabs(outside - inside) > precise) {
		double middle = (inside + outside) / 2;
		bool there;

		rc = excludes(samples, middle, sign, budget, alpha, &there);
		if (there)
			outside = middle;
		else
			inside = middle;
	}
	*end = exp(outside);
	return rc;
}

static int judge(struct ratio_comparison *comparison, const struct sequential_rule *rule,
		 const struct ratio_levels *levels)
{
	const struct ratio_samples *samples = &comparison->samples;
	/* The limit is the logarithm of the ratio at which the loss is equal to
	 * the margin. A regression is a ratio below it if `sign` is 1, above it
	 * if `sign` is -1. */
	double sign = comparison->more_is_better ? 1 : -1;
	double limit = sign * log1p(-rule->margin);
	bool worse, better;
	int rc = excludes(samples, limit, sign, rule->budget, levels->regression, &worse);

	if (rc == 0)
		rc = excludes(samples, limit, -sign, rule->budget, levels->pass, &better);
	if (rc < 0)
		return rc;
	comparison->verdict = worse    ? VERDICT_REGRESSION
			      : better ? VERDICT_PASS
				       : VERDICT_INCONCLUSIVE;
	return 0;
}

/* Find the interval and samples_needed of a comparison that has been judged. */
static int find_interval(struct ratio_comparison *comparison, const struct sequential_rule *rule,
			 const struct ratio_levels *levels)
{
	const struct ratio_samples *samples = &comparison->samples;
	struct ratio_interval *interval = &comparison->interval;
	bool more = comparison->more_is_better;
	double alpha_low = more ? levels->pass : levels->regression;
	double alpha_high = more ? levels->regression : levels->pass;
	int rc = find_end(samples, log(interval->ratio), -1, rule->budget, alpha_low,
			  &interval->low);

	if (rc == 0)
		rc = find_end(samples, log(interval->ratio), 1, rule->budget, alpha_high,
			      &interval->high);
	if (rc == 0 && comparison->verdict == VERDICT_INCONCLUSIVE)
		comparison->samples_needed = ratio_still_needed(comparison, rule->margin, levels);
	return rc;
}

/* Return the common answer. As long as more pairs may follow, it is undecided
 * instead of inconclusive. */
static enum verdict answer_of(const struct ratio_comparison *comparisons, size_t count,
			      const struct sequential_rule *rule)
{
	enum verdict answer = ratio_answer(comparisons, count);
	size_t i;

	for (i = 0; i < count && answer == VERDICT_INCONCLUSIVE; i++)
		if (comparisons[i].samples.base_count < rule->budget && !rule->final)
			return VERDICT_UNDECIDED;
	return answer;
}

int sequential_compare(struct ratio_comparison *comparisons, size_t count,
		       const struct sequential_rule *rule, enum verdict *answer)
{
	struct ratio_levels levels = {0};
	int rc = 0;
	size_t i;

	*answer = VERDICT_UNDECIDED;
	/* Estimate the ratios first: ratio_interval also checks the samples. */
	for (i = 0; i < count && rc == 0; i++) {
		comparisons[i].samples_needed = 0;
		comparisons[i].verdict = VERDICT_INCONCLUSIVE;
		comparisons[i].method = RATIO_SEQUENTIAL;
		rc = ratio_interval(&comparisons[i].samples, 0, 0, &comparisons[i].interval);
	}
	while (rc == 0 && ratio_share_alpha(comparisons, count, rule->alpha, &levels))
		for (i = 0; i < count && rc == 0; i++)
			rc = judge(&comparisons[i], rule, &levels);
	if (rc < 0)
		return rc;
	*answer = answer_of(comparisons, count, rule);
	for (i = 0; i < count && rc == 0 && *answer != VERDICT_UNDECIDED; i++)
		rc = find_interval(&comparisons[i], rule, &levels);
	return rc;
}

size_t sequential_min_pairs(const struct sequential_rule *rule)
{
	size_t pairs;

	for (pairs = 1; pairs <= rule->budget; pairs++) {
		double paths = pairs < ENUMERATED ? exp2((double)pairs) : MAX_PATHS;

		if (allowed(share_spent(rule->alpha, pairs, rule->budget), paths) > 0)
			return pairs;
	}
	return 0;
}
