/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls on names. */
#include "capture/strace/calls.h"

#include <errno.h>
#include <string.h>

/*
 * Attributes of which the trace does not show the name, as with strace -s 0. The
 * size of the value tells them apart. One that is not found needs another name
 * than those that exist. One that is removed may have any name, so the attributes
 * are listed instead.
 */
#define ATTRIBUTE_SIZED "user.recorded-%lld"
#define ATTRIBUTE_MISSING "user.missing"

static const char *argument(const struct strace *strace, unsigned position)
{
	return strace_argument(strace, position);
}

/* Learn from the structure that a stat has filled in. */
static void learn_stat(const struct strace *strace, struct recorded *r)
{
	static const struct {
		const char *word;
		enum node_kind kind;
	} kinds[] = {
		{"S_IFREG", NODE_FILE},
		{"S_IFDIR", NODE_DIRECTORY},
		{"S_IFLNK", NODE_LINK},
	};
	const char *mode = NULL, *size = NULL;
	unsigned i;

	for (i = 1; i <= STRACE_ARGUMENTS && mode == NULL; i++) {
		mode = strace_field(argument(strace, i), "st_mode=");
		size = strace_field(argument(strace, i), "st_size=");
		if (mode != NULL)
			break;
		mode = strace_field(argument(strace, i), "stx_mode=");
		size = strace_field(argument(strace, i), "stx_size=");
	}
	if (mode == NULL || strace->call.failed)
		return;
	r->kind = NODE_OTHER;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strncmp(mode, kinds[i].word, 7) == 0)
			r->kind = kinds[i].kind;
	if (r->kind == NODE_FILE && size != NULL)
		r->bytes = strace_number(size);
}

/* A set-up lays out files without the right to execute. */
static void set_rights(struct strace *strace, struct recorded *r)
{
	const char *rights = argument(strace, strace->row->value);
	const struct node *node = tree_find(recording_tree(strace->recording), r->path, r->follow);

	if (strace_has(rights, "R_OK"))
		r->op.mode |= ACCESS_READ;
	if (strace_has(rights, "W_OK"))
		r->op.mode |= ACCESS_WRITE;
	if (!strace_has(rights, "X_OK"))
		return;
	if (node != NULL && node->kind == NODE_DIRECTORY)
		r->op.mode |= ACCESS_EXECUTE;
	else
		strace_approximate(strace, "access without the right to execute");
}

/* Set the name and the size of an extended attribute. */
static void set_attribute(struct strace *strace, struct recorded *r,
			  char name[PROGRAM_ATTRIBUTE_NAME_MAX + 1])
{
	unsigned value = strace->row->value;
	int64_t size = strace_number(argument(strace, value + 2));

	r->text = name;
	/* A larger buffer makes no difference. */
	if (size > PROGRAM_ATTRIBUTE_BYTES_MAX)
		size = PROGRAM_ATTRIBUTE_BYTES_MAX;
	if (r->op.kind == OP_XATTR_SET || r->op.kind == OP_XATTR_GET)
		r->op.size = size > 0 ? (uint64_t)size : 0;
	if (r->op.kind == OP_XATTR_GET && !strace->call.failed) {
		size = strace->call.result;
		if (size > PROGRAM_ATTRIBUTE_BYTES_MAX)
			strace_drop(strace, "impossible size or offset");
		r->op.expect = (uint32_t)size;
		r->op.flags = OP_COUNTED;
	}
	if (strace_string(argument(strace, value), name, PROGRAM_ATTRIBUTE_NAME_MAX + 1))
		return;
	strace_approximate(strace, "extended attribute under another name");
	if (strace->call.failed) {
		strcpy(name, ATTRIBUTE_MISSING);
	} else if (r->op.kind == OP_XATTR_REMOVE) {
		r->op.kind = OP_XATTR_LIST;
		r->text = NULL;
	} else {
		sprintf(name, ATTRIBUTE_SIZED, (long long)size);
	}
}

/* Set what the kind of operation needs besides the path. */
static void fill(struct strace *strace, struct recorded *r,
		 char name[PROGRAM_ATTRIBUTE_NAME_MAX + 1])
{
	unsigned value = strace->row->value;

	switch (r->op.kind) {
	case OP_STAT:
	case OP_FSTAT:
		learn_stat(strace, r);
		break;
	case OP_ACCESS:
		set_rights(strace, r);
		break;
	case OP_CHMOD:
		r->op.mode = (uint32_t)strace_number(argument(strace, value)) & PERMISSIONS_MAX;
		break;
	case OP_CHOWN:
		/* -1 is OP_UNCHANGED. */
		r->op.user_id = (uint32_t)strace_number(argument(strace, value));
		r->op.group_id = (uint32_t)strace_number(argument(strace, value + 1));
		break;
	case OP_XATTR_GET:
	case OP_XATTR_SET:
	case OP_XATTR_REMOVE:
		set_attribute(strace, r, name);
		break;
	default:
		break;
	}
}

