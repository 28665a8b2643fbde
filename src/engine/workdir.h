/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directories of a run under its target: `clients`, made or adopted, with
 * a marker that says whose it is. throng removes only what it made itself.
 */
#ifndef ENGINE_WORKDIR_H
#define ENGINE_WORKDIR_H

#include "backend/backend.h"
#include "engine/tree.h"
#include "program/program.h"

/*
 * Claims the target for this run: makes `clients` and its marker, and notes
 * which of the program's shared names do not exist yet. What a dead run left
 * is removed first. Returns 0, or -errno with `error` set: `clients` holds
 * something foreign or belongs to a run that is alive; the load would change
 * what exists (unless `use_existing`). *claimed: it is now this run's to remove;
 * not so when the run has claimed it before, by another address.
 */
int workdir_claim(struct tree *tree, const struct program *program,
		  pid_t owner, bool use_existing, bool *claimed,
		  struct error *error);

/*
 * Removes what the run of process `owner` made: all that is in `clients`, the
 * shared names, the marker last. Returns 0, or -errno with `error` set; when
 * the marker is another run's, nothing is touched.
 */
int workdir_remove(struct tree *tree, pid_t owner, struct error *error);

/* Makes a user's directory, or empties it. Returns 0 or -errno. */
int workdir_make_home(struct tree *tree, const char *user_name);

/* Empties it and removes it. Returns 0 or -errno. */
int workdir_remove_home(struct tree *tree, const char *user_name);

#endif
