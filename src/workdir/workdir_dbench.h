/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work directories as dbench has them: an existing `clients` is used as it is,
 * no marker shows which run `clients` belongs to, and a user's directory may
 * contain files that an earlier run left. (workdir.h describes throng's own
 * way.)
 */
#ifndef WORKDIR_WORKDIR_DBENCH_H
#define WORKDIR_WORKDIR_DBENCH_H

#include "study/outside.h"
#include "target/tree.h"
#include "workdir/identity.h"

/*
 * Make `clients` for `run` unless it exists, and note in `absent` which of the
 * loads' shared names do not exist yet. Return 0, or -errno with `error`
 * set: -EBUSY if `clients` has the marker of a run (workdir.h), alive or
 * dead.
 */
int workdir_dbench_claim(struct tree *tree, const struct outside *names, const struct identity *run,
			 bool *absent, struct error *error);

/* Make a user's directory unless it exists. Return 0 or -errno. */
int workdir_dbench_make_home(struct tree *tree, const char *user_name);

/*
 * Remove the directories of the first `users` users, then `clients` if it is
 * empty. Also remove each shared name that a load changes and that was
 * `absent`. Return 0, or -errno with `error` set.
 */
int workdir_dbench_release(struct tree *tree, const struct outside *names, const bool *absent,
			   unsigned users, struct error *error);

#endif