/* Does the call name its file by a descriptor only? */
static bool is_by_descriptor(const struct strace *strace)
{
	const struct strace_row *row = strace->row;
	const char *path = argument(strace, row->path);

	return row->path == 0 || (row->descriptor != 0 &&
				  (strcmp(path, "NULL") == 0 ||
				   (strcmp(path, "\"\"") == 0 &&
				    strace_has(argument(strace, row->flags), "AT_EMPTY_PATH"))));
}

/* Set the file, and its path, of a call by descriptor. Return false if the call
 * cannot be played. */
static bool get_by_descriptor(struct strace *strace, struct recorded *r, char path[TREE_PATH_MAX])
{
	unsigned position = strace->row->descriptor;
	struct description *description;
	const char *absolute = NULL;
	bool named;

	r->path = path;
	if (strncmp(argument(strace, position), "AT_FDCWD", 8) == 0)
		absolute = strace->process->directory->path;
	description = strace_description(strace, position);
	if (description != NULL && description->path != NULL)
		absolute = description->path;
	if (absolute != NULL) {
		r->path = strace_below(strace, absolute);
		if (r->path == NULL)
			strace_elsewhere(strace);
		return r->path != NULL;
	}
	description = strace_file(strace, position);
	if (description == NULL)
		return false;
	r->file = description->file;
	named = node_path(recording_node(r->file), path);
	if (r->op.kind == OP_STAT)
		r->op.kind = OP_FSTAT;
	else if (r->op.kind == OP_SET_PATH_TIMES)
		r->op.kind = OP_SET_TIMES;
	else if (!named && r->op.kind != OP_STATVFS)
		strace_drop(strace, "by the name of a removed file");
	else
		return true;
	return r->op.kind == OP_FSTAT || r->op.kind == OP_SET_TIMES;
}

/* Does the call follow a symbolic link at the end of its path? */
static bool follows(const struct strace *strace)
{
	const char *flags = argument(strace, strace->row->flags);

	switch (strace->row->op) {
	case OP_MKDIR:
	case OP_RMDIR:
	case OP_UNLINK:
	case OP_READLINK:
		return false;
	default:
		return strace->slash || (strace->row->flags != NEVER_FOLLOWS &&
					 !strace_has(flags, "AT_SYMLINK_NOFOLLOW"));
	}
}

/* Does a symbolic link on the path lead out of the directory? */
static bool leads_out(struct strace *strace, const struct recorded *r)
{
	struct place place;

	return tree_walk(recording_tree(strace->recording), r->path, r->follow ? WALK_FOLLOW : 0,
			 &place) == -EXDEV;
}

/* One operation on a name. row->value: the first of its further arguments. */
void strace_name(struct strace *strace)
{
	const struct strace_row *row = strace->row;
	char absolute[TREE_PATH_MAX], name[PROGRAM_ATTRIBUTE_NAME_MAX + 1];
	struct recorded r = RECORDED(row->op);

	if (is_by_descriptor(strace)) {
		if (!get_by_descriptor(strace, &r, absolute))
			return;
	} else {
		r.path = strace_path(strace, row->descriptor, row->path, absolute);
		if (r.path == NULL)
			return;
		r.follow = follows(strace);
		if (leads_out(strace, &r)) {
			strace_elsewhere(strace);
			return;
		}
	}
	if (row->op == OP_UNLINK && strace_has(argument(strace, row->flags), "AT_REMOVEDIR"))
		r.op.kind = OP_RMDIR;
	fill(strace, &r, name);
	if (!conversion_is_dropped(recording_conversion(strace->recording)))
		strace_add(strace, &r);
}

/* Drop a call that has made a name which a replay will not have. */
static void drop_made(struct strace *strace, const char *path, const char *reason)
{
	struct tree *tree = recording_tree(strace->recording);
	struct place place;

	strace_drop(strace, reason);
	if (!strace->call.failed && path != NULL &&
	    tree_walk(tree, path, WALK_LEARN, &place) == 0 && place.node == NULL)
		tree_note_missing(tree, &place);
}

/* Add an open with these flags, `between` unless it is NULL, and the close. */
static void open_and_close(struct strace *strace, const char *path, uint64_t flags,
			   struct recorded *between)
{
	struct recorded r = RECORDED(OP_OPEN);
	struct file *file = NULL;

