/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names, types and sizes of the files below a directory, as the set-up left
 * them (restore.h).
 */
#ifndef PLAY_SNAPSHOT_H
#define PLAY_SNAPSHOT_H

#include "target/backend.h"

enum snapshot_type { SNAPSHOT_FILE, SNAPSHOT_DIRECTORY, SNAPSHOT_LINK };

struct snapshot_entry {
	char *path;
	uint64_t size_bytes; /* of a file */
	enum snapshot_type type;
	/* The rest is zero at first, and is the reader's (restore.c). */
	unsigned char changed;
	bool opened;
};

struct snapshot {
	struct snapshot_entry *entries; /* sorted by path, as strcmp does */
	size_t count, room;
};

/*
 * Take a snapshot of everything below the directory `top`, which is itself the
 * first entry. With `links`, find out which entries are symbolic links;
 * without, there are none. Add one to *steps per entry. Return 0 or -errno;
 * call snapshot_free in both cases.
 */
int snapshot_take(struct snapshot *snapshot, const struct backend *backend,
		  struct backend_session *session, const char *top, bool links, uint64_t *steps);

/* Return the entry of a path, or NULL: the path did not exist. */
struct snapshot_entry *snapshot_find(const struct snapshot *snapshot, const char *path);

/* Return the nearest entry above a path below `top`. Above `top` is `top`. */
struct snapshot_entry *snapshot_above(const struct snapshot *snapshot, const char *path);

/*
 * Return the first entry below a directory, or with `after` the next one; NULL:
 * no more. A directory precedes its entries.
 */
struct snapshot_entry *snapshot_next(const struct snapshot *snapshot, const char *directory,
				     struct snapshot_entry *after);

void snapshot_free(struct snapshot *snapshot);

#endif
