/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removal of what a run has made at a target (rundir.h): at its end, or by
 * throng clean. Nothing else is removed.
 */
#ifndef WORKDIR_REMOVE_H
#define WORKDIR_REMOVE_H

#include "target/target.h"
#include "workdir/run_file.h"

/* Remove the directory of user number `user`, if it exists. Leave alone what is
 * not a directory: others have put it there. Return 0 or -errno. */
int rundir_remove_home(struct tree *tree, unsigned user);

/*
 * Remove what a run has made at a target, and last the run file. The target is
 * open in *tree, which is opened again. Return 0; 1 if the directory, which the
 * run has made, stays since another run uses it; -ENOENT if the run file was
 * removed, but the directory that the run has made did not exist any more; or
 * -errno with `error` set, in which case the run file stays.
 */
int rundir_remove(struct tree *tree, const struct target *target, const struct run_file *file,
		  struct error *error);

#endif
