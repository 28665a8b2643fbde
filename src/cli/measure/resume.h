/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resume an interrupted sweep (--resume): read its result, check that this run
 * would measure the same, and keep what is already measured.
 */
#ifndef CLI_MEASURE_RESUME_H
#define CLI_MEASURE_RESUME_H

#include "cli/measure/run_options.h"
#include "cli/measure/run_targets.h"

/*
 * Move the valid repeats of the result file options->resume into `result`,
 * whose `run` must be filled in. Use the file's seed, unless --seed was given.
 * Write the result to the same file, unless there is an --output. Return 0, or
 * -errno with `error` set if the file cannot be read or was measured with other
 * targets or options.
 */
int resume_load(struct run_options *options, const struct run_targets *targets,
		struct result *result, struct error *error);

#endif
