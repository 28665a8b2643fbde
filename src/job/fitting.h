/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A load that is fitted to its targets, and what is told of that.
 */
#ifndef JOB_FITTING_H
#define JOB_FITTING_H

#include "base/error.h"
#include "engine/workers_plan.h"
#include "result/result.h"

/*
 * Rewrite the program for what all of the plan's targets can do, once they
 * have been probed, and notes in `run` what is not played as the load has it.
 * Return 0, or -errno with `error` set: nothing would be left to play, or
 * with `strict` something is lost.
 */
int fitting_apply(struct program *program, const struct workers_plan *plan,
		  bool strict, struct result_run *run, struct error *error);

/* Note in the plan what its targets can do, once they have been probed. */
void fitting_plan(struct workers_plan *plan);

#endif
