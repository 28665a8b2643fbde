/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The marker in `clients`: a file that names the run that the directory belongs
 * to, and the files that this run may make and must remove. A run may take over
 * `clients` from a dead run. For this take-over it first writes its own marker
 * beside the dead run's marker (workdir.h).
 */
#ifndef WORKDIR_MARKER_H
#define WORKDIR_MARKER_H

#include "study/outside.h"
#include "target/tree.h"
#include "words/layout.h"
#include "workdir/identity.h"

/* A marker. `text` is the whole file, with NULs in place of newlines. */
struct marker {
	char *text;
	size_t bytes;
	enum backend_owner owner; /* owner of the marker's file */
	struct identity run;
	/* The users of all points: client<first_user>, and so on. */
	unsigned first_user, users;
	/* The run made `clients`; false: it adopted an empty directory. */
	bool made;
	bool locked; /* the run keeps a lock on the marker while it lives */
};

/* The path of the marker. */
#define MARKER_PATH CLIENTS_NAME "/" MARKER_NAME

/*
 * Prefix of two other kinds of names, each followed by the id of a run: the
 * marker of a take-over, and the temporary name of `clients` (leftovers_aside).
 */
#define MARKER_PREFIX MARKER_NAME "-"

/* Size of a buffer that is large enough for the path of any marker. */
enum { MARKER_PATH_SIZE = 128 };

/* Check if `name` is the name of a marker, possibly of a take-over. */
bool marker_is_own(const char *name);

/*
 * Read the marker at `path`. Return 0, -ENOENT if there is none, -EAGAIN if
 * it is not complete (yet), -EINVAL if it is not a marker, or -errno.
 * marker->owner is valid if the file could be opened. Free marker->text even
 * after an error.
 */
int marker_read(struct tree *tree, const char *path, struct marker *marker);

/*
 * Check that the marker `path` belongs to the run. Return 0, -EAGAIN if the
 * marker is gone, incomplete or another run's, or -errno.
 */
int marker_check(struct tree *tree, const char *path, const struct identity *run);

/* The content of a new marker. */
struct marker_content {
	const struct identity *run;
	unsigned first_user, users;
	bool made;
	const struct outside *names; /* of the loads */
	/*
	 * One element per shared name of the loads (outside.h). True: there
	 * is no such file, or only a leftover of a dead run. The run then
	 * removes the file when it ends, if the load may create it.
	 */
	const bool *absent;
};

/*
 * Fill in a marker of our own with this content, without writing a file. Return
 * 0 or -ENOMEM. Free marker->text even after an error.
 */
int marker_make(const struct marker_content *content, struct marker *marker);

/*
 * Create the marker `path`, and lock it if the target supports that: keep
 * *lock_fd open until the run ends (-1: not locked). Remove the file again on
 * failure. Return 0 or -errno: -EEXIST if there already is a file `path`,
 * -EAGAIN if another run has removed or replaced our marker meanwhile.
 */
int marker_write(struct tree *tree, const char *path, const struct marker_content *content,
		 int *lock_fd);

/*
 * Judge on behalf of the run `self` whether the run that wrote the marker
 * `path` is alive. If both runs can lock the file, the lock decides, since a
 * live run keeps it locked. Otherwise decide by the identities of the runs
 * (identity.h).
 */
enum identity_state marker_state(struct tree *tree, const char *path, const struct marker *marker,
				 const struct identity *self);

/*
 * Return the value of the next line "WORD VALUE" of the marker, or NULL if
 * there are no more such lines. `previous` is the value of the previous line;
 * NULL: start at the first line.
 */
const char *marker_next(const struct marker *marker, const char *word, const char *previous);

/* Words for marker_next: the lines with a name beside `clients`, and those with
 * a name in `clients`. */
#define MARKER_SHARED "shared"
#define MARKER_NAMED "name"

#endif
