/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rebuild the tally of a stored repeat, to add it to others: the opposite of
 * result/collect.h.
 */
#ifndef SWEEP_MERGE_TALLY_H
#define SWEEP_MERGE_TALLY_H

#include "result/result.h"
#include "run/tally.h"

/*
 * Fill in the tally from which collect_repeat and collect_histograms have made
 * the repeat. Reasons and the differences that --verify has described are not
 * taken. Return 0 or -ENOMEM. Free *tally with tally_free in either case.
 */
int merge_take_tally(const struct result_run *run, const struct result_repeat *repeat,
		     struct tally *tally);

#endif
