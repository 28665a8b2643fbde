/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directories of a run below its target: `clients`, which the run makes, or
 * adopts if it is empty, and a marker in it that names the run. throng removes
 * only files that it made itself.
 *
 * Runs that start at the same moment must not disturb each other, on any
 * target. So `clients` appears and disappears together with its marker, by a
 * rename. A run takes over from a dead run by creating the file
 * `clients/.throng-<id of the dead run>`, which only one run can do. This file
 * is the new run's marker: after removing the leftovers, the run renames it
 * over the dead run's marker. If the new run dies as well, the next run does
 * the same with the new run's id.
 */
#ifndef WORKDIR_WORKDIR_H
#define WORKDIR_WORKDIR_H

#include "study/outside.h"
#include "target/backend.h"
#include "target/tree.h"
#include "workdir/identity.h"

/* A run's request to use a target. */
struct workdir_request {
	const struct outside *names; /* of the loads */
	const struct identity *run;
	unsigned first_user; /* the number of the first user */
	unsigned users;      /* max number of users of any point */
	bool use_existing;   /* the load may change existing files */
	/* Take over `clients` from a run even if we cannot tell whether it is
	 * alive (IDENTITY_UNKNOWN). */
	bool take_over;
	/*
	 * One element per shared name of the loads (outside.h), filled in by
	 * the claim. True: the name does not exist yet. If the load makes it,
	 * the run removes it at its end.
	 */
	bool *absent;
};

/* The result of a claim. */
struct workdir_claim {
	/*
	 * The run must remove the directory for this claim. False if the run
	 * has already claimed the directory under another URL of the same
	 * target.
	 */
	bool claimed;
	/* The run made `clients`; false: it adopted an empty directory. */
	bool made;
	/*
	 * A later run can verify that our account wrote the marker. So if this
	 * run dies, the later run will remove everything that the marker lists.
	 */
	bool trusted;
	/* The lock on the marker: keep it open until the run ends; -1: none. */
	int lock_fd;
};

/*
 * Claim the target for a run: remove the leftovers of a dead run, make
 * `clients` and its marker, and note which of the loads' shared names do not
 * exist yet. Return 0, or -errno with `error` set: `clients` contains foreign
 * files or belongs to another run, or the load would change existing files.
 * `claim` and request->absent are valid even if the process is killed during
 * the call.
 */
int workdir_claim(struct tree *tree, const struct workdir_request *request,
		  struct workdir_claim *claim, struct error *error);

/*
 * Remove the files that the run made: its users' directories and the load's
 * other names in `clients`, the shared names that were absent, the marker, and
 * `clients` itself if `made`. Read the marker only to check that the directory
 * belongs to the run, and do not use its lists of names: others may have
 * changed them. Return 0, or -errno with `error` set; touch nothing if the
 * marker is another run's.
 */
int workdir_remove(struct tree *tree, const struct workdir_request *request, bool made,
		   struct error *error);

/* Make a user's directory, or empty an existing one. Return 0 or -errno. */
int workdir_make_home(struct tree *tree, const char *user_name);

/* Remove a user's directory, if it exists. Return 0 or -errno. */
int workdir_remove_home(struct tree *tree, const char *user_name);

#endif
