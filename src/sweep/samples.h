/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands of --sample during one measurement, and the numbers that they
 * print.
 */
#ifndef SWEEP_SAMPLES_H
#define SWEEP_SAMPLES_H

#include "result/result.h"
#include "run/sampler.h"

/* Start the commands of the run for one measurement. `variables` is as in
 * process_command(). */
void samples_start(struct sampler *sampler, const struct result_run *run,
		   const char *const *variables, const struct stats_run *during, unsigned users);

/* End them, and fill in the samples of a repeat whose window took `window_ns`. Add
 * a warning about each command that has failed, if the repeat is valid. */
void samples_take(struct sampler *sampler, const struct result_run *run, uint64_t window_ns,
		  struct result_repeat *repeat);

#endif
