/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "adapt/lost.h"

#include "words/capability.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does the operation make op->path if it does not exist? */
static bool makes_path(const struct op *op)
{
	return (op_effect(op) & E_MAKES) != 0;
}

/* Does the operation give a file another name, or exchange two? */
static bool is_rename(const struct op *op)
{
	return (op_effect(op) & (E_MOVES | E_SWAPS)) != 0;
}

/* Does the operation remove the name op->path? */
static bool removes_path(const struct op *op)
{
	const unsigned effect = op_effect(op);

	return (effect & (E_REMOVES | E_MOVES)) != 0 && (effect & E_MANY) == 0;
}

int lost_start(struct lost *lost, const struct program *program)
{
	const size_t paths = program->path_count;
	size_t i;
	int is_new;

	*lost = (struct lost){
		.paths = calloc(paths + 1, sizeof(*lost->paths)),
		.names = calloc(paths + 1, sizeof(*lost->names)),
		.strays = calloc(paths + 1, sizeof(*lost->strays)),
		.with_strays = calloc(paths + 1, sizeof(*lost->with_strays)),
	};
	if (walk_begin(&lost->walk, program) < 0 || lost->paths == NULL || lost->names == NULL ||
	    lost->strays == NULL || lost->with_strays == NULL)
		return -ENOMEM;
	for (i = 0; i < paths; i++) {
		const char *text = program->paths[i].text;

		if (intern(&lost->texts, text, strlen(text), &is_new) < 0)
			return -ENOMEM;
	}
	return 0;
}

void lost_free(struct lost *lost)
{
	walk_end(&lost->walk);
	free(lost->paths);
	free(lost->names);
	free(lost->strays);
	free(lost->with_strays);
	intern_free(&lost->texts);
	*lost = (struct lost){0};
}

/* Return the capability without which the path, or a directory above it, is a
 * stray; or 0. */
static unsigned stray(const struct lost *lost, uint32_t path)
{
	const char *text = lost->walk.program->paths[path].text, *slash = text;
	unsigned missing = lost->strays[path];
	int64_t above;

	while (missing == 0 && (slash = strchr(slash, '/')) != NULL) {
		above = intern_find(&lost->texts, text, (size_t)(slash - text));
		if (above >= 0)
			missing = lost->strays[above];
		slash++;
	}
	return missing;
}

/* Return the capability without which the operation uses a stray, or 0. */
static unsigned uses_stray(const struct lost *lost, const struct op *op)
{
	const char *shape = op_shape(op->kind);
	unsigned missing = 0;

	if (!lost->any_stray)
		return 0;
	if (shape[0] == 'p')
		missing = stray(lost, op->path);
	if (missing == 0 && (shape[0] == 'w' || op_accesses_two(op->kind)))
		missing = stray(lost, op->path2);
	/* Strays may be in the way, or would be removed. */
	if (missing == 0 && (op->kind == OP_RMDIR || op->kind == OP_NFS_RMDIR))
		missing = lost->with_strays[op->path];
	if (missing == 0 && op->kind == OP_UNLINK_MATCHING)
		missing = lost->with_strays[op->path2];
	return missing;
}

/* Return the capability without which the open files of the operation are lost or
 * cannot be flushed, or 0. */
static unsigned uses_lost_file(const struct walk *walk)
{
	const struct walk_file *file = walk->file;

	if (file->mark != 0)
		return (unsigned)file->mark;
	if (walk->file2 != NULL)
		return (unsigned)walk->file2->mark;
	if (walk->op->kind != OP_FSYNC && walk->op->kind != OP_FDATASYNC)
		return 0;
	return (file->open->open_flags & OPEN_DIRECTORY) != 0 ? CAP_SYNC_PARENTS : 0;
}

unsigned lost_needs(const struct lost *lost)
{
	const struct walk *walk = &lost->walk;
	const struct op *op = walk->op;
	unsigned missing = uses_stray(lost, op);

	if (missing != 0)
		return missing;
	if (walk->file != NULL && op->kind != OP_OPEN)
		return uses_lost_file(walk);
	if (op_shape(op->kind)[0] != 'p')
		return 0;
	/* An operation that was recorded as a failure because the name exists
	 * would succeed. */
	if (lost->paths[op->path] != 0 && !(makes_path(op) && walk->ok))
		return lost->paths[op->path];
	/* A link needs the file, and a rename that failed the other name. */
	if (op_accesses_two(op->kind) && !(is_rename(op) && walk->ok))
		return lost->paths[op->path2];
	return 0;
}

