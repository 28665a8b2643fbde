/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operations of several figures, those first that took the most time.
 */
#ifndef PAGE_RANKING_H
#define PAGE_RANKING_H

#include "result/result.h"

struct ranking {
	const char **names; /* each once; the results' own */
	double *shares;     /* the mean of the shares in each of the figures */
	size_t count;
};

/* Of `count` figures. Returns 0 or -ENOMEM; to be freed anyway. */
int ranking_make(struct ranking *ranking,
		 const struct result_figures *const *figures, size_t count);
void ranking_free(struct ranking *ranking);

/* What part of the operations' time in `figures` the operation took; NAN: it
 * was not played. */
double ranking_share(const struct result_figures *figures, const char *name);

#endif
