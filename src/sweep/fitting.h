/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fit the loads of a run to its targets before anything is measured: find out
 * what the targets can play (backends_capabilities), let adapt/fit.h skip or emulate
 * the rest, and note the differences in the result.
 */
#ifndef SWEEP_FITTING_H
#define SWEEP_FITTING_H

#include "base/error.h"
#include "play/plan.h"
#include "result/result.h"

/*
 * Rewrite the loads for the capabilities that all targets of the plan have. The
 * targets must have been probed. List in `variant` the operations that are
 * skipped, degraded or emulated. The names of the loads are in variant->loads.
 *
 * Return 0, or -errno with `error` set. It is an error if all operations of a
 * load would be skipped or, with `strict`, if any would be skipped or degraded.
 */
int fitting_apply(struct loads *loads, const struct workers_plan *plan, bool strict,
		  struct result_variant *variant, struct error *error);

/*
 * Find out for each target of `variant` that is an SMB share how its client sends
 * the loads, which must have been fitted, and set it in the target. The targets
 * are those of the plan. Return 0, or -ENOMEM with `error` set.
 */
int fitting_describe(const struct loads *loads, const struct workers_plan *plan,
		     struct result_variant *variant, struct error *error);

/*
 * Derive the streams of the loads, which must have been fitted, and note in
 * `variant` how many each has, and why they are not played at the same time, if
 * so. Return 0, or -ENOMEM with `error` set.
 */
int fitting_streams(struct loads *loads, const struct workers_plan *plan,
		    struct result_variant *variant, struct error *error);

/* Return a hash of all that the users of the loads play, or 0 if memory is
 * short. Fitting the loads may change it. */
uint64_t fitting_hash(const struct loads *loads);

/* Set plan->procedures, from the capabilities that all targets have in common.
 * The targets must have been probed. */
void fitting_plan(struct workers_plan *plan);

#endif
