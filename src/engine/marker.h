/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The marker in `clients`: which run it belongs to, and what that run may have
 * made and is to remove.
 */
#ifndef ENGINE_MARKER_H
#define ENGINE_MARKER_H

#include "engine/tree.h"
#include "program/program.h"

#include <sys/types.h>

/* What a marker says. `text` is the whole of it, lines cut by NULs. */
struct marker {
	char *text;
	size_t bytes;
	const char *host;
	pid_t owner;
	uint64_t owner_started;
	bool made; /* `clients` was made by the run, not adopted */
};

/* Where it is. */
extern const struct backend_path marker_path;

/*
 * Reads it. Returns 0, -ENOENT when there is none, or -errno; marker->text is
 * to be freed in any case.
 */
int marker_read(struct tree *tree, struct marker *marker);

/*
 * Writes it for a run of process `owner`: `made` as above; `absent` says which
 * of the program's shared names are not there and so are the run's to remove,
 * if the load may make them. Leaves no half of a marker behind. Returns 0 or
 * -errno: -EEXIST when there is one.
 */
int marker_write(struct tree *tree, pid_t owner, bool made,
		 const struct program *program, const bool *absent);

/* Could the run that wrote it still be alive? */
bool marker_is_alive(const struct marker *marker);

/* Did process `owner` of this host write it? */
bool marker_is_of(const struct marker *marker, pid_t owner);

/*
 * The values of the lines "WORD VALUE", one after the other: NULL begins, and
 * is returned at the end.
 */
const char *marker_next(const struct marker *marker, const char *word,
			const char *previous);

/* Words of such lines: a name beside `clients`, and one in it. */
#define MARKER_SHARED "shared"
#define MARKER_NAMED "name"

#endif
