/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The targets of a run: parsed, with the options that the command line says
 * beside their URLs, and with who plays there.
 */
#ifndef CLI_RUN_TARGETS_H
#define CLI_RUN_TARGETS_H

#include "cli/measure_options.h"

struct run_targets {
	struct target *list;
	unsigned count;
};

/*
 * Parse the targets; `urls` is ended by NULL. Returns 0, or -errno with `error`
 * set; freed with run_targets_free in any case.
 */
int run_targets_open(struct run_targets *targets, const char *const *urls,
		     const struct measure_options *options,
		     struct error *error);

/*
 * Find the accounts of targets that are going to be played on. Returns 0, or
 * -errno with `error` set. May ask for a password on the terminal.
 */
int run_targets_find_accounts(struct run_targets *targets,
			      const struct measure_options *options,
			      struct error *error);

/*
 * Fills in run->targets for a plan that nobody plays: what a look at them would
 * tell is not known. Returns 0, or -ENOMEM with `error` set.
 */
int run_targets_describe(const struct run_targets *targets,
			 struct result_run *run, struct error *error);

void run_targets_free(struct run_targets *targets);

#endif
