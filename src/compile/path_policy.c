/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/path_policy.h"

#include <errno.h>

/* Would the operation harm the run? It may open or create the directories that
 * throng has created. It may not change the target or CLIENTS_NAME, nor rename
 * the user's own directory or take rights on it away. */
static bool harms_run(const struct op *op, enum path_place place)
{
	switch (op->kind) {
	case OP_OPEN:
	case OP_MKDIR:
	case OP_NFS_CREATE:
	case OP_NFS_MKDIR:
		return false;
	case OP_RENAME:
	case OP_NFS_RENAME:
	case OP_CHMOD:
	case OP_CHOWN:
		return place <= PATH_HOME;
	default:
		return place <= PATH_CLIENTS;
	}
}

/* Check one path of `op`. */
static int check_place(const struct tables *tables, const struct op *op, uint32_t path,
		       bool changes, struct error *error)
{
	const struct program_path *p;

	if (path == OP_NONE)
		return 0;
	p = &tables->program->paths[path];
	if (op->kind == OP_DELTREE && p->place != PATH_HOME && p->place != PATH_OWN) {
		error_set(error,
			  "a load may not remove \"/%s\" recursively; expected the user's own "
			  "directory, /%s/%s, or a path below /%s/%s",
			  p->text, CLIENTS_NAME, USER_NAME, CLIENTS_NAME, USER_NAME);
		return -EINVAL;
	}
	if (op->kind == OP_UNLINK_MATCHING &&
	    tables->program->paths[op->path2].place <= PATH_CLIENTS) {
		error_set(error,
			  "a load may not use a pattern to remove files in \"/%s\", because the "
			  "pattern could match what the run needs there",
			  tables->program->paths[op->path2].text);
		return -EINVAL;
	}
	if (changes && harms_run(op, p->place)) {
		error_set(error, "%s may not change \"/%s\", because the run needs this directory",
			  op_verb(op->kind), p->text);
		return -EINVAL;
	}
	return 0;
}

/* Refuse a symbolic link with empty content. */
static int check_content(const struct tables *tables, const struct op *op, struct error *error)
{
	if ((op->kind != OP_SYMLINK && op->kind != OP_NFS_SYMLINK) ||
	    tables->program->paths[op->path2].text[0] != '\0')
		return 0;
	error_set(error, "\"/\" cannot be the content of a symbolic link, because throng removes "
			 "the leading slash and the link would be empty; expected a path with at "
			 "least one name");
	return -EINVAL;
}

int path_policy_check(const struct tables *tables, const struct op *op, struct error *error)
{
	if (op->kind == OP_OPEN && op->path != OP_NONE &&
	    (op->open_flags & OPEN_DELETE_ON_CLOSE) != 0 &&
	    tables->program->paths[op->path].place < PATH_HOME) {
		error_set(error,
			  "a load may not delete \"/%s\" on close, because the run needs this "
			  "directory",
			  tables->program->paths[op->path].text);
		return -EINVAL;
	}
	if (check_content(tables, op, error) < 0)
		return -EINVAL;
	if (check_place(tables, op, op->path, op_changes_path(op), error) < 0)
		return -EINVAL;
	if (op_accesses_two(op->kind))
		return check_place(tables, op, op->path2, true, error);
	return 0;
}
