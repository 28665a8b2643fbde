/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The marker in `clients`: the run that it belongs to, and what that run may
 * have made and is to remove. A run that takes over a dead one's directory
 * first writes its own marker beside the dead one's (workdir.c).
 */
#ifndef ENGINE_MARKER_H
#define ENGINE_MARKER_H

#include "base/layout.h"
#include "engine/identity.h"
#include "engine/tree.h"
#include "program/program.h"

/* What a marker says. `text` is the whole of it, lines cut by NULs. */
struct marker {
	char *text;
	size_t bytes;
	enum backend_owner owner; /* of the file that was read */
	struct identity run;
	/* In all points; the last one is client<first_user + users - 1>. */
	unsigned first_user, users;
	bool made;   /* `clients` was made by the run, not adopted */
	bool locked; /* a lock on the marker lasts as long as the run */
};

/* The path of the marker. */
#define MARKER_PATH CLIENTS_NAME "/" MARKER_NAME

/* The names of other files of throng's own: this and the id of a run. */
#define MARKER_PREFIX MARKER_NAME "-"

/* Room for the path of such a file, in any directory of throng's own. */
enum { MARKER_PATH_SIZE = 128 };

/* Is it the name of a marker, be it that of a take-over? */
bool marker_is_own(const char *name);

/*
 * Read the marker at `path`. Returns 0, -ENOENT when there is none, -EAGAIN
 * when it is not complete (yet), -EINVAL when it is no marker, or -errno. The
 * owner is right as soon as it could be opened. Free marker->text in any case.
 */
int marker_read(struct tree *tree, const char *path, struct marker *marker);

/*
 * Returns 0 when the marker `path` is that of the run, -EAGAIN when it is gone,
 * not complete or another run's, or -errno.
 */
int marker_check(struct tree *tree, const char *path,
		 const struct identity *run);

/* The content of a marker that is to be written. */
struct marker_content {
	const struct identity *run;
	unsigned first_user, users;
	bool made;
	const struct program *program;
	/* Per shared name of the program: it is not there and so is the run's
	 * to remove, if the load may make it. */
	const bool *absent;
};

/*
 * Fill in the marker of this process that has this content, without a file.
 * Returns 0 or -ENOMEM. Free marker->text in any case.
 */
int marker_make(const struct marker_content *content, struct marker *marker);

/*
 * Create the marker `path`, and lock it where the target has locks for that:
 * *lock_fd is then to be kept open until the run ends, else it is -1. Leaves
 * no half of a marker behind. Returns 0 or -errno: -EEXIST when there is one,
 * -EAGAIN when another run has put its own there meanwhile.
 */
int marker_write(struct tree *tree, const char *path,
		 const struct marker_content *content, int *lock_fd);

/*
 * Judge whether the run that wrote the marker `path` is alive, asked by the
 * run `self`. Where both can lock the file, the lock decides.
 */
enum identity_state marker_state(struct tree *tree, const char *path,
				 const struct marker *marker,
				 const struct identity *self);

/*
 * Return the values of the lines "WORD VALUE", one after the other: NULL
 * begins, and is returned at the end.
 */
const char *marker_next(const struct marker *marker, const char *word,
			const char *previous);

/* Words of such lines: a name beside `clients`, and one in it. */
#define MARKER_SHARED "shared"
#define MARKER_NAMED "name"

#endif
