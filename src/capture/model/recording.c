/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/model/recording.h"

#include "base/array.h"
#include "capture/model/recording_state.h"
#include "program/recorded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A copy is cut into parts of this size, as op.bytes has 32 bits. */
#define COPY_BYTES_MAX (UINT64_C(1) << 30)

struct recording *recording_new(unsigned options)
{
	struct recording *recording = calloc(1, sizeof(*recording));

	if (recording == NULL)
		return NULL;
	recording->options = options;
	if (tree_init(&recording->tree, (options & RECORDING_FOLD_CASE) != 0,
		      (options & RECORDING_COMPLETE) != 0) == 0)
		return recording;
	recording_free(recording);
	return NULL;
}

void recording_free(struct recording *recording)
{
	if (recording == NULL)
		return;
	while (recording->files != NULL) {
		struct file *file = recording->files;

		recording->files = file->next;
		free(file->locks);
		free(file);
	}
	account_free(&recording->account);
	tree_free(&recording->tree);
	free(recording->ops);
	free(recording->dues);
	intern_free(&recording->paths);
	intern_free(&recording->texts);
	intern_free(&recording->labels);
	intern_free(&recording->requests);
	intern_free(&recording->attribute_names);
	free(recording->attributes);
	free(recording);
}

struct call_account *recording_account(struct recording *recording)
{
	return &recording->account;
}

struct tree *recording_tree(struct recording *recording)
{
	return &recording->tree;
}

struct node *recording_node(const struct file *file)
{
	return file->node;
}

void recording_before(struct recording *recording, const char *path, enum node_kind kind,
		      uint64_t bytes, const char *target, const char *link)
{
	struct tree *tree = &recording->tree;
	struct node *same = link != NULL ? tree_find(tree, link, false) : NULL;
	struct place place;

	if (recording_walk(recording, path, WALK_LEARN, &place) < 0 || place.node != NULL ||
	    !tree_learn(tree, &place, kind))
		return;
	place.node->whole = (recording->options & RECORDING_COMPLETE) != 0;
	if (kind == NODE_FILE)
		place.node->bytes = place.node->least = place.node->before_bytes = (int64_t)bytes;
	if (target != NULL && (place.node->target = strdup(target)) == NULL)
		recording->failed = true;
	if (same == NULL)
		return;
	/* The name stands for the other node; its own node is kept for the
	 * set-up only. */
	place.node->before_link = same;
	tree_unlink(&place);
	tree_link(tree, &place, same);
}

void recording_not_listed(struct recording *recording, const char *path)
{
	struct node *node = tree_find(&recording->tree, path, false);

	if (node != NULL)
		node->whole = false;
}

void recording_begin(struct recording *recording, const char *name, uint64_t time_ns, uint64_t line)
{
	account_begin(&recording->account, line);
	recording->label = name;
	recording->outside = false;
	/* A damaged capture can have any times. */
	if (time_ns > PROGRAM_DUE_MAX_NS)
		time_ns = PROGRAM_DUE_MAX_NS;
	/* Calls that overlapped can come in the order of their ends. */
	if (time_ns > recording->due_ns)
		recording->due_ns = time_ns;
}

void recording_continue(struct recording *recording, const char *name)
{
	account_end(&recording->account);
	recording->label = name;
}

int recording_walk(struct recording *recording, const char *path, unsigned how, struct place *place)
{
	int rc;

	if (!recording_can_spell(path, false)) {
		recording_drop(recording, RECORDING_UNSPELLABLE);
		return -ENAMETOOLONG;
	}
	rc = tree_walk(&recording->tree, path, how, place);
	recording->outside |= rc == -EXDEV;
	return rc;
}

bool recording_drop(struct recording *recording, const char *reason)
{
	account_set(&recording->account, recording->outside ? ACCOUNT_ELSEWHERE : ACCOUNT_DROPPED,
		    "%s", reason);
	return false;
}

bool recording_drop_error(struct recording *recording, int error)
{
	char reason[64];

	snprintf(reason, sizeof(reason), "failed: %s", strerror(error));
	return recording_drop(recording,
			      error == EACCES || error == EPERM ? "permission denied" : reason);
}

static uint32_t number_of(struct recording *recording, struct intern *table, const void *key,
			  size_t length)
{
	int is_new;
	int64_t number = intern(table, key, length, &is_new);

	recording->failed |= number < 0;
	return number < 0 ? 0 : (uint32_t)number;
}

uint32_t recording_text(struct recording *recording, const char *text)
{
	return number_of(recording, &recording->texts, text, strlen(text));
}

