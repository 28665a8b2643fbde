/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/shared.h"

#include "base/array.h"
#include "program/path.h"
#include "study/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Add the name at the start of a path, unless the path is in the user's own
 * directory or above it. */
static int add_path(struct shared *shared, const struct program_path *path, bool changes)
{
	size_t length = path_head(path->text);
	int64_t number;
	int is_new;

	if (path->place != PATH_SHARED && path->place != PATH_OTHERS)
		return 0;
	number = intern(&shared->names, path->text, length, &is_new);
	if (number < 0 || array_grow(&shared->changed, &shared->room, shared->names.count,
				     sizeof(*shared->changed)) < 0)
		return -ENOMEM;
	shared->changed[number] = changes || (!is_new && shared->changed[number]);
	shared->computed |= path->varying && memchr(path->text, '$', length) != NULL;
	return 0;
}

/*
 * Is the current operation an OPEN for writing in a LOOP or MIX that also writes
 * to the file of its handle? The line that writes may be above this one, so that
 * it seems to write to another file.
 */
static bool may_be_written_above(struct walk *walk)
{
	const struct op *op = walk->op;

	walk_mark_written(walk);
	return op->kind == OP_OPEN && walk->file != NULL && walk->file->mark != 0 &&
	       (op->open_flags & (OPEN_WRITE | OPEN_APPEND)) != 0;
}

/* Add the file of a handle, or the path, of the current operation. */
static int add_object(struct shared *shared, const struct walk *walk, bool changes)
{
	const struct op *op = walk->op;
	uint32_t path = walk_path(walk);

	/* The path is a pattern in this directory. */
	if (op->kind == OP_LIST || op->kind == OP_UNLINK_MATCHING)
		path = op->path2;
	return path == OP_NONE ? 0 : add_path(shared, &walk->program->paths[path], changes);
}

/* Add the second path or file of the current operation, which changes it. */
static int add_second(struct shared *shared, const struct walk *walk)
{
	uint32_t path = OP_NONE;

	if (op_accesses_two(walk->op->kind))
		path = walk->op->path2;
	else if (walk->file2 != NULL && walk->file2->open != NULL)
		path = walk->file2->open->path;
	return path == OP_NONE ? 0 : add_path(shared, &walk->program->paths[path], true);
}

int shared_add(struct shared *shared, const struct program *program)
{
	struct walk walk;
	int rc = walk_begin(&walk, program);

	while (rc == 0 && walk_next(&walk)) {
		const struct op *op = walk.op;
		bool changes = op_changes_path(op) || op_changes_file(op->kind);
		bool written = may_be_written_above(&walk);

		if (op_is_control(op->kind))
			continue;
		shared->changes |= changes;
		rc = add_object(shared, &walk,
				written || (changes && !op_uses_two_handles(op->kind)));
		if (rc == 0)
			rc = add_second(shared, &walk);
	}
	walk_end(&walk);
	return rc;
}

const char *shared_first_changed(const struct shared *shared)
{
	size_t i;

	for (i = 0; i < shared->names.count; i++)
		if (shared->changed[i])
			return shared->names.keys[i].bytes;
	return NULL;
}

int shared_overlaps(const struct program *one, const struct program *other)
{
	struct shared used = {0}, others = {0};
	int rc = shared_add(&used, one);
	size_t i;

	if (rc == 0)
		rc = shared_add(&others, other);
	if (rc == 0)
		rc = used.computed || (others.computed && used.names.count > 0);
	for (i = 0; i < others.names.count && rc == 0; i++) {
		const struct intern_key *name = &others.names.keys[i];

		rc = intern_find(&used.names, name->bytes, name->length) >= 0;
	}
	shared_free(&used);
	shared_free(&others);
	return rc;
}

void shared_free(struct shared *shared)
{
	intern_free(&shared->names);
	free(shared->changed);
	*shared = (struct shared){0};
}
