/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NFSv3 (RFC 1813) and its lock manager: calls become the nfs- and nlm-
 * operations. */
#include "capture/nfs/nfs3.h"

#include "words/procedure.h"

#include <errno.h>
#include <string.h>

/* How a procedure becomes an operation. */
enum shape {
	NOT_ONE,   /* it has no operation */
	OF_FILE,   /* of the file of its handle */
	OF_NAME,   /* of a name in the directory of its handle */
	OF_ALL,    /* of the file system */
	OF_TWO,    /* RENAME, LINK */
	OF_ENTRIES /* READDIR, READDIRPLUS */
};

static const struct row {
	struct nfs_procedure_row procedure;
	enum shape shape;
	enum op_kind kind;
	enum node_kind node; /* that the handle must stand for */
} rows[] = {
	{{"NULL3", "", "", ""}, NOT_ONE, 0, 0},
	{{"GETATTR3", "h", "A", ""}, OF_FILE, OP_NFS_GETATTR, 0},
	{{"SETATTR3", "hS", "q", "q"}, OF_FILE, OP_NFS_SETATTR, 0},
	{{"LOOKUP3", "hn", "hP-", "-"}, OF_NAME, OP_NFS_LOOKUP, NODE_DIRECTORY},
	{{"ACCESS3", "h", "P", "P"}, OF_FILE, OP_NFS_ACCESS, 0},
	{{"READLINK3", "h", "Pr", "P"}, OF_FILE, OP_NFS_READLINK, NODE_LINK},
	{{"READ3", "hoc", "Pc", "P"}, OF_FILE, OP_NFS_READ, NODE_FILE},
	{{"WRITE3", "hocs", "qc", "q"}, OF_FILE, OP_NFS_WRITE, NODE_FILE},
	{{"CREATE3", "hnM", "FPw", "w"}, OF_NAME, OP_NFS_CREATE, NODE_DIRECTORY},
	{{"MKDIR3", "hnS", "FPw", "w"}, OF_NAME, OP_NFS_MKDIR, NODE_DIRECTORY},
	{{"SYMLINK3", "hnSi", "FPw", "w"}, OF_NAME, OP_NFS_SYMLINK, NODE_DIRECTORY},
	{{"MKNOD3", "hn?", "FPw", "w"}, NOT_ONE, 0, 0},
	{{"REMOVE3", "hn", "w", "w"}, OF_NAME, OP_NFS_REMOVE, NODE_DIRECTORY},
	{{"RMDIR3", "hn", "w", "w"}, OF_NAME, OP_NFS_RMDIR, NODE_DIRECTORY},
	{{"RENAME3", "hnhn", "ww", "ww"}, OF_TWO, OP_NFS_RENAME, NODE_DIRECTORY},
	{{"LINK3", "hhn", "Pw", "Pw"}, OF_TWO, OP_NFS_LINK, NODE_FILE},
	{{"READDIR3", "hk", "Pl", "P"}, OF_ENTRIES, OP_NFS_READDIRPLUS, NODE_DIRECTORY},
	{{"READDIRPLUS3", "hk", "Pe", "P"}, OF_ENTRIES, OP_NFS_READDIRPLUS, NODE_DIRECTORY},
	{{"FSSTAT3", "h", "P", "P"}, OF_ALL, OP_NFS_FSSTAT, 0},
	{{"FSINFO3", "h", "P", "P"}, OF_ALL, OP_NFS_FSINFO, 0},
	{{"PATHCONF3", "h", "P", "P"}, OF_FILE, OP_NFS_PATHCONF, 0},
	{{"COMMIT3", "hoc", "q", "q"}, OF_FILE, OP_NFS_COMMIT, NODE_FILE},
};

enum { READDIR = 16, READDIRPLUS = 17, FSINFO = 19 };

/* Modes of a CREATE. */
enum { UNCHECKED, GUARDED, EXCLUSIVE };

const struct nfs_procedure_row *nfs3_procedure(unsigned number)
{
	return number < sizeof(rows) / sizeof(rows[0]) ? &rows[number].procedure : NULL;
}

void nfs3_survey(struct nfs_frame *frame)
{
	struct columns columns = frame->columns;
	uint64_t number;

	while (columns_take_number(&columns, NFS_PROCEDURE_3, &number))
		frame->listings += number == READDIR || number == READDIRPLUS;
}

