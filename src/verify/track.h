/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Note in the user's map what operations do: which file a name is of after an
 * open, a rename, a link or a removal, and what the content of a file is after a
 * write, a flush or a change of its size.
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

/* Nothing is known any more of a name, of those below it, and of the files that
 * have them. */
void track_doubt(const struct track *track, const char *path);

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

/* The content of files. */

/* A write, by handle or by name. */
struct track_write {
	arena_ref file;
	uint64_t offset;
	uint64_t size;
	uint32_t change; /* its number */
	bool stable;     /* the data is durable */
	/* Direct I/O: some file systems write what is aligned, and then refuse the
	 * rest with EINVAL. */
	bool direct;
};

/* The result of an operation: >= 0 or -errno. An operation that was refused may
 * nevertheless have changed the first `changed` bytes of its range. */
struct track_result {
	int64_t rc;
	uint64_t changed;
};

/* A write has returned the number of bytes written, or -errno. */
void track_write(struct map *map, const struct track_write *write, struct track_result result);

/* The following have returned `rc`: 0 or -errno. */
void track_truncate(struct map *map, arena_ref file, uint64_t size, int64_t rc);
/* `mode`: as in backend.h. */
void track_allocate(struct map *map, arena_ref file, uint64_t offset, uint64_t length,
		    unsigned mode, struct track_result result);
/* Bytes were copied into the file, or an attempt has failed. */
void track_copy(struct map *map, arena_ref file, uint64_t offset, struct track_result result);
/* `bytes` 0: up to the end of the other file. */
void track_clone(struct map *map, arena_ref file, uint64_t offset, uint64_t bytes, int64_t rc);
/* Nobody knows which of several changes these bytes have got last. */
void track_doubt_bytes(struct map *map, arena_ref file, uint64_t from, uint64_t to);

#endif
