/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/changes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int changes_open(struct changes *changes, const struct program *program, const struct names *names)
{
	changes->program = program;
	changes->names = names;
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

static void mark(struct changes *changes, uint32_t path, unsigned bits)
{
	const char *text = changes->names->paths[path].text;
	struct snapshot_entry *entry;

	changes->undoable = false;
	if (!changes->program->paths[path].varying) {
		if (changes->bits[path] == 0)
			changes->paths[changes->path_count++] = path;
		changes->bits[path] |= bits;
		return;
	}
	entry = snapshot_find(changes->snapshot, text);
	if (entry != NULL)
		entry->changed |= bits;
	else
		snapshot_above(changes->snapshot, text)->changed |= CHANGE_EXTRA;
}

/*
 * Note a rename. If it undoes the last one, and nothing has been noted after
 * that, drop the last one instead, but keep both names. A rename that cannot be
 * listed changes both trees.
 */
static void note_rename(struct changes *changes, uint32_t from, uint32_t to)
{
	const struct program_path *paths = changes->program->paths;
	struct change_rename *next = &changes->renames[changes->rename_count];
	bool listed = changes->rename_count < CHANGES_RENAMES_MAX && !paths[from].varying &&
		      !paths[to].varying;

	if (changes->undoable && next[-1].from == to && next[-1].to == from) {
		changes->rename_count--;
		changes->undoable = false;
		return;
	}
	mark(changes, from, listed ? CHANGE_NAME : CHANGE_TREE);
	mark(changes, to, listed ? CHANGE_NAME : CHANGE_TREE);
	if (!listed)
		return;
	*next = (struct change_rename){from, to};
	changes->rename_count++;
	changes->undoable = true;
}

/* Note an operation that has changed files by their paths. */
static void note_paths(struct changes *changes, const struct op *op)
{
	unsigned effect = op_effect(op);

	if ((effect & (E_MOVES | E_SWAPS)) != 0) {
		note_rename(changes, op->path, op->path2);
	} else if ((effect & E_MANY) != 0) {
		mark(changes, (effect & E_DIR) != 0 ? op->path : op->path2, CHANGE_TREE);
	} else {
		mark(changes, op->path,
		     (effect & E_RESIZES) != 0 ? CHANGE_NAME | CHANGE_CUT : CHANGE_NAME);
		/* The file can be changed under both names from now on. */
		if (op_accesses_two(op->kind))
			mark(changes, op->path2, CHANGE_NAME);
	}
}

static bool opens_for_writing(const struct op *op)
{
	const uint64_t writing = OPEN_WRITE | OPEN_APPEND;

	return op->kind == OP_OPEN && (op->open_flags & writing) != 0;
}

/* Remember the path of a handle that the set-up opens. */
static void note_opened(struct changes *changes, const struct op *op)
{
	struct changes_opened *opened;

	if (op->kind != OP_OPEN || op->handle == OP_NONE)
		return;
	opened = &changes->opened[op->handle];
	free(opened->path);
	opened->path = strdup(changes->names->paths[op->path].text);
}

bool changes_note(struct changes *changes, const struct op *op, int64_t returned)
{
	struct snapshot_entry *entry;

	if (changes->snapshot == NULL) {
		note_opened(changes, op);
		return false;
	}
	/* One that removes many names may fail after it has removed some. */
	if (returned < 0 && (op_effect(op) & E_MANY) == 0)
		return false;
	if (op->path != OP_NONE && (op_changes_path(op) || opens_for_writing(op))) {
		note_paths(changes, op);
	} else if (op->handle != OP_NONE && op->kind != OP_OPEN && op_changes_file(op->kind)) {
		entry = changes->opened[op_changed_handle(op)].entry;
		if (entry == NULL)
			return false;
		entry->changed |= CHANGE_NAME;
		changes->undoable = false;
	} else {
		return false;
	}
	changes->any = true;
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