uint32_t recording_path(struct recording *recording, const char *path)
{
	return number_of(recording, &recording->paths, path, strlen(path));
}

bool recording_place_path(struct recording *recording, const struct place *place, uint32_t *number)
{
	char path[TREE_PATH_MAX] = "";

	if (place->directory != NULL &&
	    !node_child_path(place->directory,
			     place->entry != NULL ? place->entry->name : place->name, path))
		return recording_drop(recording, "in a removed directory, or the path is too long");
	*number = recording_path(recording, path);
	return true;
}

/* Is it an operation on the recorded directory itself that no load may have? A
 * replay needs that directory. */
static bool harms_root(const struct recording *recording, const struct op *op)
{
	bool renames = op->kind == OP_RENAME || op->kind == OP_NFS_RENAME;

	if (!renames && op->kind != OP_CHMOD && op->kind != OP_CHOWN)
		return false;
	return recording->paths.keys[op->path].length == 0 ||
	       (renames && recording->paths.keys[op->path2].length == 0);
}

bool recording_append(struct recording *recording, const struct op *op)
{
	size_t at = recording->count;

	if (!recording->failed && harms_root(recording, op))
		return recording_drop(recording, "change of the recorded directory itself");
	if (array_grow(&recording->ops, &recording->op_room, at + 1, sizeof(*recording->ops)) < 0 ||
	    ((recording->options & RECORDING_TIMES) != 0 &&
	     array_grow(&recording->dues, &recording->due_room, at + 1, sizeof(*recording->dues)) <
		     0)) {
		recording->failed = true;
		return false;
	}
	recording->ops[at] = *op;
	if (recording->dues != NULL)
		recording->dues[at] = recording->due_ns;
	recording->count++;
	if (op_reads(op->kind) && (op->flags & OP_COUNTED) != 0)
		recording->read_bytes += op->expect;
	if (op_writes(op->kind))
		recording->written_bytes += op->expect;
	return true;
}

/* Complete the fields that all operations have. */
static void prepare(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	*op = recorded->op;
	op->label = (uint8_t)number_of(recording, &recording->labels, recording->label,
				       strlen(recording->label));
	op->accepts = UINT32_C(1) << outcome_from_errno(recorded->error);
	if (recorded->error != 0)
		op->flags &= (uint16_t)~OP_COUNTED;
	if (!op_uses_two_handles((enum op_kind)op->kind))
		op->path2 = OP_NONE;
	op->path = OP_NONE;
	op->handle = OP_NONE;
	if (recorded->request != NULL && recorded_has_request((enum op_kind)op->kind))
		op->request = 1 + number_of(recording, &recording->requests, recorded->request,
					    sizeof(*recorded->request));
}

void recording_follow_read(struct recording *recording, struct node *node, struct op *op)
{
	if ((op->flags & OP_COUNTED) == 0) {
		if (node->kind == NODE_UNKNOWN)
			node->kind = NODE_FILE;
		return;
	}
	if (node_read(node, op->offset, op->size, op->expect))
		return;
	op->flags &= (uint16_t)~OP_COUNTED;
	account_set(&recording->account, ACCOUNT_NEAR,
		    "read of another size than the file's, not compared");
}

/* Append a read or write, in parts if it is too large for one operation. */
static bool append_data(struct recording *recording, struct op *op)
{
	uint64_t left = op->size;
	uint64_t moved = op->expect;

	while (left > PROGRAM_IO_BYTES_MAX) {
		struct op part = *op;

		part.size = PROGRAM_IO_BYTES_MAX;
		part.expect = (uint32_t)(moved < part.size ? moved : part.size);
		if (!recording_append(recording, &part))
			return false;
		op->offset += part.size;
		left -= part.size;
		moved -= part.expect;
	}
	op->size = left;
	op->expect = (uint32_t)moved;
	return recording_append(recording, op);
}

static bool add_read(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	if (recorded->error == 0)
		recording_follow_read(recording, recorded->file->node, op);
	else if (recorded->error == EISDIR)
		node_report(recorded->file->node, NODE_DIRECTORY, -1);
	else if (recorded->error != EBADF)
		return recording_drop_error(recording, recorded->error);
	return append_data(recording, op);
}

