/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removing what lies in a directory, on top of any backend. Allocates nothing
 * while it works, follows no link, and does not recurse, however deep the
 * tree.
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
	const char *pattern; /* of the names that are collected; NULL: all */
	char names[16 << 10];
};

/* Returns NULL when there is no memory; freed with free(3). */
struct tree *tree_new(const struct backend *backend,
		      struct backend_session *session, uint64_t *steps);

/*
 * Removes everything below the directory `top`, but not the entry `spare` of
 * it (NULL: none). Returns 0 or -errno: -ENOENT when there is no `top`.
 */
int tree_empty(struct tree *tree, const char *top, const char *spare);

/* The same, and `top` itself, which may be a file. */
int tree_remove(struct tree *tree, const char *top);

/*
 * Removes the files of a directory whose names match a wildcard pattern.
 * Returns 0, or -ENOENT when there is none, or -errno.
 */
int tree_unlink_matching(struct tree *tree, const char *directory,
			 const char *pattern);

#endif