void lost_shorten(const struct lost *lost, struct op *op)
{
	const char *pattern;
	uint32_t names;

	if (op->kind == OP_LIST && lost->with_strays[op->path2] != 0)
		op->flags &= (uint16_t)~OP_COUNTED;
	if (op->kind != OP_LIST || lost->names[op->path2] == 0)
		return;
	names = lost->names[op->path2];
	pattern = strrchr(lost->walk.program->paths[op->path].text, '/');
	if (pattern != NULL && strcmp(pattern, "/*") == 0 && op->expect > names &&
	    op->expect < op->max_entries)
		op->expect -= names;
	else
		op->flags &= (uint16_t)~OP_COUNTED;
}

/* Return the number of the path's directory, or -1 if no operation uses it. */
static int64_t directory_of(const struct lost *lost, uint32_t path)
{
	const char *text = lost->walk.program->paths[path].text;
	const char *slash = strrchr(text, '/');

	return intern_find(&lost->texts, text, slash != NULL ? (size_t)(slash - text) : 0);
}

/* Is the path below the directory `top`? */
static bool is_below(const struct lost *lost, uint32_t path, uint32_t top)
{
	const struct program_path *paths = lost->walk.program->paths;
	size_t length = strlen(paths[top].text);

	return strncmp(paths[path].text, paths[top].text, length) == 0 &&
	       paths[path].text[length] == '/';
}

static void set_stray(struct lost *lost, uint32_t path, unsigned missing)
{
	int64_t directory = directory_of(lost, path);

	if (directory >= 0)
		lost->with_strays[directory] = missing;
	lost->strays[path] = missing;
	lost->any_stray = true;
}

/* Note that the target lacks a name, or with 0 that it has it, or that the name
 * does not exist. */
static void set_path(struct lost *lost, uint32_t path, unsigned missing)
{
	int64_t directory;

	if ((lost->paths[path] != 0) != (missing != 0)) {
		lost->count += missing != 0 ? 1 : SIZE_MAX;
		directory = directory_of(lost, path);
		if (directory >= 0)
			lost->names[directory] += missing != 0 ? 1 : UINT32_MAX;
	}
	lost->paths[path] = missing;
}

/* A directory gets another name, and so do the lost names and strays in it. */
static void move_names(struct lost *lost, uint32_t from, uint32_t to)
{
	const struct program_path *paths = lost->walk.program->paths;
	const size_t length = strlen(paths[from].text);
	char text[2 * PROGRAM_PATH_MAX];
	uint32_t path;

	if (lost->with_strays[from] != 0)
		lost->with_strays[to] = lost->with_strays[from];
	for (path = 0; path < lost->walk.program->path_count; path++) {
		unsigned missing = lost->paths[path];
		int64_t moved;

		if ((missing == 0 && lost->strays[path] == 0 && lost->with_strays[path] == 0) ||
		    !is_below(lost, path, from))
			continue;
		snprintf(text, sizeof(text), "%s%s", paths[to].text, paths[path].text + length);
		moved = intern_find(&lost->texts, text, strlen(text));
		set_path(lost, path, 0);
		if (moved < 0)
			continue;
		set_path(lost, (uint32_t)moved, missing);
		lost->strays[moved] |= lost->strays[path];
		lost->with_strays[moved] |= lost->with_strays[path];
	}
}

/* Note that an operation on names is skipped, because an exchange is. */
static void note_strays(struct lost *lost, const struct op *op, unsigned missing)
{
	if (makes_path(op) || removes_path(op) || is_rename(op))
		set_stray(lost, op->path, missing);
	if (is_rename(op))
		set_stray(lost, op->path2, missing);
}

void lost_note(struct lost *lost, unsigned missing)
{
	const struct walk *walk = &lost->walk;
	const struct op *op = walk->op;

	if (!walk->ok)
		return;
	if (op->kind == OP_OPEN || op->kind == OP_CLOSE)
		walk->file->mark = op->kind == OP_OPEN ? missing : 0;
	if (missing == CAP_SWAP) {
		note_strays(lost, op, missing);
		return;
	}
	if ((op_effect(op) & E_MOVES) != 0) {
		set_path(lost, op->path2, lost->paths[op->path]);
		if (missing == 0 && (lost->count > 0 || lost->any_stray))
			move_names(lost, op->path, op->path2);
	}
	if (removes_path(op))
		set_path(lost, op->path, 0);
	else if (makes_path(op))
		set_path(lost, op->path, missing);
}
