/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compute a repeat's figures from the engine's tally.
 */
#ifndef RESULT_COLLECT_H
#define RESULT_COLLECT_H

#include "result/result.h"
#include "run/tally.h"

/* Fill in the repeat from its tally: figures, loops, reasons, warnings. */
void collect_repeat(const struct result_run *run, const struct tally *tally,
		    struct result_repeat *repeat);

/*
 * After collect_repeat, add the data needed to merge this repeat with repeats
 * from other machines: histograms, operations per user and the start of the
 * measured window.
 */
void collect_histograms(const struct tally *tally, struct result_repeat *repeat);

/* A part of collect_repeat: the reasons why the end of the point makes the repeat
 * invalid. */
void collect_invalid(const struct tally *tally, struct result_repeat *repeat);

/* A part of collect_repeat: the bytes that --verify has compared, the
 * differences, and the reasons why these make the repeat invalid. */
void collect_verified(const struct tally *tally, struct result_repeat *repeat);

#endif
