/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/standing.h"

#include "stats/ratio.h"

#include <errno.h>
#include <stdlib.h>

/* The default of throng compare. */
#define ALPHA 0.025

/* Collect the throughput of the valid repeats of a point. Return their number. `values`
 * has room for all repeats. */
static size_t take_values(const struct view *view, const struct result_point *point, double *values)
{
	size_t count = 0, i;

	for (i = 0; i < point->repeat_count; i++)
		if (result_repeat_is_valid(&point->repeats[i]))
			values[count++] = view_rate(view, &point->repeats[i].records);
	return count;
}

/* Compare two sides. `alpha` is the probability that the interval ends on the wrong side of
 * the true ratio, for either end. */
static enum standing_relation relate(struct doc *doc, const struct view *view,
				     const struct standing_rank *faster,
				     const struct standing_rank *slower, double alpha)
{
	const struct result_point *new = faster->place->points[faster->side];
	const struct result_point *base = slower->place->points[slower->side];
	double *values = calloc(new->repeat_count + base->repeat_count, sizeof(*values));
	struct ratio_samples samples = {.new = values};
	struct ratio_interval interval = {0};
	int rc = -ENOMEM;

	if (values != NULL) {
		samples.new_count = take_values(view, new, values);
		samples.base = values + new->repeat_count;
		samples.base_count = take_values(view, base, values + new->repeat_count);
		rc = ratio_interval(&samples, alpha, alpha, &interval);
	}
	free(values);
	if (rc == -ENOMEM)
		doc_fail(doc);
	if (rc == 0 && interval.low > 0)
		return interval.low > 1 ? STANDING_CLEAR : STANDING_WITHIN;
	return samples.new_count <= 1 && samples.base_count <= 1 ? STANDING_ONCE : STANDING_FEW;
}

/* Put a side at its rank. Equally fast sides keep their order. */
static void rank_side(struct standing *standing, const struct view *view, size_t side,
		      const struct result_point *point)
{
	const struct standing_rank rank = {
		.side = side,
		.place = view_place_of(view, side, point),
		.rate = view_rate(view, &point->records),
	};
	size_t i = standing->count++;

	for (; i > 0 && standing->ranks[i - 1].rate < rank.rate; i--)
		standing->ranks[i] = standing->ranks[i - 1];
	standing->ranks[i] = rank;
}

struct standing standing_make(struct doc *doc, const struct view *view,
			      const struct view_place *place)
{
	struct standing standing = {.ranks = calloc(view->side_count, sizeof(*standing.ranks))};
	/* Otherwise one of many places would have a winner by chance. */
	const double alpha = place != NULL ? ALPHA / (double)view->place_count : ALPHA;
	size_t i;

	if (standing.ranks == NULL)
		doc_fail(doc);
	for (i = 0; standing.ranks != NULL && i < view->side_count; i++) {
		const struct result_point *point = place != NULL ? place->points[i]
								 : view->sides[i].peak;

		if (view_total(point) != NULL && view_rate(view, &point->records) > 0)
			rank_side(&standing, view, i, point);
	}
	standing.close = standing.count > 0;
	for (i = 1; i < standing.count; i++) {
		enum standing_relation relation = relate(doc, view, &standing.ranks[0],
							 &standing.ranks[i], alpha);

		standing.ranks[i].relation = relation;
		if (relation == STANDING_CLEAR)
			continue;
		if (standing.close++ == 1)
			standing.relation = relation;
		else if (relation != standing.relation)
			standing.relation = STANDING_FEW;
	}
	return standing;
}
