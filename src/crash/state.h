/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of a run: which bytes its users have written where, and which of
 * them must still be there after the target has crashed. A run saves it in a
 * file, and `throng verify` reads it. The manual page throng-verify(1) describes
 * the file. It is text from outside, so the reader checks all of it.
 */
#ifndef CRASH_STATE_H
#define CRASH_STATE_H

#include "base/error.h"
#include "verify/verify.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The proof that a flush gives on a target: backend.h, blind_commits. */
enum state_flush {
	STATE_FLUSH_PROVEN, /* the data and the file's names are durable */
	STATE_FLUSH_DATA,   /* the data is durable, the names need not be */
	STATE_FLUSH_BLIND,  /* nothing */
	STATE_FLUSH_NONE,   /* the target cannot flush */
	STATE_FLUSHES
};

struct state_target {
	char *url; /* for messages only */
	/* The directory of the run there (workdir/rundir.h), one component; "":
	 * the target itself. */
	char *directory;
	enum state_flush flush;
	/* Names are durable when the call returns that makes them (backend.h,
	 * durable_directories). Used by state_take, and not in the file. */
	bool durable_names;
};

enum state_kind {
	STATE_MUST,    /* `now` must be there */
	STATE_MAY,     /* `now`, `before`, a version between them, or zeros */
	STATE_UNKNOWN, /* any bytes may be there */
};

/* A range of a file. The values have the kinds MAP_ZERO, MAP_DATA and
 * MAP_UNKNOWN. */
struct state_range {
	uint64_t from, to;
	enum state_kind kind;
	struct map_value now;    /* MUST and MAY: never unknown */
	struct map_value before; /* MAY: the last durable content */
};

enum state_name_kind {
	STATE_NAME_MUST, /* the name must be there */
	/* It may be missing, but no other file has ever had it: if it is there,
	 * it is one of this file. */
	STATE_NAME_SOLE,
	STATE_NAME_MAY, /* it may be missing, or be one of another file */
	STATE_NAMES
};

struct state_name {
	char *path; /* relative to the target, in the user's directory */
	enum state_name_kind kind;
};

struct state_file {
	unsigned user;   /* a number in the whole run */
	uint64_t size;   /* the ranges end here at the latest */
	bool size_exact; /* else the file may be shorter or longer */
	/* The load may have taken away the right to read the file. */
	bool barred;
	/* In the arrays of struct state. Each file has a name. */
	size_t first_name, name_count;
	size_t first_range, range_count; /* ascending, without overlaps */
};

struct state {
	uint64_t nonce; /* verify/content.h */
	unsigned first_user, users;
	/* User number N played on target N % target_count. */
	struct state_target *targets;
	size_t target_count, target_room;
	/* Users of whom nothing is known, ascending: they were killed while they
	 * changed their maps. They have no files. */
	unsigned *lost;
	size_t lost_count, lost_room;
	struct state_file *files; /* those of a user follow each other */
	size_t file_count, file_room;
	struct state_name *names;
	size_t name_count, name_room;
	struct state_range *ranges;
	size_t range_count, range_room;
};

/*
 * Read a state file. Return 0, or -errno with `error` set: -EINVAL if the file
 * is not a state file or has an error. Free *state with state_free, also after a
 * failure.
 */
int state_read(const char *path, struct state *state, struct error *error);

void state_free(struct state *state);

/* Return a range of a file. The file has more than `index` ranges. */
static inline const struct state_range *state_range_of(const struct state *state,
						       const struct state_file *file, size_t index)
{
	return &state->ranges[file->first_range + index];
}

/*
 * Check that saving a state in `path` destroys nothing: there is no such file,
 * or it is empty or an older state. Return 0, or -errno with `error` set, which
 * begins with the text `what`: -EEXIST if it is another file.
 */
int state_check_place(const char *what, const char *path, struct error *error);

/*
 * Take the state from the maps of a point's users, when the users have ended or
 * died. `targets` are those of the run. Return 0 or -ENOMEM. Free *state with
 * state_free in either case.
 */
int state_take(const struct verify *verify, const struct state_target *targets, size_t target_count,
	       struct state *state);

/* Return the number of bytes that must be there. */
uint64_t state_must_bytes(const struct state *state);

/* Return why no byte must be there, for a message. */
const char *state_explain_nothing(const struct state *state);

/* Write a state file. The caller checks the stream for errors. Return 0. */
int state_write(const struct state *state, FILE *stream);

/* Add an item without a name or a range to its array. Return 0 or -ENOMEM. The
 * state owns the texts; they are copied. */
int state_add_target(struct state *state, const struct state_target *target);
int state_add_lost(struct state *state, unsigned user);
int state_add_file(struct state *state, const struct state_file *file);
/* To the last file. */
int state_add_name(struct state *state, const char *path, enum state_name_kind kind);
int state_add_range(struct state *state, const struct state_range *range);

/* The words of a state file, each for the reader and the writer. */
#define STATE_MAGIC "throng-state"
enum { STATE_VERSION = 2 };
extern const char *const state_flushes[STATE_FLUSHES];
extern const char *const state_names[STATE_NAMES];

#endif
