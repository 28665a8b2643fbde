/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each operation's share of the time: the operations of several points, the
 * largest share first, for tables. shares.c draws the chart of them, too.
 */
#ifndef PAGE_SHARES_H
#define PAGE_SHARES_H

#include "result/result.h"

struct ranking {
	struct ranking_item {
		const char *name; /* unique; owned by the results */
		double share;     /* sum of its shares of the time at all points */
	} *items;
	size_t count;
};

/*
 * Rank the operations of these points; NULL points are ignored. Return 0 or
 * -ENOMEM. Call ranking_free even after an error.
 */
int ranking_make(struct ranking *ranking, const struct result_point *const *points, size_t count);
void ranking_free(struct ranking *ranking);

/*
 * Return an operation's share of the time of all operations of a point, or NAN
 * if it was not played there.
 */
double ranking_share(const struct result_point *point, const char *name);

#endif
