/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work directories as dbench has them: `clients` is used as it is found, no
 * marker says whose it is, and a user's directory may hold what an earlier run
 * left for it. (workdir.h is how it is done otherwise.)
 */
#ifndef ENGINE_WORKDIR_DBENCH_H
#define ENGINE_WORKDIR_DBENCH_H

#include "engine/identity.h"
#include "engine/tree.h"
#include "program/program.h"

/*
 * Make `clients` for `run` if need be, and note in `absent` which of the
 * program's shared names do not exist yet. Returns 0, or -errno with `error`
 * set: a run with a marker (workdir.h) has claimed it, or left it.
 */
int workdir_dbench_claim(struct tree *tree, const struct program *program,
			 const struct identity *run, bool *absent,
			 struct error *error);

/* Makes a user's directory if need be. Returns 0 or -errno. */
int workdir_dbench_make_home(struct tree *tree, const char *user_name);

/*
 * Removes the directories of the first `users` users, then `clients` if nothing
 * is left there, and the shared names that the load changes and that were
 * `absent`. Returns 0, or -errno with `error` set.
 */
int workdir_dbench_release(struct tree *tree, const struct program *program,
			   const bool *absent, unsigned users,
			   struct error *error);

#endif