static bool add_write(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	struct node *node = recorded->file->node;

	if (recorded->error != 0 && recorded->error != EBADF)
		return recording_drop_error(recording, recorded->error);
	if (recorded->file->append)
		op->offset = (uint64_t)node_end(node);
	if (recorded->error == 0) {
		/* A write that was cut short had no room left. */
		if (op->expect < op->size)
			op->size = op->expect;
		op->flags |= OP_COUNTED;
		node_write(node, op->offset, op->expect);
		if (recorded->file->append && node->bytes < 0)
			node->appended += op->expect;
	}
	return append_data(recording, op);
}

static bool add_copy(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	uint64_t left = op->bytes, moved = op->expect, read;

	if (recorded->error != 0)
		return recording_drop_error(recording, recorded->error);
	op->handle2 = recorded->file2->handle;
	if (op->kind == OP_CLONE) {
		int64_t all = recorded->file->node->bytes - (int64_t)op->offset;

		moved = op->bytes > 0 ? op->bytes : all > 0 ? (uint64_t)all : 0;
		left = 0;
		read = moved;
		/* The set-up writes what the clone shares, but of a file as
		 * large as a disk's image, which is mostly holes, only the last
		 * byte. */
		if (moved > UINT32_MAX)
			read = 1;
		node_read(recorded->file->node, op->offset + moved - read, read, read);
	} else if (!node_read(recorded->file->node, op->offset, left, moved)) {
		op->flags &= (uint16_t)~OP_COUNTED;
	}
	node_write(recorded->file2->node, op->offset2, moved);
	while (left > COPY_BYTES_MAX) {
		struct op part = *op;

		part.bytes = COPY_BYTES_MAX;
		part.expect = (uint32_t)(moved < part.bytes ? moved : part.bytes);
		if (!recording_append(recording, &part))
			return false;
		op->offset += part.bytes;
		op->offset2 += part.bytes;
		left -= part.bytes;
		moved -= part.expect;
	}
	if (op->kind == OP_COPY) {
		op->bytes = (uint32_t)left;
		op->expect = (uint32_t)moved;
	}
	return recording_append(recording, op);
}

static bool add_allocate(struct recording *recording, const struct recorded *recorded,
			 struct op *op)
{
	struct node *node = recorded->file->node;
	uint64_t end = op->offset + op->size;
	bool extends = (op->mode & (ALLOCATE_KEEP_SIZE | ALLOCATE_PUNCH_HOLE)) == 0;
	struct op truncate = *op;

	if (recorded->error != 0)
		return recording_drop_error(recording, recorded->error);
	recording_append(recording, op);
	if (extends && node->bytes >= 0 && end > (uint64_t)node->bytes) {
		/* Many targets cannot allocate, but the size matters. */
		truncate.kind = OP_TRUNCATE;
		truncate.mode = 0;
		truncate.offset = 0;
		truncate.size = end;
		recording_append(recording, &truncate);
		account_set(&recording->account, ACCOUNT_NEAR,
			    "allocation beyond the end as allocation and truncation");
	}
	if (extends)
		node_write(node, end > 0 ? end - 1 : 0, end > 0);
	return true;
}

static bool add_truncate(struct recording *recording, const struct recorded *recorded,
			 struct op *op)
{
	if (recorded->error == 0)
		node_truncate(recorded->file->node, op->size);
	else if (recorded->error != EINVAL && recorded->error != EBADF)
		return recording_drop_error(recording, recorded->error);
	return recording_append(recording, op);
}

static bool add_close(struct recording *recording, struct file *file,
		      const struct recorded *recorded, struct op *op)
{
	struct place place;
	char path[TREE_PATH_MAX];
	bool added;

	if (recorded->error != 0)
		op->accepts = OUTCOME_ANY;
	if (file->delete_on_close && node_path(file->node, path) &&
	    recording_walk(recording, path, 0, &place) == 0)
		tree_unlink(&place);
	added = recording_append(recording, op);
	free(file->locks);
	*file->link = file->next;
	if (file->next != NULL)
		file->next->link = file->link;
	free(file);
	return added;
}

/* An operation that changes nothing in the model. */
static bool add_plain(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	if (recorded->error != 0)
		return recording_drop_error(recording, recorded->error);
	node_report(recorded->file->node, recorded->kind, recorded->bytes);
	return recording_append(recording, op);
}

static bool add_on_file(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	if (recorded->file == NULL)
		return recording_drop(recording, "of a file whose open is unknown");
	op->handle = recorded->file->handle;
	switch (op->kind) {
	case OP_READ:
		return add_read(recording, recorded, op);
	case OP_WRITE:
		return add_write(recording, recorded, op);
	case OP_CLOSE:
		return add_close(recording, recorded->file, recorded, op);
	case OP_TRUNCATE:
		return add_truncate(recording, recorded, op);
	case OP_ALLOCATE:
		return add_allocate(recording, recorded, op);
	case OP_LOCK:
	case OP_UNLOCK:
	case OP_LOCK_TEST:
		return recording_add_lock(recording, recorded, op);
	case OP_COPY:
	case OP_CLONE:
		return add_copy(recording, recorded, op);
	default:
		return add_plain(recording, recorded, op);
	}
}

