/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removal of the files that a run made below its target. Only files that the
 * run's marker lists are removed.
 */
#ifndef WORKDIR_LEFTOVERS_H
#define WORKDIR_LEFTOVERS_H

#include "base/error.h"
#include "workdir/marker.h"

/*
 * Remove the files that a marker's run made, but not the marker. If we cannot
 * verify that the marker's file is owned by our account, don't trust its lists
 * of names: then remove only the users' directories. Anything else in `clients`
 * is foreign and is never removed. Set *foreign if there is any; then remove
 * nothing at all, unless `despite_foreign` is set. Return 0, or -errno with
 * `error` set.
 */
int leftovers_remove(struct tree *tree, const struct marker *marker, bool despite_foreign,
		     bool *foreign, struct error *error);

/*
 * Remove the markers of unfinished take-overs (marker.h) from a directory.
 * Return 0 or -errno.
 */
int leftovers_remove_take_overs(struct tree *tree, const char *directory);

/*
 * Remove the markers in `clients`. If `made` (the run made `clients`), also
 * remove the directory itself, which must not contain anything else. Return 0,
 * or -errno with `error` set.
 */
int leftovers_release(struct tree *tree, const struct identity *run, bool made,
		      struct error *error);

/*
 * Remove the run's `clients` under its temporary name (see leftovers_aside),
 * and the markers in it. Return 0, or -errno: -ENOENT if there is none.
 */
int leftovers_remove_aside(struct tree *tree, const struct identity *run);

/* Write into `path` the temporary name that the run gives to `clients` while
 * creating or removing it. */
void leftovers_aside(const struct identity *run, char path[MARKER_PATH_SIZE]);

#endif
