/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Note what a loop of the load has changed, for SETUP restore (restore.h). All
 * memory is set aside at the beginning, so that changes can be noted while the
 * clock runs. The text of a path that varies is not kept: it is marked in the
 * snapshot of the set-up. The lanes of a user (lanes.h) note their changes at the
 * same time.
 */
#ifndef PLAY_CHANGES_H
#define PLAY_CHANGES_H

#include "play/names.h"
#include "play/snapshot.h"

/* Max number of renames that can be undone. */
enum { CHANGES_RENAMES_MAX = 1 << 14 };

/* Parts of a file or directory that may have changed, as bits. */
enum change {
	CHANGE_NAME = 1 << 0,  /* the file or directory itself */
	CHANGE_CUT = 1 << 1,   /* the file was truncated when it was opened */
	CHANGE_TREE = 1 << 2,  /* everything in the directory */
	CHANGE_EXTRA = 1 << 3, /* the directory may have new names */
};

/* Indexes into program->paths. */
struct change_rename {
	uint32_t from, to;
};

struct changes {
	const struct program *program;
	bool shared; /* several lanes note changes */
	/* Its entries have bits of varying paths and open files. NULL: the
	 * set-up is being played. */
	struct snapshot *snapshot;
	bool any; /* something has been noted */
	/* Bits by path, if it does not vary, and the paths that have any, in the
	 * order of their first change. */
	unsigned char *bits;
	uint32_t *paths;
	size_t path_count;
	struct change_rename renames[CHANGES_RENAMES_MAX];
	size_t rename_count; /* may be larger: those that have no room */
	/* Nothing has been noted after the last rename, not even a change that
	 * had been noted before. With several lanes, this is not known. */
	bool undoable;
	/* By handle slot: the file that the set-up has opened, or NULL. */
	struct changes_opened {
		char *path;
		struct snapshot_entry *entry;
	} *opened;
};

/* Set memory aside for a user, `changes` being zeroed. Return 0 or -ENOMEM; call
 * changes_close in either case. */
int changes_open(struct changes *changes, const struct program *program);
void changes_close(struct changes *changes);

/* Begin to note changes: the set-up has been played. */
void changes_begin(struct changes *changes, struct snapshot *snapshot);

/* Note what an operation has changed, if anything. `names` are those with which it
 * was played, `returned` is its result. Return false if it has not changed
 * anything. */
bool changes_note(struct changes *changes, const struct names *names, const struct op *op,
		  int64_t returned);

/* Return the number of renames that are listed. */
size_t changes_renames(const struct changes *changes);

/* Forget all changes but those that the snapshot has. */
void changes_clear(struct changes *changes);

#endif
