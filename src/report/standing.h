/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which of several results is the fastest, if that can be told: by the intervals of
 * the ratios of their repeats.
 */
#ifndef REPORT_STANDING_H
#define REPORT_STANDING_H

#include "doc/doc.h"
#include "report/view.h"

/* Our knowledge of the ratio of the fastest result to another one. */
enum standing_relation {
	STANDING_CLEAR,  /* its interval excludes 1 */
	STANDING_WITHIN, /* it does not */
	STANDING_ONCE,   /* both were measured once, so there is no interval */
	STANDING_FEW,    /* too few repeats for an interval */
};

/* The sides that have a valid point, from the fastest to the slowest. Equally fast
 * ones are in the order of the view. */
struct standing {
	struct standing_rank {
		size_t side;
		const struct view_place *place;
		double rate;
		enum standing_relation relation; /* of the first one to this */
	} *ranks;
	size_t count;
	size_t close; /* number of those that the first is not clearly faster than */
	/* That of the first one to these; FEW, if they differ. CLEAR: there is only
	 * the first. */
	enum standing_relation relation;
};

/* Rank the sides at a place or, if it is NULL, by their peaks. The caller frees the ranks.
 * If memory is short, let the document fail. */
struct standing standing_make(struct doc *doc, const struct view *view,
			      const struct view_place *place);

#endif
