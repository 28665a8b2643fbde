/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directory that a run makes below its target, and in which all its users
 * play: <target>/throng-7f3a9c2e, with the run file beside it (run_file.h).
 * Runs share nothing, so none has to take anything over from another: a start
 * removes nothing, and the end removes only what this run has made.
 *
 * With --workdir, users play in a directory with a known name, or in the target
 * itself, and the run makes only its users' directories there.
 *
 * A process has one session at a time, so a function that enters the directory
 * leaves the session there.
 */
#ifndef WORKDIR_RUNDIR_H
#define WORKDIR_RUNDIR_H

#include "workdir/run_file.h"

struct rundir_request {
	const struct identity *run;
	/* The name of --workdir, "." for the target itself; NULL: the run gets
	 * a directory of its own. */
	const char *workdir;
	bool kept;  /* the run will leave its files on purpose */
	bool flush; /* a new directory is to survive a crash of the target */
	/*
	 * As dbench does: accept users' directories that exist, and write no
	 * run file. Only with the workdir ".".
	 */
	bool like_dbench;
	unsigned first_user; /* the number of the first user */
	unsigned users;      /* max number of users of any point */
};

struct rundir_claim {
	struct run_file file; /* what the run has made so far */
	/* There may be something to remove. Valid also if the process is killed
	 * during the claim. */
	bool begun;
	/* The target is one that the run has claimed already, under another
	 * URL. */
	bool second;
	/* A number for the directory, by what its run file says: the same for all
	 * processes of the run that play there, on any host. 0: no run file. */
	uint64_t key;
	int lock_fd; /* the lock on the run file: keep it open; -1: none */
};

/*
 * Claim a target: write the run file, and make the directory. Return 0, or
 * -errno with `error` set. If claim->begun is set, also after a failure, call
 * rundir_remove (remove.h) with claim->file.
 */
int rundir_claim(struct tree *tree, const struct rundir_request *request,
		 struct rundir_claim *claim, struct error *error);

/*
 * Enter the directory of a run, and check that it is the one that the run has
 * made (rundir_check). Return 0 or -errno.
 */
int rundir_enter(struct tree *tree, const struct run_file *file);

/*
 * Check that the directory that `file` names is the one that the run has made,
 * not a copy, nor one that took its place. Return 0 if so, or if the file does
 * not say; -EXDEV if only the number of its file system differs, *device, as in
 * a snapshot, or after the file system was mounted again; -ENOENT if there is
 * none; -ESTALE if it is another one; or -errno.
 */
int rundir_check(struct tree *tree, const struct run_file *file, uint64_t *device);

#endif
