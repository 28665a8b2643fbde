/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removing what a run made below its target: what its marker lists, and nothing
 * else.
 */
#ifndef ENGINE_LEFTOVERS_H
#define ENGINE_LEFTOVERS_H

#include "base/error.h"
#include "engine/marker.h"

/*
 * Remove what a marker's run made, but not the marker. When nobody knows who
 * wrote that, only the users' directories are removed. *foreign: there is
 * something else in `clients`, which stays; unless `beside_foreign`, nothing
 * is removed then. Returns 0, or -errno with `error` set.
 */
int leftovers_remove(struct tree *tree, const struct marker *marker,
		     bool beside_foreign, bool *foreign, struct error *error);

/*
 * Remove the markers of take-overs that came to nothing from a directory.
 * Returns 0 or -errno.
 */
int leftovers_remove_take_overs(struct tree *tree, const char *directory);

/*
 * Remove the markers in `clients`, and `clients` itself where throng made it;
 * it then holds nothing else. Returns 0, or -errno with `error` set.
 */
int leftovers_release(struct tree *tree, const struct identity *run, bool made,
		      struct error *error);

/*
 * Remove the directory that a run makes aside, and its markers. Returns 0, or
 * -errno: -ENOENT when there is none.
 */
int leftovers_remove_aside(struct tree *tree, const struct identity *run);

/* The name under which a run makes `clients`, and moves it away. */
void leftovers_aside(const struct identity *run, char path[MARKER_PATH_SIZE]);

#endif
