/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Warnings: reasons to distrust the figures of a valid point. Add a warning
 * only if it changes the reader's conclusion; any other hides those that do.
 */
#ifndef RESULT_WARNING_H
#define RESULT_WARNING_H

#include "result/result.h"

/* Add the warnings that one repeat's figures call for. */
void warn_of_figures(const struct result_run *run, unsigned users,
		     const struct result_figures *figures,
		     struct result_reasons *warnings);

/*
 * Add to point->warnings those that the point's figures, its repeats and the
 * plan of the sweep call for. The point must be valid.
 */
void warn_of_point(const struct result_run *run, struct result_point *point);

#endif
