/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "adapt/lost.h"

#include "words/capability.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does an operation of this kind use an open handle, or names? */
static bool uses_handle(enum op_kind kind)
{
	return strchr(op_shape(kind), 'h') != NULL;
}

static bool uses_path(enum op_kind kind)
{
	return op_shape(kind)[0] == 'p';
}

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

static bool succeeds(const struct op *op)
{
	return (op->accepts & OUTCOME_BIT(OK)) != 0;
}

int lost_start(struct lost *lost, const struct program *program)
{
	const size_t paths = program->path_count;
	const size_t handles = program->handle_count;
	size_t i;
	int is_new;

	*lost = (struct lost){
		.program = program,
		.paths = calloc(paths + 1, sizeof(*lost->paths)),
		.names = calloc(paths + 1, sizeof(*lost->names)),
		.handles = calloc(handles + 1, sizeof(*lost->handles)),
		.strays = calloc(paths + 1, sizeof(*lost->strays)),
		.with_strays = calloc(paths + 1, sizeof(*lost->with_strays)),
		.directories = calloc(handles + 1, sizeof(*lost->directories)),
	};
	if (lost->paths == NULL || lost->names == NULL || lost->handles == NULL ||
	    lost->strays == NULL || lost->with_strays == NULL || lost->directories == NULL)
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
	free(lost->paths);
	free(lost->names);
	free(lost->handles);
	free(lost->strays);
	free(lost->with_strays);
	free(lost->directories);
	intern_free(&lost->texts);
	*lost = (struct lost){0};
}

/* Return the capability without which the path, or a directory above it, is a
 * stray; or 0. */
static unsigned stray(const struct lost *lost, uint32_t path)
{
	const char *text = lost->program->paths[path].text, *slash = text;
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

unsigned lost_needs(const struct lost *lost, const struct op *op)
{
	const bool is_sync = op->kind == OP_FSYNC || op->kind == OP_FDATASYNC;
	unsigned missing = uses_stray(lost, op);

	if (missing != 0)
		return missing;
	if (uses_handle(op->kind)) {
		if (lost->handles[op->handle] != 0)
			return lost->handles[op->handle];
		if (op_uses_two_handles(op->kind))
			return lost->handles[op->handle2];
		return is_sync && lost->directories[op->handle] ? CAP_SYNC_PARENTS : 0;
	}
	if (!uses_path(op->kind))
		return 0;
	/* An operation that was recorded as a failure because the name exists
	 * would succeed. */
	if (lost->paths[op->path] != 0 && !(makes_path(op) && succeeds(op)))
		return lost->paths[op->path];
	/* A link needs the file, and a rename that failed the other name. */
	if (op_accesses_two(op->kind) && !(is_rename(op) && succeeds(op)))
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
	pattern = strrchr(lost->program->paths[op->path].text, '/');
	if (pattern != NULL && strcmp(pattern, "/*") == 0 && op->expect > names &&
	    op->expect < op->max_entries)
		op->expect -= names;
	else
		op->flags &= (uint16_t)~OP_COUNTED;
}

/* Return the number of the path's directory, or -1 if no operation uses it. */
static int64_t directory_of(const struct lost *lost, uint32_t path)
{
	const char *text = lost->program->paths[path].text;
	const char *slash = strrchr(text, '/');

	return intern_find(&lost->texts, text, slash != NULL ? (size_t)(slash - text) : 0);
}

/* Is the path below the directory `top`? */
static bool is_below(const struct lost *lost, uint32_t path, uint32_t top)
{
	const struct program_path *paths = lost->program->paths;
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
	const struct program_path *paths = lost->program->paths;
	const size_t length = strlen(paths[from].text);
	char text[2 * PROGRAM_PATH_MAX];
	uint32_t path;

	if (lost->with_strays[from] != 0)
		lost->with_strays[to] = lost->with_strays[from];
	for (path = 0; path < lost->program->path_count; path++) {
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

void lost_note(struct lost *lost, const struct op *op, unsigned missing)
{
	if (!succeeds(op))
		return;
	if (op->kind == OP_OPEN) {
		lost->handles[op->handle] = missing;
		lost->directories[op->handle] = (op->open_flags & OPEN_DIRECTORY) != 0;
	}
	if (op->kind == OP_CLOSE)
		lost->handles[op->handle] = 0;
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
