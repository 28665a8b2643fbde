/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The targets of a run: parsed URLs, and the accounts that users log in with.
 */
#ifndef CLI_MEASURE_RUN_TARGETS_H
#define CLI_MEASURE_RUN_TARGETS_H

#include "cli/measure/measure_options.h"

struct run_targets {
	struct target *list;
	unsigned count;
};

/*
 * Parse the targets in `urls` (ended by NULL). Refuse targets whose options
 * select different clients for SMB if nobody has named one. Return 0, or -errno
 * with `error` set. Call run_targets_free even after an error.
 */
int run_targets_open(struct run_targets *targets, const char *const *urls,
		     const struct measure_options *options, struct error *error);

/* Find the accounts for the targets that need one and have none. This may ask
 * for a password on the terminal. Return 0, or -errno with `error` set. */
int run_targets_find_accounts(struct run_targets *targets, const struct measure_options *options,
			      struct error *error);

/*
 * Give the targets that have no accounts yet copies of the accounts of targets
 * with the same URL and login, if any; other options may differ. Return 0, or -ENOMEM with `error` set.
 */
int run_targets_share_accounts(const struct run_targets *from, struct run_targets *targets,
			       struct error *error);

/*
 * Do the same for two lists, target by target: the figures would show the
 * difference of the clients as that of the options. Messages call the lists
 * `name` and `other_name`. Return 0, or -EINVAL with `error` set.
 */
int run_targets_check_clients(const struct run_targets *targets, const char *name,
			      const struct run_targets *other, const char *other_name,
			      struct error *error);

void run_targets_free(struct run_targets *targets);

#endif
