/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two sides that `throng compare` measures: their compiled loads and their targets.
 */
#ifndef CLI_MEASURE_COMPARE_SIDES_H
#define CLI_MEASURE_COMPARE_SIDES_H

#include "cli/measure/compare_options.h"
#include "cli/measure/run_targets.h"
#include "sweep/steps.h"

struct compare_sides {
	struct {
		struct run_targets targets;
		struct loads loads;
		struct steps_variant variant; /* of the above */
		char name[STEPS_NAME];        /* struct steps_side has the form */
	} list[SIDES];
	struct steps_side steps[SIDES]; /* the same, for the measurement */
};

/*
 * Compile the loads and open the targets of both sides. Describe the loads in the results.
 * With `digest`, add the SHA-256 of each loadfile. Unless it is a dry run, also find the
 * accounts. Return 0; or < 0, either with `error` set or after printing the errors in the
 * loadfile. Call compare_sides_free even after an error.
 */
int compare_sides_open(struct compare_sides *sides, struct compare_options *options, bool digest,
		       struct result results[SIDES], struct error *error);

void compare_sides_free(struct compare_sides *sides);

#endif
