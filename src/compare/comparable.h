/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Can two results be compared, or become one?
 */
#ifndef COMPARE_COMPARABLE_H
#define COMPARE_COMPARABLE_H

#include "compare/comparison.h"

/*
 * Do both measure the same load in the same way: loadfile, times, and options
 * that change what is played? Targets and hosts may differ. Returns 0, or
 * -EINVAL with the first difference in `error`, unless that is set already;
 * `names` are what the two are called in it. `*option` becomes the name of the
 * recorded option that differs (it belongs to one of the runs), or NULL.
 */
int comparable_measured(const struct result_run *one,
			const struct result_run *other,
			const char *const names[2], const char **option,
			struct error *error);

/*
 * Is the plan of the sweep the same as well: user counts, repeats, order and
 * seed? Returns as comparable_measured does.
 */
int comparable_planned(const struct result_run *one,
		       const struct result_run *other,
		       const char *const names[2], const char **option,
		       struct error *error);

/*
 * Can the comparison's two results be compared? They need the same valid points
 * and, with `same_host`, the same host and kernel; differences that weaken the
 * comparison become its warnings. Returns as comparable_measured does, with the
 * option in comparison->option.
 */
int comparable_results(struct comparison *comparison,
		       const char *const names[SIDES], bool same_host,
		       struct error *error);

#endif
