/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open files: opens, reads, writes and locks, and listings of directories, which
 * take several requests. */
#include "capture/model/recording_state.h"

#include "base/array.h"
#include "base/wildcard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A copy is cut into parts of this size, as op.bytes has 32 bits. */
#define COPY_BYTES_MAX (UINT64_C(1) << 30)

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
	conversion_set(&recording->conversion, CONVERSION_APPROXIMATED,
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
		conversion_set(&recording->conversion, CONVERSION_APPROXIMATED,
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

/* Max number of locks of a file that are followed. */
enum { LOCKS_MAX = 256 };

/* Is part of a range held by a lock that a new one would replace? Locks of the
 * same kind add up on all targets. */
static bool is_replaced(const struct file *file, uint64_t from, uint64_t to, bool shared)
{
	size_t i;

	for (i = 0; i < file->lock_count; i++)
		if (file->locks[i].from < to && from < file->locks[i].to &&
		    file->locks[i].shared != shared)
			return true;
	return false;
}

/* Take a range out of the locks that are held. */
static int release(struct file *file, uint64_t from, uint64_t to)
{
	size_t i;

	for (i = 0; i < file->lock_count; i++) {
		struct held_lock *held = &file->locks[i], rest = *held;

		if (held->to <= from || to <= held->from)
			continue;
		rest.from = to;
		if (held->from < from) {
			held->to = from;
		} else {
			*held = file->locks[--file->lock_count];
			i--;
		}
		if (rest.from < rest.to && file->lock_count < LOCKS_MAX &&
		    array_append(&file->locks, &file->lock_count, &rest, sizeof(rest)) < 0)
			return -ENOMEM;
	}
	return 0;
}

/*
 * Follow a lock or an unlock that has succeeded. A lock of POSIX replaces those
 * that the process has on the range, in one step. On a file server, it would wait
 * for them: unlock them before.
 */
static bool follow_lock(struct recording *recording, struct file *file, const struct op *op)
{
	uint64_t from = op->offset;
	uint64_t to = op->size > 0 ? op->offset + op->size : UINT64_MAX;
	struct held_lock held = {from, to, (op->mode & LOCK_SHARED) != 0};

	if (op->kind == OP_LOCK && is_replaced(file, from, to, held.shared)) {
		struct op unlock = *op;

		unlock.kind = OP_UNLOCK;
		unlock.mode = 0;
		conversion_set(&recording->conversion, CONVERSION_APPROXIMATED,
			       "lock that replaces another as unlock, lock");
		if (!recording_append(recording, &unlock))
			return false;
	}
	if (release(file, from, to) < 0 ||
	    (op->kind == OP_LOCK && file->lock_count < LOCKS_MAX &&
	     array_append(&file->locks, &file->lock_count, &held, sizeof(held)) < 0))
		recording->failed = true;
	return true;
}

/*
 * fcntl() grants a lock only if the file is open for what the lock protects. SMB
 * and flock() do not care. A replay on SMB sends the lock as it was.
 */
static void fit_access(struct recording *recording, const struct file *file, struct op *op)
{
	bool shared = (op->mode & LOCK_SHARED) != 0;

	if (shared ? file->reads : file->writes)
		return;
	if ((recording->options & RECORDING_FREE_LOCKS) != 0) {
		op->accepts |= OUTCOME_BIT(BAD_HANDLE);
		conversion_set(
			&recording->conversion, CONVERSION_APPROXIMATED,
			shared ? "shared lock of a write-only open, which only SMB grants"
			       : "exclusive lock of a read-only open, which only SMB grants");
		return;
	}
	op->mode ^= LOCK_SHARED;
	conversion_set(&recording->conversion, CONVERSION_APPROXIMATED,
		       shared ? "shared lock of a write-only open, as exclusive"
			      : "exclusive lock of a read-only open, as shared");
}

static bool add_lock(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	if (recorded->error == EAGAIN || recorded->error == EACCES) {
		/* The lock was held by another process of the recording, which
		 * is the same user in a replay. */
		op->accepts = OUTCOME_BIT(OK) | OUTCOME_BIT(LOCKED);
		conversion_set(&recording->conversion, CONVERSION_APPROXIMATED,
			       "refused lock, may be granted");
	} else if (recorded->error != 0) {
		return recording_drop_error(recording, recorded->error);
	}
	if (op->kind == OP_LOCK)
		fit_access(recording, recorded->file, op);
	if (op->offset > INT64_MAX)
		return recording_drop(recording, "lock beyond 2^63 bytes");
	if (op->size > INT64_MAX - op->offset) {
		op->size = 0;
		conversion_set(&recording->conversion, CONVERSION_APPROXIMATED,
			       "lock up to the end of the file instead of beyond 2^63 bytes");
	}
	if ((recording->options & RECORDING_POSIX_LOCKS) != 0 && op->kind != OP_LOCK_TEST &&
	    recorded->error == 0 && !follow_lock(recording, recorded->file, op))
		return false;
	return recording_append(recording, op);
}

bool recording_add_on_file(struct recording *recording, const struct recorded *recorded,
			   struct op *op)
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
		return add_lock(recording, recorded, op);
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

bool recording_add_open(struct recording *recording, const struct recorded *recorded, struct op *op,
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

/* The maximum of a LIST: all names. */
enum { ALL_ENTRIES = 1000000 };

/* Learn the names that a listing shows. Return the number of them that the
 * model had not known. */
static uint64_t learn_names(struct recording *recording, struct node *directory,
			    const char *const *names, size_t count)
{
	struct place place;
	uint64_t learned = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!recording_can_spell(names[i], false) || strchr(names[i], '/') != NULL)
			continue;
		tree_look(&recording->tree, directory, names[i], &place);
		learned += place.unknown && tree_learn(&recording->tree, &place, NODE_UNKNOWN);
	}
	return learned;
}

/* Count the existing names in a directory that match a pattern. */
static uint64_t count_matching(struct recording *recording, struct node *directory,
			       const char *pattern)
{
	const struct entry *entry;
	uint64_t count = 0;

	if (strcmp(pattern, "*") == 0)
		return directory->count;
	if (!wildcard_is_pattern(pattern))
		return tree_child(&recording->tree, directory, pattern) != NULL;
	for (entry = directory->entries; entry != NULL; entry = entry->next)
		count += wildcard_match(pattern, entry->name);
	return count;
}

bool recording_add_list(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	const char *pattern = recorded->text != NULL ? recorded->text : "*";
	struct listing *listing = &recording->listing;
	char path[TREE_PATH_MAX + WILDCARD_PATTERN_MAX + 2];
	struct place place;

	*listing = (struct listing){0};
	if (strlen(pattern) > WILDCARD_PATTERN_MAX)
		return recording_drop(recording, "pattern of over 255 bytes");
	if (recording_walk(recording, recorded->path, WALK_FOLLOW | WALK_LEARN, &place) < 0 ||
	    (place.node == NULL &&
	     (!place.unknown || !tree_learn(&recording->tree, &place, NODE_DIRECTORY))))
		return recording_drop(recording, "listed a directory that does not exist");
	node_report(place.node, NODE_DIRECTORY, -1);
	if (!node_path(place.node, path))
		return recording_drop(recording, "in a removed directory, or the path is too long");
	if (path[0] != '\0')
		strcat(path, "/");
	strcat(path, pattern);
	op->path = recording_path(recording, path);
	op->max_entries = ALL_ENTRIES;
	op->flags &= (uint16_t)~OP_COUNTED;
	if (recorded->error == ENOENT) {
		if (count_matching(recording, place.node, pattern) > 0 ||
		    wildcard_match(pattern, ".") || wildcard_match(pattern, ".."))
			return recording_drop(recording, "found no names where there are some");
		return recording_append(recording, op);
	}
	if (recorded->error != 0)
		return recording_drop_error(recording, recorded->error);
	listing->op = recording->count;
	listing->node = place.node;
	listing->known = count_matching(recording, place.node, pattern);
	listing->learned = place.node->learned;
	listing->dots = wildcard_match(pattern, ".") + wildcard_match(pattern, "..");
	listing->pattern = strcmp(pattern, "*") != 0;
	if (!recording_append(recording, op))
		return false;
	recording_list_more(recording, listing, recorded->op.expect, recorded->names,
			    recorded->name_count);
	return true;
}

struct listing recording_listing(const struct recording *recording)
{
	return recording->listing;
}

void recording_list_more(struct recording *recording, struct listing *listing, uint64_t entries,
			 const char *const *names, size_t name_count)
{
	if (listing->node == NULL)
		return;
	if (names != NULL) {
		uint64_t learned = learn_names(recording, listing->node, names, name_count);

		if (listing->pattern)
			listing->known += learned;
		entries = name_count;
	} else if (listing->entries == 0) {
		/* The source counts these two in the first part. */
		entries -= entries < listing->dots ? entries : listing->dots;
	}
	listing->entries += entries;
}

void recording_list_end(struct recording *recording, struct listing *listing)
{
	struct op *op;

	if (listing->node == NULL)
		return;
	op = &recording->ops[listing->op];
	/* Names that were learned since the first part existed then. */
	if (!listing->pattern)
		listing->known += listing->node->learned - listing->learned;
	if (listing->entries > listing->known && listing->node->before && !listing->node->whole &&
	    !listing->pattern &&
	    tree_invent(&recording->tree, listing->node, listing->entries - listing->known))
		listing->known = listing->entries;
	if (listing->entries == listing->known) {
		/* All its names are known. */
		listing->node->whole |= !listing->pattern;
		op->expect = (uint32_t)(listing->entries + listing->dots);
		op->flags |= OP_COUNTED;
		/* A LIST that found nothing fails. */
		if (op->expect == 0)
			op->accepts = OUTCOME_BIT(NOT_FOUND);
	}
	listing->node = NULL;
}
