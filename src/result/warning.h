/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The warnings: reasons to distrust the figures of a valid point. Each one must
 * change what one would conclude from them, or it hides those that do.
 */
#ifndef RESULT_WARNING_H
#define RESULT_WARNING_H

#include "result/result.h"

/* Add to `warnings` each reason that the figures of `users` users give. */
void warn_of_figures(const struct result_run *run, unsigned users,
		     const struct result_figures *figures,
		     struct result_reasons *warnings);

/*
 * Add to a valid point's warnings each reason that its figures, its repeats and
 * the plan of the sweep give.
 */
void warn_of_point(const struct result_run *run, struct result_point *point);

#endif
