/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/ranking.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double all_time(const struct result_figures *figures)
{
	double all_ns = 0;
	size_t i;

	for (i = 0; i < figures->operation_count; i++)
		all_ns += (double)figures->operations[i].sum_ns;
	return all_ns;
}

double ranking_share(const struct result_figures *figures, const char *name)
{
	double all_ns = all_time(figures);
	size_t i;

	for (i = 0; i < figures->operation_count && all_ns > 0; i++)
		if (strcmp(figures->operations[i].name, name) == 0)
			return (double)figures->operations[i].sum_ns / all_ns;
	return NAN;
}

static size_t find_name(const struct ranking *ranking, const char *name)
{
	size_t i;

	for (i = 0; i < ranking->count; i++)
		if (strcmp(ranking->names[i], name) == 0)
			break;
	return i;
}

static void add_figures(struct ranking *ranking,
			const struct result_figures *figures, size_t count)
{
	double all_ns = all_time(figures);
	size_t i;

	for (i = 0; i < figures->operation_count && all_ns > 0; i++) {
		const struct result_operation *operation =
			&figures->operations[i];
		size_t at = find_name(ranking, operation->name);

		if (at == ranking->count)
			ranking->names[ranking->count++] = operation->name;
		ranking->shares[at] += (double)operation->sum_ns / all_ns /
				       (double)count;
	}
}

/* They are few. */
static void sort(struct ranking *ranking)
{
	size_t i, j;

	for (i = 1; i < ranking->count; i++) {
		const char *name = ranking->names[i];
		double share = ranking->shares[i];

		for (j = i; j > 0 && ranking->shares[j - 1] < share; j--) {
			ranking->names[j] = ranking->names[j - 1];
			ranking->shares[j] = ranking->shares[j - 1];
		}
		ranking->names[j] = name;
		ranking->shares[j] = share;
	}
}

int ranking_make(struct ranking *ranking,
		 const struct result_figures *const *figures, size_t count)
{
	size_t all = 0, i;

	for (i = 0; i < count; i++)
		all += figures[i]->operation_count;
	*ranking = (struct ranking){
		.names = calloc(all + 1, sizeof(*ranking->names)),
		.shares = calloc(all + 1, sizeof(*ranking->shares)),
	};
	if (ranking->names == NULL || ranking->shares == NULL)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		add_figures(ranking, figures[i], count);
	sort(ranking);
	return 0;
}

void ranking_free(struct ranking *ranking)
{
	free(ranking->names);
	free(ranking->shares);
}
