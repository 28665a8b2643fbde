/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check if two results can be compared or continued: they have measured the same
 * load in the same way.
 */
#ifndef COMPARE_COMPARABLE_H
#define COMPARE_COMPARABLE_H

#include "compare/comparison.h"

/*
 * Check that both runs measure the same load in the same way: axes, loadfiles,
 * times, and all options that change what is played. Targets and hosts may differ.
 * Return 0, or -EINVAL with the first difference in `error`, which calls the
 * runs by `names`. An error that is already set is kept.
 */
int comparable_measured(const struct result_run *one, const struct result_run *other,
			const char *const names[2], struct error *error);

/*
 * Like comparable_measured, but also check that the plan of the sweep is the
 * same: user counts, repeats, order and seed.
 */
int comparable_planned(const struct result_run *one, const struct result_run *other,
		       const char *const names[2], struct error *error);

/*
 * Check that the comparison's two results can be compared. They must have the
 * same points, and all must be valid. With `same_host`, host and kernel must be
 * the same, too. A difference that only weakens the comparison is added to its
 * warnings. Return the same values as comparable_measured.
 */
int comparable_results(struct comparison *comparison, const char *const names[SIDES],
		       bool same_host, struct error *error);

#endif
