/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turn the tally of a measurement (run/tally.h), which has sums and counters,
 * into a repeat of the result, which has rates, percentiles and reasons.
 */
#ifndef SWEEP_COLLECT_H
#define SWEEP_COLLECT_H

#include "result/result.h"
#include "run/tally.h"

/* Fill in the repeat from its tally: records, loops, reasons, warnings and, if
 * asked for, histograms. If the tally has each user, so has the repeat, with the
 * operations of each if asked for. `names` are those of its result. */
void collect_repeat(const struct result_run *run, const struct tally *tally, bool histograms,
		    bool user_operations, struct intern *names, struct result_repeat *repeat);

/* Add the reasons why the end of the point makes the repeat invalid.
 * collect_repeat does this, too. */
void collect_invalid(const struct tally *tally, struct result_repeat *repeat);

#endif
