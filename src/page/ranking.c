/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/ranking.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double ranking_share(const struct result_point *point, const char *name)
{
	const struct result_figures *figures = &point->figures;
	double all_ns = 0, own_ns = NAN;
	size_t i;

	for (i = 0; i < figures->operation_count; i++) {
		all_ns += (double)figures->operations[i].sum_ns;
		if (isnan(own_ns) && strcmp(figures->operations[i].name, name) == 0)
			own_ns = (double)figures->operations[i].sum_ns;
	}
	return all_ns > 0 ? own_ns / all_ns : NAN;
}

static void add(struct ranking *ranking, const char *name, double share)
{
	size_t i;

	for (i = 0; i < ranking->count; i++)
		if (strcmp(ranking->items[i].name, name) == 0)
			break;
	if (i == ranking->count)
		ranking->items[ranking->count++].name = name;
	ranking->items[i].share += isnan(share) ? 0 : share;
}

/* Sort by share, largest first, then by name. */
static int by_share(const void *a, const void *b)
{
	const struct ranking_item *one = a, *other = b;

	if (one->share != other->share)
		return one->share < other->share ? 1 : -1;
	return strcmp(one->name, other->name);
}

int ranking_make(struct ranking *ranking, const struct result_point *const *points, size_t count)
{
	size_t all = 1, i, j;

	for (i = 0; i < count; i++)
		if (points[i] != NULL)
			all += points[i]->figures.operation_count;
	ranking->count = 0;
	ranking->items = calloc(all, sizeof(*ranking->items));
	if (ranking->items == NULL)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		for (j = 0; points[i] != NULL && j < points[i]->figures.operation_count; j++) {
			const char *name = points[i]->figures.operations[j].name;

			add(ranking, name, ranking_share(points[i], name));
		}
	}
	qsort(ranking->items, ranking->count, sizeof(*ranking->items), by_share);
	return 0;
}

void ranking_free(struct ranking *ranking)
{
	free(ranking->items);
}
