/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The variants of `throng run` (result/variant.h): for each combination of the
 * values of --sweep, the compiled loads and the targets. Without --sweep there
 * is one variant.
 */
#ifndef CLI_MEASURE_RUN_VARIANTS_H
#define CLI_MEASURE_RUN_VARIANTS_H

#include "cli/measure/prepare.h"
#include "cli/measure/run_options.h"
#include "cli/measure/run_targets.h"
#include "sweep/steps.h"

struct run_variant {
	struct run_targets targets;
	struct loads loads;
};

struct run_variants {
	struct run_variant *list;
	struct steps_variant *steps; /* the same variants, for the measurement */
	size_t count;                /* at least 1 after run_variants_open */
	/* Whether a load has each parameter that --set or an axis sets. NULL:
	 * all variants have the same loads. */
	bool *found;
};

/*
 * Parse the texts of --sweep into run->axes, and check them against the other
 * options and against the limits of a sweep. Return 0, or -errno with `error`
 * set.
 */
int run_variants_parse(const struct run_options *options, struct result_run *run,
		       struct error *error);

/*
 * Compile the loads and open the targets of each variant, with the variant's
 * values. Describe the loads in run->variants, which this function makes. With
 * `digest`, add the SHA-256 of each loadfile. Unless it is a dry run, also find
 * the accounts. Return 0; or < 0, either with
 * `error` set or after printing the errors in the loadfile. Call
 * run_variants_free even after an error.
 */
int run_variants_open(struct run_variants *variants, const struct run_options *options, bool digest,
		      struct result_run *run, struct error *error);

/*
 * Adapt the settings to the loads of all variants: if a load has phases, all of them are
 * played in whole loops. Check that the loads have the figures of --figures. Return 0, or
 * -errno with `error` set.
 */
int run_variants_suit(const struct run_variants *variants, struct run_options *options,
		      struct result_run *run, struct error *error);

void run_variants_free(struct run_variants *variants);

#endif
