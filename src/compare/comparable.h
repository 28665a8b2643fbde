/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check if two results can be compared or continued: they have measured the same
 * load in the same way.
 */
#ifndef COMPARE_COMPARABLE_H
#define COMPARE_COMPARABLE_H

#include "compare/comparison.h"

/*
 * Check that both runs measure the same load in the same way, with the same plan:
 * axes, loadfiles, times, all options that change what is played, user counts,
 * repeats, order and seed. Targets and hosts may differ. Return 0, or -EINVAL with
 * all differences in `error`, which calls the runs by `names`. An error that is
 * already set is kept.
 */
int comparable_planned(const struct result_run *one, const struct result_run *other,
		       const char *const names[SIDES], struct error *error);

/*
 * Check that the comparison's two results can be compared: that they measured the
 * same load in the same way, except for the differences that the question allows.
 * They must have the same points, and all must be valid. Differences that were
 * allowed, or that only weaken the comparison, are added to its warnings. Return
 * the same values as comparable_planned.
 */
int comparable_results(struct comparison *comparison, const char *const names[SIDES],
		       const struct comparison_question *question, struct error *error);

/* Call `visit` with the name of each fact that --allow knows, such as "time". */
typedef void comparable_visit(const char *name, void *context);
void comparable_list_facts(comparable_visit *visit, void *context);

/* Check if an option may differ without being allowed, because it only decides when
 * to stop or what to refuse, not what is played. */
bool comparable_ignores(const char *option);

#endif
