/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removal of directory trees on any backend. It does not allocate memory, does
 * not recurse, and does not follow links or enter other mounts. A subdirectory
 * whose path gets long is first moved up to the top, so that even a tree deeper
 * than PATH_MAX can be removed.
 */
#ifndef TARGET_TREE_H
#define TARGET_TREE_H

#include "base/clock.h"
#include "target/backend.h"

#include <limits.h>

/* The patience of a clean-up; see below. */
#define TREE_PATIENCE_NS (5 * NS_PER_S)

struct tree {
	const struct backend *backend;
	struct backend_session *session;
	uint64_t *steps; /* grows by one with each removal */
	/* The current path; after a failure, the path that could not be
	 * removed. */
	char path[PATH_MAX];
	size_t names_used;
	bool full;
	/* Length of the path of the top (the tree to remove); `path` begins
	 * with the path of the top. */
	size_t top_length;
	/* The mount that contains the top's parent; 0: unknown. */
	uint64_t mount;
	unsigned moved; /* number of the next subdirectory to move up */
	/* For how long to try again to remove a name that is in use, on a
	 * target that pins open names; 0 at first. */
	uint64_t patience_ns;
	/* The number of names reported as removed, the hash of the path of one
	 * of them, and how often this path has been removed since. */
	uint64_t removals, noted;
	unsigned again;
	/* Selects the names to collect; NULL: all. */
	bool (*wanted)(const char *name, const char *pattern);
	const char *pattern; /* for `wanted` */
	/* Tells which names at the top end the removal; NULL: none. */
	bool (*ends)(const char *name);
	bool ended;
	char names[16 << 10];
};

/* Return a tree, to be freed with free(3), or NULL if out of memory. */
struct tree *tree_new(const struct backend *backend, struct backend_session *session,
		      uint64_t *steps);

/*
 * Open a session with a target, and a tree that uses it, for a process that
 * plays no load. Return 0, or -errno with `error` set. Close it with
 * tree_close.
 */
int tree_open(struct tree **tree, const struct target *target, uint64_t *steps,
	      struct error *error);

/* Close the tree's session and open a new one, which is at the target again. */
int tree_reopen(struct tree *tree, const struct target *target, struct error *error);

/* Make a directory unless it exists; don't accept a link to one. Return 1 if it
 * was made, 0 if it exists, or -errno. */
int tree_mkdir(struct tree *tree, const char *directory);

/* Return the owner of an open file or directory. */
enum backend_owner tree_owner(struct tree *tree, int64_t handle);

/*
 * Remove a file or an empty directory. Try again for a while if it is in use:
 * somebody may look at it, and a server that pins open names may report a name
 * as removed, but keep it until its last handle is closed. Return 0 or -errno.
 */
int tree_unlink_file(struct tree *tree, const char *path);
int tree_remove_directory(struct tree *tree, const char *path);

/* Close the tree and its session, if any. */
void tree_close(struct tree *tree);

/*
 * Remove everything below the directory `top`, "" for the one that the session
 * has entered. Return 0 or -errno: -ENOENT if
 * `top` does not exist, -EXDEV if another file system is mounted at
 * tree->path, -ENOTEMPTY if tree->path still lists names that the target has
 * reported as removed.
 */
int tree_empty(struct tree *tree, const char *top);

/*
 * Like tree_empty, but stop as soon as a name for which `ends` returns true is
 * listed directly below `top`: others have made it meanwhile. Return 1 then.
 */
int tree_empty_unless(struct tree *tree, const char *top, bool (*ends)(const char *name));

/* Remove `top`, a file or a directory, and everything below it. Return as
 * tree_empty does. */
int tree_remove(struct tree *tree, const char *top);

/* Describe the -errno of a removal. */
const char *tree_strerror(int rc);

/*
 * Remove the files of a directory whose names match a wildcard pattern.
 * Return 0, -ENOENT if there are none, or -errno.
 */
int tree_unlink_matching(struct tree *tree, const char *directory, const char *pattern);

/* Remove the files for which `wanted`, called with `pattern`, returns true. */
int tree_unlink_wanted(struct tree *tree, const char *directory,
		       bool (*wanted)(const char *name, const char *pattern), const char *pattern);

#endif
