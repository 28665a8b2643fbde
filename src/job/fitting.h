/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits a load to the capabilities of its targets, and reports the differences.
 */
#ifndef JOB_FITTING_H
#define JOB_FITTING_H

#include "base/error.h"
#include "engine/workers_plan.h"
#include "result/result.h"

/*
 * Rewrite the program for the capabilities that all of the plan's targets have,
 * after these have been probed. Note in `run` the operations that are skipped,
 * degraded or emulated. Return 0, or -errno with `error` set: all operations
 * would be skipped or, with `strict`, any would be skipped or degraded.
 */
int fitting_apply(struct program *program, const struct workers_plan *plan,
		  bool strict, struct result_run *run, struct error *error);

/* Set plan->procedures, after the targets have been probed. */
void fitting_plan(struct workers_plan *plan);

#endif