	r.path = path;
	r.follow = (flags & OPEN_EXCLUSIVE) == 0;
	r.op.open_flags = flags | OPEN_WRITE | OPEN_FILE;
	if (!strace_outcome(strace, &r) || !recording_add(strace->recording, &r, &file) ||
	    file == NULL)
		return;
	if (between != NULL) {
		between->file = file;
		recording_add(strace->recording, between, NULL);
	}
	r = RECORDED(OP_CLOSE);
	r.file = file;
	recording_add(strace->recording, &r, NULL);
}

void strace_truncate(struct strace *strace)
{
	char absolute[TREE_PATH_MAX];
	const char *path = strace_path(strace, 0, strace->row->path, absolute);
	struct recorded r = RECORDED(OP_TRUNCATE);
	int64_t size = strace_number(argument(strace, strace->row->value));

	if (path == NULL)
		return;
	r.op.size = size > 0 ? (uint64_t)size : 0;
	strace_approximate(strace, "truncate as open, truncate, close");
	open_and_close(strace, path, 0, &r);
}

void strace_mknod(struct strace *strace)
{
	const struct strace_row *row = strace->row;
	const char *mode = argument(strace, row->value);
	char absolute[TREE_PATH_MAX];
	const char *path = strace_path(strace, row->descriptor, row->path, absolute);

	if (path == NULL)
		return;
	if (strstr(mode, "S_IF") != NULL && !strace_has(mode, "S_IFREG")) {
		drop_made(strace, path, "special file");
		return;
	}
	strace_approximate(strace, "mknod as open, close");
	open_and_close(strace, path, OPEN_CREATE | OPEN_EXCLUSIVE, NULL);
}

/* A rename or link between the directory and a place elsewhere. */
static void cross_border(struct strace *strace, const char *from, const char *to)
{
	struct recorded r = RECORDED(OP_UNLINK);
	const struct node *node = NULL;

	if (strace->call.failed) {
		strace_merge_call(strace, "failed rename or link to another place");
		return;
	}
	if (from != NULL)
		node = tree_find(recording_tree(strace->recording), from, false);
	if (strace->row->op != OP_RENAME || node == NULL || node->kind == NODE_DIRECTORY) {
		drop_made(strace, to, "rename or link from or to another place");
		return;
	}
	r.path = from;
	strace_approximate(strace, "rename to another place as unlink");
	strace_add(strace, &r);
}

/* Has a link its existing file from /proc/self/fd, or from a descriptor? */
static bool links_descriptor(const struct strace *strace)
{
	const char *path = argument(strace, strace->row->path);

	return strcmp(path, "\"\"") == 0 ||
	       (strncmp(path, "\"/proc/", 7) == 0 && strstr(path, "/fd/") != NULL);
}

/* Operations on two names. row->value and row->other: the directory and the path
 * of the new one. */
void strace_names(struct strace *strace)
{
	const struct strace_row *row = strace->row;
	const char *flags = argument(strace, row->flags);
	char old[TREE_PATH_MAX], new[TREE_PATH_MAX];
	const char *to = strace_relative(strace, row->value, row->other, new);
	const char *from = strace_relative(strace, row->descriptor, row->path, old);
	struct recorded r = RECORDED(row->op);

	if (row->op == OP_LINK && to != NULL && links_descriptor(strace)) {
		drop_made(strace, to, "O_TMPFILE");
	} else if (from == NULL && to == NULL) {
		strace_elsewhere(strace);
	} else if (from == NULL || to == NULL) {
		cross_border(strace, from, to);
	} else if (row->op == OP_LINK) {
		r.path = to;
		r.path2 = from;
		r.follow = strace_has(flags, "AT_SYMLINK_FOLLOW");
		strace_add(strace, &r);
	} else {
		r.path = from;
		r.path2 = to;
		if (strace_has(flags, "RENAME_NOREPLACE"))
			r.op.flags = OP_NO_REPLACE;
		if (strace_has(flags, "RENAME_EXCHANGE"))
			r.op.mode = RENAME_SWAP;
		if (strace_has(flags, "RENAME_WHITEOUT"))
			strace_drop(strace, "rename that leaves a whiteout");
		else
			strace_add(strace, &r);
	}
}

/* row->value: the content. */
void strace_symlink(struct strace *strace)
{
	const struct strace_row *row = strace->row;
	char absolute[TREE_PATH_MAX], content[TREE_PATH_MAX];
	struct recorded r = RECORDED(OP_SYMLINK);

	r.path = strace_path(strace, row->descriptor, row->path, absolute);
	r.path2 = content;
	if (r.path == NULL)
		return;
	if (strace_string(argument(strace, row->value), content, sizeof(content)))
		strace_add(strace, &r);
	else
		strace_drop(strace, "link whose content the trace lacks");
}
