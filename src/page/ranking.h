/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operations of several points, those that took most of the time first.
 */
#ifndef PAGE_RANKING_H
#define PAGE_RANKING_H

#include "result/result.h"

struct ranking {
	struct ranking_item {
		const char *name; /* each once; owned by the results */
		double share;     /* of the time, summed over the points */
	} *items;
	size_t count;
};

/* Rank the operations of these points, of which some may be NULL. Returns 0 or
 * -ENOMEM; ranking_free is needed in both cases. */
int ranking_make(struct ranking *ranking,
		 const struct result_point *const *points, size_t count);
void ranking_free(struct ranking *ranking);

/* Return the operation's share of all operations' time in the point; NAN: it
 * was not played there. */
double ranking_share(const struct result_point *point, const char *name);

#endif