/* A change that only open files have an operation for. */
static void add_opened(struct nfs_client *client, uint64_t open_flags,
		       const struct recorded *change, const char *path)
{
	struct recorded recorded = RECORDED(OP_OPEN);
	struct file *file;

	recorded.op.open_flags = open_flags;
	recorded.path = path;
	recorded.kind = NODE_FILE;
	if (!recording_add(client->recording, &recorded, &file))
		return;
	if (change != NULL) {
		recorded = *change;
		recorded.file = file;
		recording_add(client->recording, &recorded, NULL);
	}
	recorded = RECORDED(OP_CLOSE);
	recorded.file = file;
	recording_add(client->recording, &recorded, NULL);
}

static void convert_file(struct nfs_client *client, const struct row *row,
			 const struct nfs_part *call, const struct nfs_part *reply,
			 struct recorded *recorded)
{
	struct nfs_client_place place = nfs_client_place(client, call->handles[0], row->node);
	char path[TREE_PATH_MAX];

	if (!nfs_client_path(client, &place, NULL, path))
		return;
	recorded->path = path;
	recorded->path2 = reply->text;
	if (row->kind == OP_NFS_SETATTR && recorded->error == 0 &&
	    (call->attributes & NFS_SETS_SIZE) != 0) {
		struct recorded truncate = RECORDED(OP_TRUNCATE);

		if (nfs_is_too_large(client, call->set_size, 0))
			return;
		truncate.op.size = call->set_size;
		add_opened(client, OPEN_WRITE, &truncate, path);
		nfs_approximate(client, "SETATTR of a size as open, truncate, close");
		return;
	}
	if (row->kind == OP_NFS_READ || row->kind == OP_NFS_WRITE) {
		if (nfs_is_too_large(client, call->offset, call->count))
			return;
		recorded->op.offset = call->offset;
		recorded->op.size = call->count;
		recorded->op.expect = (uint32_t)reply->count;
		recorded->op.flags = recorded->error == 0 ? OP_COUNTED : 0;
	}
	if (row->kind == OP_NFS_WRITE)
		recorded->op.stable = (uint32_t)call->mode;
	if (call->mode > 2 || reply->count > call->count)
		nfs_drop(client, "could not be decoded");
	else
		recording_add(client->recording, recorded, NULL);
}

/* A CREATE that throng's does not repeat: it truncates an existing file, or
 * refuses it. Return false for another one. */
static bool create_otherwise(struct nfs_client *client, const struct nfs_part *call,
			     const struct nfs_client_place *child, const struct recorded *recorded)
{
	if (recorded->error == EEXIST && call->mode != UNCHECKED) {
		struct recorded open = RECORDED(OP_OPEN);

		open.op.open_flags = OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE;
		open.error = EEXIST;
		open.path = recorded->path;
		recording_add(client->recording, &open, NULL);
		return true;
	}
	if (recorded->error != 0 || child->node == NULL || (call->attributes & NFS_SETS_SIZE) == 0)
		return false;
	add_opened(client, OPEN_WRITE | OPEN_CREATE | OPEN_TRUNCATE, NULL, recorded->path);
	nfs_approximate(client, "CREATE of an existing file as open and close");
	return true;
}

static void convert_name(struct nfs_client *client, const struct row *row,
			 const struct nfs_part *call, const struct nfs_part *reply,
			 struct recorded *recorded)
{
	struct nfs_client_place directory = nfs_client_place(client, call->handles[0], row->node);
	const char *name = call->names[0];
	bool found = recorded->error == 0 && reply->handle_count > 0;
	struct nfs_client_place child;
	char path[TREE_PATH_MAX];

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		nfs_merge(client, "look-ups of . and ..");
		return;
	}
	if (found && row->kind == OP_NFS_LOOKUP)
		nfs_client_found(client, &directory, name, reply->handles[0]);
	child = nfs_child(client, &directory, name);
	if (nfs_client_path(client, &directory, name, path)) {
		recorded->path = path;
		recorded->path2 = call->text;
		if (row->kind != OP_NFS_CREATE || !create_otherwise(client, call, &child, recorded))
			recording_add(client->recording, recorded, NULL);
		child = nfs_child(client, &directory, name);
	}
	if (found && (child.node != NULL || child.depth > 0))
		nfs_set_handle(client, reply->handles[0], child);
}

static void convert_two(struct nfs_client *client, const struct row *row,
			const struct nfs_part *call, struct recorded *recorded)
{
	struct nfs_client_place first = nfs_client_place(client, call->handles[0], row->node);
	struct nfs_client_place second = nfs_client_place(client, call->handles[1], NODE_DIRECTORY);
	bool renames = row->kind == OP_NFS_RENAME;
	char old_path[TREE_PATH_MAX], new_path[TREE_PATH_MAX];

	if ((first.node == NULL) != (second.node == NULL)) {
		nfs_drop(client, "between the recorded directory and others");
		return;
	}
	if (!nfs_client_path(client, &first, renames ? call->names[0] : NULL, old_path) ||
	    !nfs_client_path(client, &second, call->names[renames], new_path))
		return;
	recorded->path = renames ? old_path : new_path;
	recorded->path2 = renames ? new_path : old_path;
	recording_add(client->recording, recorded, NULL);
}

