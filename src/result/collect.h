/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the tally of a repeat to its figures.
 */
#ifndef RESULT_COLLECT_H
#define RESULT_COLLECT_H

#include "engine/tally.h"
#include "result/result.h"

/* Fill in everything that the tally says about what was played. */
void collect_repeat(const struct result_run *run, const struct tally *tally,
		    struct result_repeat *repeat);

/*
 * Then fill in what it takes to add the repeat to those of other machines: the
 * histograms, each user's operations, and when the window began.
 */
void collect_histograms(const struct tally *tally,
			struct result_repeat *repeat);

#endif
