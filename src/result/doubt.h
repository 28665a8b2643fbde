/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reasons not to trust a point: what voids it, and what weakens it.
 */
#ifndef RESULT_DOUBT_H
#define RESULT_DOUBT_H

#include "result/result.h"

/* What is known of a point beside its figures. */
struct doubt_evidence {
	uint64_t stood_still_ns;
	bool fixed_loops; /* --loops: the window is as long as it takes */
};

/* Adds to point->doubts what `evidence` and the figures give reason for. */
void doubt_point(const struct result_run *run, struct result_point *point,
		 const struct doubt_evidence *evidence);

#endif
