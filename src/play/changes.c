/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/changes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int changes_open(struct changes *changes, const struct program *program)
{
	changes->program = program;
	changes->bits = calloc(program->path_count + 1, sizeof(*changes->bits));
	changes->paths = malloc((program->path_count + 1) * sizeof(*changes->paths));
	changes->opened = calloc(program->handle_count + 1, sizeof(*changes->opened));
	if (changes->bits == NULL || changes->paths == NULL || changes->opened == NULL)
		return -ENOMEM;
	return 0;
}

void changes_close(struct changes *changes)
{
	uint32_t i;

	for (i = 0; changes->opened != NULL && i < changes->program->handle_count; i++)
		free(changes->opened[i].path);
	free(changes->opened);
	free(changes->paths);
	free(changes->bits);
}

void changes_begin(struct changes *changes, struct snapshot *snapshot)
{
	uint32_t i;

	changes->snapshot = snapshot;
	for (i = 0; i < changes->program->handle_count; i++) {
		struct changes_opened *opened = &changes->opened[i];

		if (opened->path != NULL)
			opened->entry = snapshot_find(snapshot, opened->path);
		if (opened->entry != NULL)
			opened->entry->opened = true;
	}
}

static void mark(struct changes *changes, const struct names *names, uint32_t path, unsigned bits)
{
	const char *text = names->paths[path].text;
	unsigned char *known = &changes->bits[path];
	struct snapshot_entry *entry;

	if (!changes->shared)
		changes->undoable = false;
	if (!changes->program->paths[path].varying) {
		if ((__atomic_load_n(known, __ATOMIC_RELAXED) & bits) == bits)
			return;
		if (__atomic_fetch_or(known, (unsigned char)bits, __ATOMIC_RELAXED) == 0)
			changes->paths[__atomic_fetch_add(&changes->path_count, 1,
							  __ATOMIC_RELAXED)] = path;
		return;
	}
	entry = snapshot_find(changes->snapshot, text);
	if (entry == NULL) {
		entry = snapshot_above(changes->snapshot, text);
		bits = CHANGE_EXTRA;
	}
	__atomic_fetch_or(&entry->changed, bits, __ATOMIC_RELAXED);
}

size_t changes_renames(const struct changes *changes)
{
	return changes->rename_count < CHANGES_RENAMES_MAX ? changes->rename_count
							   : CHANGES_RENAMES_MAX;
}

/* List a rename. Return false if it cannot be listed. Renames whose order matters
 * are played one after the other, also by several lanes (streams/rules.h). */
static bool list_rename(struct changes *changes, uint32_t from, uint32_t to)
{
	const struct program_path *paths = changes->program->paths;
	size_t number;

	if (paths[from].varying || paths[to].varying)
		return false;
	number = __atomic_fetch_add(&changes->rename_count, 1, __ATOMIC_RELAXED);
	if (number >= CHANGES_RENAMES_MAX)
		return false;
	changes->renames[number] = (struct change_rename){from, to};
	return true;
}

/*
 * Note a rename. If it undoes the last one, and nothing has been noted after
 * that, drop the last one instead, but keep both names. A rename that cannot be
 * listed changes both trees.
 */
static void note_rename(struct changes *changes, const struct names *names, uint32_t from,
			uint32_t to)
{
	const struct change_rename *last;
	bool listed;

	if (changes->undoable) {
		last = &changes->renames[changes->rename_count - 1];
		if (last->from == to && last->to == from) {
			changes->rename_count--;
			changes->undoable = false;
			return;
		}
	}
	listed = list_rename(changes, from, to);
	mark(changes, names, from, listed ? CHANGE_NAME : CHANGE_TREE);
	mark(changes, names, to, listed ? CHANGE_NAME : CHANGE_TREE);
	if (!changes->shared)
		changes->undoable = listed;
}

/* Note an operation that has changed files by their paths. */
static void note_paths(struct changes *changes, const struct names *names, const struct op *op)
{
	unsigned effect = op_effect(op);

	if ((effect & (E_MOVES | E_SWAPS)) != 0) {
		note_rename(changes, names, op->path, op->path2);
	} else if ((effect & E_MANY) != 0) {
		mark(changes, names, (effect & E_DIR) != 0 ? op->path : op->path2, CHANGE_TREE);
	} else {
		mark(changes, names, op->path,
		     (effect & E_RESIZES) != 0 ? CHANGE_NAME | CHANGE_CUT : CHANGE_NAME);
		/* The file can be changed under both names from now on. */
		if (op_accesses_two(op->kind))
			mark(changes, names, op->path2, CHANGE_NAME);
	}
}

static bool opens_for_writing(const struct op *op)
{
	const uint64_t writing = OPEN_WRITE | OPEN_APPEND;

	return op->kind == OP_OPEN && (op->open_flags & writing) != 0;
}

/* Remember the path of a handle that the set-up opens. */
static void note_opened(struct changes *changes, const struct names *names, const struct op *op)
{
	struct changes_opened *opened;

	if (op->kind != OP_OPEN || op->handle == OP_NONE)
		return;
	opened = &changes->opened[op->handle];
	free(opened->path);
	opened->path = strdup(names->paths[op->path].text);
}

bool changes_note(struct changes *changes, const struct names *names, const struct op *op,
		  int64_t returned)
{
	struct snapshot_entry *entry;

	if (changes->snapshot == NULL) {
		note_opened(changes, names, op);
		return false;
	}
	/* One that removes many names may fail after it has removed some. */
	if (returned < 0 && (op_effect(op) & E_MANY) == 0)
		return false;
	if (op->path != OP_NONE && (op_changes_path(op) || opens_for_writing(op))) {
		note_paths(changes, names, op);
	} else if (op->handle != OP_NONE && op->kind != OP_OPEN && op_changes_file(op->kind)) {
		entry = changes->opened[op_changed_handle(op)].entry;
		if (entry == NULL)
			return false;
		__atomic_fetch_or(&entry->changed, CHANGE_NAME, __ATOMIC_RELAXED);
		if (!changes->shared)
			changes->undoable = false;
	} else {
		return false;
	}
	__atomic_store_n(&changes->any, true, __ATOMIC_RELAXED);
	return true;
}

void changes_clear(struct changes *changes)
{
	while (changes->path_count > 0)
		changes->bits[changes->paths[--changes->path_count]] = 0;
	changes->rename_count = 0;
	changes->undoable = false;
	changes->any = false;
}
