/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Warnings: reasons to distrust the figures of a valid point. Warn only of what
 * changes the reader's conclusion: needless warnings hide the important ones.
 */
#ifndef RESULT_WARNING_H
#define RESULT_WARNING_H

#include "result/result.h"

/* Add the warnings that follow from a repeat's records. */
void warn_of_repeat(const struct result_run *run, struct result_repeat *repeat);

/*
 * Add the warnings that follow from a point's records, from its repeats and
 * from the plan of the sweep to point->warnings. The point must be valid.
 */
void warn_of_point(const struct result_run *run, struct result_point *point);

#endif
