/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/standing.h"

#include "stats/ratio.h"

#include <errno.h>
#include <stdlib.h>

/* The probability that an interval ends on the wrong side of the true ratio, for
 * either end: the default of throng compare. */
#define ALPHA 0.025

/* Collect the throughput of the valid repeats of a point. Return their number;
 * 0 if memory is short. The caller frees *values. */
static size_t take_values(const struct view *view, const struct result_point *point,
			  double **values)
{
	size_t count = 0, i;

	*values = calloc(point->repeat_count + 1, sizeof(**values));
	for (i = 0; *values != NULL && i < point->repeat_count; i++)
		if (result_repeat_is_valid(&point->repeats[i]))
			(*values)[count++] = view_rate(view, &point->repeats[i].records);
	return count;
}

static enum standing_relation relate(const struct view *view, const struct result_point *faster,
				     const struct result_point *slower, bool *failed)
{
	double *news, *bases;
	size_t new_count = take_values(view, faster, &news);
	size_t base_count = take_values(view, slower, &bases);
	const struct ratio_samples samples = {
		.new = news,
		.base = bases,
		.new_count = new_count,
		.base_count = base_count,
	};
	struct ratio_interval interval;
	int rc = ratio_interval(&samples, ALPHA, ALPHA, &interval);

	*failed |= news == NULL || bases == NULL || rc == -ENOMEM;
	free(news);
	free(bases);
	if (rc == 0 && interval.low > 1)
		return STANDING_CLEAR;
	if (rc == 0 && interval.low > 0)
		return STANDING_WITHIN;
	return new_count <= 1 && base_count <= 1 ? STANDING_ONCE : STANDING_FEW;
}

static const struct result_point *point_of(const struct standing *standing, size_t rank)
{
	return standing->ranks[rank].place->points[standing->ranks[rank].side];
}

/* Put a side at its rank. Equally fast sides keep their order. */
static void rank_side(struct standing *standing, const struct view *view, size_t side,
		      const struct result_point *point)
{
	double rate = view_rate(view, &point->records);
	size_t i = standing->count++;

	for (; i > 0 && standing->ranks[i - 1].rate < rate; i--)
		standing->ranks[i] = standing->ranks[i - 1];
	standing->ranks[i].side = side;
	standing->ranks[i].place = view_place_of(view, side, point);
	standing->ranks[i].rate = rate;
}

struct standing standing_make(const struct view *view, const struct view_place *place)
{
	struct standing standing = {0};
	size_t i;

	standing.ranks = calloc(view->side_count, sizeof(*standing.ranks));
	standing.failed = standing.ranks == NULL;
	for (i = 0; standing.ranks != NULL && i < view->side_count; i++) {
		const struct result_point *point = place != NULL ? place->points[i]
								 : view->sides[i].peak;

		if (point != NULL && result_is_valid(point) && view_rate(view, &point->records) > 0)
			rank_side(&standing, view, i, point);
	}
	standing.close = standing.count > 0;
	for (i = 1; i < standing.count; i++) {
		enum standing_relation relation = relate(view, point_of(&standing, 0),
							 point_of(&standing, i), &standing.failed);

		standing.ranks[i].relation = relation;
		if (relation == STANDING_CLEAR)
			continue;
		standing.relation = standing.close == 1 || relation == standing.relation
					    ? relation
					    : STANDING_FEW;
		standing.close++;
	}
	return standing;
}

void standing_free(struct standing *standing)
{
	free(standing->ranks);
}
