/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reasons not to trust a point: what voids it, and what weakens it.
 */
#ifndef RESULT_WARNING_H
#define RESULT_WARNING_H

#include "result/result.h"

/* Adds to `warnings` what the figures of so many users give reason for. */
void warn_of_figures(const struct result_run *run, unsigned users,
		     const struct result_figures *figures,
		     struct result_reasons *warnings);

/*
 * The same of a valid point's figures, and what the plan of the sweep gives
 * reason for.
 */
void warn_of_point(const struct result_run *run, struct result_point *point);

#endif