static struct file *new_file(struct recording *recording, struct node *node, uint64_t open_flags)
{
	struct file *file = calloc(1, sizeof(*file));

	if (file == NULL) {
		recording->failed = true;
		return NULL;
	}
	file->node = node;
	file->handle = recording->next_handle++;
	file->writes = (open_flags & OPEN_WRITE) != 0;
	file->reads = (open_flags & OPEN_READ) != 0 || !file->writes;
	file->append = (open_flags & OPEN_APPEND) != 0;
	file->delete_on_close = (open_flags & OPEN_DELETE_ON_CLOSE) != 0;
	file->next = recording->files;
	file->link = &recording->files;
	if (file->next != NULL)
		file->next->link = &file->next;
	recording->files = file;
	return file;
}

/* Find the file of an open that has succeeded, or create it. */
static bool open_place(struct recording *recording, const struct recorded *recorded,
		       struct place *place, const struct op *op)
{
	struct tree *tree = &recording->tree;
	bool creates = (op->open_flags & OPEN_CREATE) != 0;
	bool directory = (op->open_flags & OPEN_DIRECTORY) != 0;
	enum node_kind kind = recorded->kind != NODE_UNKNOWN ? recorded->kind
			      : directory                    ? NODE_DIRECTORY
			      : creates                      ? NODE_FILE
							     : NODE_UNKNOWN;
	bool exclusive = (op->open_flags & OPEN_EXCLUSIVE) != 0;

	if (place->node != NULL) {
		if ((creates && exclusive) || recorded->created == 1)
			return recording_drop(recording, "created a file that exists");
		return true;
	}
	if (!creates && !place->unknown)
		return recording_drop(recording, "opened a file that does not exist");
	if (place->unknown && (!creates || recorded->created == 0))
		return tree_learn(tree, place, kind);
	if (place->unknown && !exclusive && recorded->created != 1 && !place->directory->whole &&
	    place->entry == NULL) {
		if (!tree_learn(tree, place, kind))
			return false;
		place->node->maybe = true;
		return true;
	}
	if (recorded->created == 0)
		return recording_drop(recording, "opened a file that does not exist");
	return tree_make(tree, place, kind) != NULL;
}

static bool add_open(struct recording *recording, const struct recorded *recorded, struct op *op,
		     struct file **opened)
{
	struct place place;
	struct node *node;
	unsigned how = recorded->follow ? WALK_FOLLOW : 0;

	if (recorded->error != 0)
		return recording_explain(recording, recorded, how,
					 (op->open_flags & OPEN_CREATE) != 0, op) &&
		       recording_append(recording, op);
	if (recording_walk(recording, recorded->path, how | WALK_LEARN, &place) < 0)
		return recording_drop(recording, "in a directory that does not exist");
	if (!open_place(recording, recorded, &place, op) ||
	    !recording_place_path(recording, &place, &op->path))
		return false;
	node = place.node;
	if (node->kind == NODE_DIRECTORY && recorded->request == NULL) {
		op->open_flags |= OPEN_DIRECTORY;
		op->open_flags &= ~(uint64_t)(OPEN_WRITE | OPEN_CREATE | OPEN_TRUNCATE |
					      OPEN_APPEND);
		op->open_flags |= OPEN_READ;
	}
	if ((op->open_flags & OPEN_TRUNCATE) != 0)
		node_truncate(node, 0);
	node_report(node, recorded->kind, recorded->bytes);
	*opened = new_file(recording, node, op->open_flags);
	if (*opened == NULL)
		return false;
	op->handle = (*opened)->handle;
	return recording_append(recording, op);
}

bool recording_add(struct recording *recording, const struct recorded *recorded,
		   struct file **opened)
{
	struct op op;

	prepare(recording, recorded, &op);
	switch (op.kind) {
	case OP_OPEN:
		return add_open(recording, recorded, &op, opened);
	case OP_LIST:
		return recording_add_list(recording, recorded, &op);
	default:
		if (strchr(op_shape((enum op_kind)op.kind), 'h') != NULL)
			return add_on_file(recording, recorded, &op);
		return recording_add_names(recording, recorded, &op);
	}
}
