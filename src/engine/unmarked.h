/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work directories as dbench has them: `clients` is used as it is found, no
 * marker says whose it is, and a user's directory may hold what an earlier run
 * left for it. (workdir.h is how it is done otherwise.)
 */
#ifndef ENGINE_UNMARKED_H
#define ENGINE_UNMARKED_H

#include "engine/tree.h"

/* Makes `clients` if need be. Returns 0, or -errno with `error` set. */
int unmarked_claim(struct tree *tree, struct error *error);

/* Makes a user's directory if need be. Returns 0 or -errno. */
int unmarked_make_home(struct tree *tree, const char *user_name);

/*
 * Removes the directories of the first `users` users, then `clients` if nothing
 * is left there. Returns 0, or -errno with `error` set.
 */
int unmarked_release(struct tree *tree, unsigned users, struct error *error);

#endif
