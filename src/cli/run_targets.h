/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The targets of a run: parsed, with the options that the command line says
 * beside their URLs, and with who plays there.
 */
#ifndef CLI_RUN_TARGETS_H
#define CLI_RUN_TARGETS_H

#include "cli/target_options.h"

struct run_targets {
	struct target *list;
	unsigned count;
};

/*
 * `urls` is ended by NULL. Returns 0, or -errno with `error` set; freed with run_targets_free in any
 * case. May ask for a password on the terminal.
 */
int run_targets_open(struct run_targets *targets, char *const *urls,
		     const struct target_options *options,
		     struct error *error);
void run_targets_free(struct run_targets *targets);

#endif
