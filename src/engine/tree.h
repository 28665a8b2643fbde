/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removing what lies in a directory, on top of any backend. Allocates nothing
 * while it works, follows no link, enters no other mount and no directory that
 * a live run has locked, and does not recurse: a subdirectory whose path grows long is moved up first, so that
 * even a tree deeper than PATH_MAX can be removed.
 */
#ifndef ENGINE_TREE_H
#define ENGINE_TREE_H

#include "backend/backend.h"

#include <limits.h>

struct tree {
	const struct backend *backend;
	struct backend_session *session;
	uint64_t *steps; /* grows by one with each removal */
	char path[PATH_MAX]; /* after a failure: of what */
	size_t names_used;
	bool full;
	size_t top_length; /* of path: the directory to be emptied */
	uint64_t mount;    /* its parent's; 0: not known */
	unsigned moved;    /* numbers the subdirectories that were moved up */
	/* Which names are collected; NULL: all. */
	bool (*wanted)(const char *name, const char *pattern);
	const char *pattern; /* for `wanted` */
	char names[16 << 10];
};

/* Returns NULL when there is no memory; freed with free(3). */
struct tree *tree_new(const struct backend *backend,
		      struct backend_session *session, uint64_t *steps);

/*
 * Removes everything below the directory `top`. Returns 0 or -errno: -ENOENT
 * when there is no `top`, -EXDEV when tree->path is where another file system
 * is mounted, -EBUSY when it is the `clients` of a live run.
 */
int tree_empty(struct tree *tree, const char *top);

/* The same, and `top` itself, which may be a file. */
int tree_remove(struct tree *tree, const char *top);

/* Describe the -errno of a removal. */
const char *tree_strerror(int rc);

/*
 * Removes the files of a directory whose names match a wildcard pattern.
 * Returns 0, or -ENOENT when there is none, or -errno.
 */
int tree_unlink_matching(struct tree *tree, const char *directory,
			 const char *pattern);

/* The same for files that `wanted` says so of; `pattern` is handed to it. */
int tree_unlink_wanted(struct tree *tree, const char *directory,
		       bool (*wanted)(const char *name, const char *pattern),
		       const char *pattern);

#endif
