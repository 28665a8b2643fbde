/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Follow in the user's map what operations on names do: which file a name is of
 * after an open, a rename, a link or a removal.
 */
#ifndef VERIFY_TRACK_H
#define VERIFY_TRACK_H

#include "verify/map.h"

#include <errno.h>
#include <limits.h>

struct track {
	struct map *map;
	char home[PATH_MAX]; /* the user's directory, with a '/' at its end */
	/* Paths that are left out, with all below them; ended by NULL. */
	const char *const *left_out;
};

/* Return whether an operation that failed with `rc` has changed nothing. After
 * other errors, such as a timeout, it may have been carried out. */
bool track_is_refusal(int64_t rc);

/* Return whether an operation that failed with `rc` lacks the permission. */
static inline bool track_is_denied(int64_t rc)
{
	return rc == -EACCES || rc == -EPERM;
}

/* Return the file of a name, or 0 if there is none or it is not verified. */
arena_ref track_find(const struct track *track, const char *path);

/* An operation that should have changed this file has failed with `rc`. */
void track_failure(const struct track *track, arena_ref file, int64_t rc);

/* An open with these flags has succeeded. Return the file that it has opened or
 * made, or 0 if it is not verified. */
arena_ref track_open(const struct track *track, const char *path, uint64_t flags);

/* The following have returned `rc`: 0 or -errno. */
/* A call that makes a directory. */
void track_make(const struct track *track, const char *path, int64_t rc);
/* The close of a handle that removes this file. */
void track_deleting_close(const struct track *track, arena_ref ref, int rc);
void track_remove(const struct track *track, const char *path, int64_t rc);
void track_rename(const struct track *track, const char *from, const char *to, int64_t rc);
void track_swap(const struct track *track, const char *one, const char *other, int64_t rc);
void track_sync_parent(const struct track *track, const char *path, int64_t rc);
/* A change of the permissions, or the owner. `readable`: the user can still read
 * a file, and `searchable`: reach the files below a directory. */
void track_permissions(const struct track *track, const char *path, bool readable, bool searchable,
		       int64_t rc);
void track_link(const struct track *track, const char *path, const char *existing, int64_t rc);

#endif
