/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directories of a run under its target: `clients`, made or adopted, with
 * a marker that says which run it belongs to. throng removes only what it made
 * itself.
 *
 * Runs that are started at the same moment must not disturb each other, on any
 * target. So `clients` appears and disappears with its marker in it, by a
 * rename; and a run takes over a dead one's directory by creating the file
 * `clients/.throng-<id of the dead run>`, which only one can, and which is its
 * own marker: once the leftovers are removed, it is renamed over the dead
 * run's. Should the run that takes over die as well, the next one does the
 * same with its id.
 */
#ifndef ENGINE_WORKDIR_H
#define ENGINE_WORKDIR_H

#include "backend/backend.h"
#include "engine/identity.h"
#include "engine/tree.h"
#include "program/program.h"

/* A run that wants to play below a target. */
struct workdir_request {
	const struct program *program;
	const struct identity *run;
	unsigned first_user; /* the number of the first one, ... */
	unsigned users;    /* ... and the most of any point */
	bool use_existing; /* the load may change what exists */
	/* A run whose state is IDENTITY_UNKNOWN counts as dead. */
	bool take_over;
	/* Per shared name of the program, filled in by the claim: it is not
	 * there, and so is the run's to remove. */
	bool *absent;
};

/* The result of a claim. */
struct workdir_claim {
	/* The directory is the run's to remove; it is not when the run has
	 * claimed it before, by another address of the target. */
	bool claimed;
	bool made; /* `clients` is made by the run, not adopted */
	/* A later run will know whose the marker is, and remove all that it
	 * lists should this one leave it behind. */
	bool believed;
	int lock_fd; /* to be kept open until the run ends; -1: none */
};

/*
 * Claim the target for a run: make `clients` and its marker, and note which of
 * the program's shared names do not exist yet. What a dead run left is removed
 * first. Returns 0, or -errno with `error` set: `clients` holds something
 * foreign or belongs to another run; the load would change what exists.
 * `claim` and request->absent are true at any moment, should it be killed.
 */
int workdir_claim(struct tree *tree, const struct workdir_request *request,
		  struct workdir_claim *claim, struct error *error);

/*
 * Remove what the run made: its users' directories and what else the load
 * names in `clients`, the shared names that were absent, the marker last; and
 * `clients` itself if `made`. The marker only tells whose the directory is:
 * others may have changed what it lists. Returns 0, or -errno with `error`
 * set; when the marker is another run's, nothing is touched.
 */
int workdir_remove(struct tree *tree, const struct workdir_request *request,
		   bool made, struct error *error);

/* Make a user's directory, or empty it. Returns 0 or -errno. */
int workdir_make_home(struct tree *tree, const char *user_name);

/* Empty it and remove it. Returns 0 or -errno. */
int workdir_remove_home(struct tree *tree, const char *user_name);

#endif