static void convert_entries(struct nfs_client *client, const struct row *row,
			    const struct nfs_part *call, struct recorded *recorded,
			    const struct nfs_frame *frame)
{
	struct nfs_client_place directory = nfs_client_place(client, call->handles[0], row->node);
	struct listing listing = {.node = directory.node};
	char path[TREE_PATH_MAX];

	recorded->kind = NODE_DIRECTORY;
	if (nfs_client_path(client, &directory, NULL, path)) {
		recorded->path = path;
		if (call->cookie != 0)
			nfs_merge(client, "further parts of listings");
		else if (recording_add(client->recording, recorded, NULL) &&
			 call->number == READDIR)
			nfs_approximate(client, "READDIR as READDIRPLUS");
	}
	nfs_client_found_entries(client, &directory, frame);
	if (listing.node != NULL)
		recording_list_more(client->recording, &listing, 0, frame->names,
				    frame->entry_count);
	nfs_keep_entries(client, &directory, frame);
}

static void convert_all(struct nfs_client *client, const struct nfs_part *call,
			const struct recorded *recorded)
{
	struct nfs_client_place place;
	char path[TREE_PATH_MAX];

	/* A mount begins with FSINFO of its root. */
	if (call->number == FSINFO && recorded->error == 0)
		nfs_client_mount(client, call->handles[0]);
	place = nfs_client_place(client, call->handles[0], NODE_UNKNOWN);
	if (nfs_client_path(client, &place, NULL, path))
		recording_add(client->recording, recorded, NULL);
}

void nfs3_convert(struct nfs_client *client, const struct nfs_part *call,
		  const struct nfs_part *reply, const struct nfs_frame *frame)
{
	const struct row *row = &rows[call->number];
	struct recorded recorded = RECORDED(row->kind);

	recorded.error = nfs_error(client, reply->status);
	recorded.kind = reply->kind;
	recorded.bytes = reply->bytes;
	if (recorded.error < 0)
		return;
	switch (row->shape) {
	case OF_FILE:
		convert_file(client, row, call, reply, &recorded);
		break;
	case OF_NAME:
		convert_name(client, row, call, reply, &recorded);
		break;
	case OF_TWO:
		recorded.kind = NODE_UNKNOWN;
		convert_two(client, row, call, &recorded);
		break;
	case OF_ENTRIES:
		convert_entries(client, row, call, &recorded, frame);
		break;
	case OF_ALL:
		convert_all(client, call, &recorded);
		break;
	default:
		nfs_drop(client, row->procedure.name);
		break;
	}
}

enum { CANCEL = 3 };

/* NLM 4: a null procedure, TEST, LOCK, CANCEL and UNLOCK. */
static const struct {
	struct nfs_procedure_row procedure;
	enum op_kind kind;
} locks[] = {
	{{"NULL4", "", "", ""}, 0},
	{{"TEST4", "hyY", "v", "v"}, OP_NLM_TEST},
	{{"LOCK4", "hyY", "u", "u"}, OP_NLM_LOCK},
	{{"CANCEL4", "hyY", "u", "u"}, 0},
	{{"UNLOCK4", "hyY", "u", "u"}, OP_NLM_UNLOCK},
};

const struct nfs_procedure_row *nlm_procedure(unsigned number)
{
	return number < sizeof(locks) / sizeof(locks[0]) ? &locks[number].procedure : NULL;
}

void nlm_convert(struct nfs_client *client, const struct nfs_part *call,
		 const struct nfs_part *reply)
{
	struct recorded recorded = RECORDED(locks[call->number].kind);
	struct nfs_client_place place = nfs_client_place(client, call->handles[0], NODE_FILE);
	char path[TREE_PATH_MAX];

	recorded.error = procedure_nlm_errno((uint32_t)reply->mode);
	if (!nfs_client_path(client, &place, NULL, path))
		return;
	recorded.path = path;
	recorded.op.offset = call->offset;
	/* A lock up to the end of the file has a length of 0, or of all bits. */
	recorded.op.size = call->count <= INT64_MAX ? call->count : 0;
	if (call->number == CANCEL)
		nfs_merge(client, "lock requests cancelled");
	else if (recorded.error < 0 || call->offset > INT64_MAX ||
		 recorded.op.size > INT64_MAX - call->offset)
		nfs_drop(client, "could not be decoded");
	else
		recording_add(client->recording, &recorded, NULL);
}
