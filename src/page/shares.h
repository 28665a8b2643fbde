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
		struct record_key key; /* unique */
		double share;          /* sum of its shares of the time at all points */
	} *items;
	size_t count;
};

/*
 * Rank the operations of the total or the load with the key `of` at these
 * points; NULL points are ignored. Return 0 or -ENOMEM. Call ranking_free even
 * after an error.
 */
int ranking_make(struct ranking *ranking, const struct result_point *const *points, size_t count,
		 const struct record_key *of);
void ranking_free(struct ranking *ranking);

#endif
