/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names that a loop of the load has changed, for SETUP restore (restore.h).
 * All memory is set aside when the list is made, so that names can be added
 * while the clock runs. The list has each name once per
 * kind of change.
 */
#ifndef PLAY_CHANGES_H
#define PLAY_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limits of a list. A list that would exceed them is `full`. */
enum {
	CHANGES_MAX = 1 << 16,
	CHANGES_BYTES = 4 << 20, /* all names together */
};

enum change_kind {
	CHANGE_NAME, /* the file or directory itself may have changed */
	CHANGE_CUT,  /* the file was truncated when it was opened */
	CHANGE_TREE, /* everything in the directory may have changed */
	/* A rename. The next change is CHANGE_TO, its new name. */
	CHANGE_FROM,
	CHANGE_TO,
};

struct change {
	const char *path;
	enum change_kind kind;
	uint32_t slot; /* index into changes.slots; NO_SLOT: in none */
};

struct changes {
	struct change *list;
	size_t count;
	bool full; /* some changes are missing */
	/* Nothing has been added after the last rename, not even a name that
	 * the list has already. */
	bool undoable;
	char *names;
	size_t names_used;
	/* A hash table: 0, or the index of a change plus one. */
	uint32_t *slots;
};

/* Make an empty list. Return 0 or -ENOMEM; call changes_close in both cases. */
int changes_open(struct changes *changes);
void changes_close(struct changes *changes);

/* Add a name, unless the list has it with this kind. `kind`: CHANGE_NAME,
 * CHANGE_CUT or CHANGE_TREE. */
void changes_add(struct changes *changes, enum change_kind kind, const char *path);

/* Add a rename. If it undoes the last rename, and nothing has been added after
 * that, remove the last one instead, but keep both names. */
void changes_add_rename(struct changes *changes, const char *from, const char *to);

/* Make the list empty. */
void changes_clear(struct changes *changes);

#endif
