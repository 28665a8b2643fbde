/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/files.h"

#include "base/wildcard.h"
#include "play/procedure.h"
#include "play/replay.h"
#include "program/path.h"

#include <errno.h>

/* Keep code for rare operations out of the code for frequent ones. */
#define RARE __attribute__((noinline))

/* Return 1 for a directory, 0 for anything else, or -errno. */
static int stat_path(struct replay *r, const struct op *op)
{
	struct backend_attributes attributes;
	int rc = r->backend->stat(r->session, replay_path(r, op->path), &attributes);

	return rc < 0 ? rc : attributes.directory;
}

/* Check if a stat shows that the op would fail (OP_STAT_FIRST). */
static bool would_fail(struct replay *r, const struct op *op, int64_t *returned)
{
	int found;

	if (op->kind == OP_OPEN)
		return false;
	found = stat_path(r, op);
	if (op->kind == OP_MKDIR) {
		*returned = -EEXIST;
		return found >= 0;
	}
	*returned = found < 0 ? found : -ENOTDIR;
	return found < 0 || (op->kind == OP_RMDIR && found == 0);
}

/* Read the first byte, to check if the file already holds the data. */
static bool holds_data(struct replay *r, const struct op *op, int64_t handle)
{
	const char *data = bind_data_at(&r->binding, op->size, op->offset);
	/* Don't check a computed offset, as it differs each time. */
	bool fixed = (op->flags & OP_VARIES) == 0;

	return fixed &&
	       r->backend->read(r->session, handle, r->binding.read_buffer, 1, op->offset) == 1 &&
	       r->binding.read_buffer[0] == data[0];
}

/*
 * Check if an operation with a flag of OP_COMPAT can be left out, as dbench does
 * under some of its options. If so, set *returned to the value that it is assumed
 * to have returned. `handle` is the open file of the operation, or -1.
 */
static RARE bool is_left_out(struct replay *r, const struct op *op, int64_t handle,
			     int64_t *returned)
{
	if ((op->flags & OP_PRETENDED) != 0) {
		*returned = (op->flags & (OP_COUNTED | OP_SIZED)) == OP_COUNTED
				    ? (int64_t)op->expect
				    : (int64_t)bind_size(&r->binding, op);
		return true;
	}
	if ((op->flags & OP_READ_FIRST) != 0) {
		*returned = (int64_t)op->size;
		return holds_data(r, op, handle);
	}
	return would_fail(r, op, returned);
}

/* Return the flags of an OPEN with OP_STAT_FIRST. If the file exists, leave out
 * OPEN_CREATE, except for an exclusive open, which must fail then. */
static RARE uint64_t flags_after_stat(struct replay *r, const struct op *op)
{
	const uint64_t making = OPEN_CREATE | OPEN_EXCLUSIVE;

	if ((op->open_flags & OPEN_EXCLUSIVE) != 0 || stat_path(r, op) < 0)
		return op->open_flags;
	return op->open_flags & ~making;
}

/* Tell the backend how the operation was recorded. */
static inline void tell_recorded(struct replay *r, const struct op *op, const char *pattern)
{
	if (__builtin_expect(r->backend->recorded != NULL, 0))
		r->backend->recorded(r->session, &r->program->requests[op->request], pattern);
}

/*
 * Open a file and keep its handle, or close it again if the open was recorded
 * as a failure. Never keep an earlier file in the slot, not even when the open
 * fails: the following operations would change a file that the load did not
 * name.
 */
static int64_t play_open(struct replay *r, const struct op *op)
{
	uint64_t flags = (op->flags & OP_STAT_FIRST) != 0 ? flags_after_stat(r, op)
							  : op->open_flags;
	int64_t handle;

	/* The load does not close a file that has no handle. */
	if (!r->backend->deletes_on_close || op->handle == OP_NONE)
		flags &= ~(uint64_t)OPEN_DELETE_ON_CLOSE;
	tell_recorded(r, op, NULL);
	handle = r->backend->open(r->session, replay_path(r, op->path), flags);
	if (op->handle == OP_NONE) {
		if (handle >= 0)
			r->backend->close(r->session, handle);
	} else {
		if (r->handles[op->handle] >= 0)
			r->backend->close(r->session, r->handles[op->handle]);
		r->handles[op->handle] = handle >= 0 ? handle : -1;
		r->binding.positions[op->handle] = 0;
	}
	return handle < 0 ? handle : 0;
}

static int remove_closed(struct replay *r, uint32_t path, bool directory)
{
	if (directory)
		return r->backend->rmdir(r->session, replay_path(r, path));
	return r->backend->unlink(r->session, replay_path(r, path));
}

static int64_t play_close(struct replay *r, const struct op *op)
{
	int64_t handle = r->handles[op->handle];
	int flushed = 0, rc;

	if (__builtin_expect((op->flags & OP_FLUSH) != 0, 0))
		flushed = r->backend->fsync(r->session, handle);
	rc = r->backend->close(r->session, handle);
	r->handles[op->handle] = -1;
	if (rc == 0 && (op->flags & OP_DELETE) != 0 && !r->backend->deletes_on_close)
		rc = remove_closed(r, op->path, (op->flags & OP_DIRECTORY) != 0);
	return flushed < 0 ? flushed : rc;
}

/* Advance the position of a handle by the bytes that were moved. */
static RARE int64_t advance(struct replay *r, const struct op *op, int64_t moved)
{
	if (moved > 0)
		r->binding.positions[op->handle] += (uint64_t)moved;
	return moved;
}

static int64_t play_read(struct replay *r, const struct op *op, int64_t handle)
{
	struct extent extent = replay_extent(r, op);
	int64_t got = r->backend->read(r->session, handle, r->binding.read_buffer, extent.size,
				       extent.offset);

	if (__builtin_expect((op->flags & OP_NEXT) != 0, 0))
		return advance(r, op, got);
	return got;
}

static int64_t play_write(struct replay *r, const struct op *op, int64_t handle)
{
	struct extent extent = replay_extent(r, op);
	const void *data = bind_data_at(&r->binding, extent.size, extent.offset);
	int64_t put = r->backend->write(r->session, handle, data, extent.size, extent.offset);
	int rc;

	if (__builtin_expect((op->flags & (OP_FLUSH | OP_NEXT)) == 0, 1))
		return put;
	if ((op->flags & OP_NEXT) != 0)
		advance(r, op, put);
	if (put < 0 || (op->flags & OP_FLUSH) == 0)
		return put;
	rc = r->backend->fsync(r->session, handle);
	return rc < 0 ? rc : put;
}

/* The count of a listing's entries that match. */
struct listing {
	const char *pattern;
	uint64_t found, max;
};

static bool count_match(void *context, const char *name, enum backend_entry entry)
{
	struct listing *listing = context;

	if (listing->found >= listing->max)
		return false;
	listing->found += wildcard_match(listing->pattern, name);
	return true;
}

static int64_t play_list(struct replay *r, const struct op *op)
{
	struct listing listing = {
		.pattern = path_leaf(replay_path(r, op->path)->text),
		.max = op->max_entries,
	};
	int rc;

	tell_recorded(r, op, listing.pattern);
	rc = r->backend->list(r->session, replay_path(r, op->path2), count_match, &listing);
	if (rc < 0)
		return rc;
	return listing.found > 0 ? (int64_t)listing.found : -ENOENT;
}

static int64_t play_deltree(struct replay *r, const struct op *op)
{
	const char *top = replay_path(r, op->path)->text;

	if (r->program->paths[op->path].place == PATH_HOME)
		return tree_empty(r->tree, top);
	return tree_remove(r->tree, top);
}

/* Look up the operation's names, as a file server would before the
 * operation. */
static int look_up(struct replay *r, const struct op *op)
{
	int rc;

	if (r->backend->resolve == NULL)
		return 0;
	rc = r->backend->resolve(r->session, replay_path(r, op->path));
	if (op->kind == OP_RENAME)
		r->backend->resolve(r->session, replay_path(r, op->path2));
	return rc;
}

static int64_t play_stat(struct replay *r, const struct op *op)
{
	struct backend_attributes attributes;

	/* A stat with OP_LOOKUP is played as the look-up alone. */
	if ((op->flags & OP_LOOKUP) != 0 && r->backend->resolve != NULL)
		return look_up(r, op);
	tell_recorded(r, op, NULL);
	return r->backend->stat(r->session, replay_path(r, op->path), &attributes);
}

static int play_rename(struct replay *r, const struct op *op)
{
	const struct backend_path *from = replay_path(r, op->path);
	const struct backend_path *to = replay_path(r, op->path2);

	if (op->mode == RENAME_SWAP)
		return r->backend->swap(r->session, from, to);
	return r->backend->rename(r->session, from, to, (op->flags & OP_NO_REPLACE) == 0);
}

/* Play an operation that works on names. */
static int64_t play_named(struct replay *r, const struct op *op)
{
	const struct backend *b = r->backend;
	const struct backend_path *path = replay_path(r, op->path);

	if ((op->flags & OP_LOOKUP) != 0)
		look_up(r, op);
	switch (op->kind) {
	case OP_OPEN:
		return play_open(r, op);
	case OP_UNLINK:
		tell_recorded(r, op, NULL);
		return b->unlink(r->session, path);
	case OP_UNLINK_MATCHING:
		return tree_unlink_matching(r->tree, replay_path(r, op->path2)->text,
					    path_leaf(path->text));
	case OP_RENAME:
		return play_rename(r, op);
	case OP_MKDIR:
		return b->mkdir(r->session, path);
	case OP_RMDIR:
		return b->rmdir(r->session, path);
	case OP_LIST:
		return play_list(r, op);
	case OP_LINK:
		return b->link(r->session, path, replay_path(r, op->path2));
	case OP_SYMLINK:
		return b->symlink(r->session, path, replay_path(r, op->path2)->text);
	case OP_READLINK:
		return b->readlink(r->session, path);
	default:
		return -ENOSYS;
	}
}

/* Play an operation on a range of an open file. */
static int play_range(struct replay *r, const struct op *op, int64_t handle)
{
	const struct backend *b = r->backend;
	uint64_t offset = replay_extent(r, op).offset;

	switch (op->kind) {
	case OP_LOCK_TEST:
		return b->lock_test(r->session, handle, offset, op->size, op->mode);
	case OP_ALLOCATE:
		return b->allocate(r->session, handle, offset, op->size, op->mode);
	case OP_SYNC_RANGE:
		return b->sync_range(r->session, handle, offset, op->size, op->mode);
	default:
		return -ENOSYS;
	}
}

/* Copy `bytes` by reads and writes. Return the number of bytes copied, or
 * -errno: -ECANCELED if the user must leave before the end. */
static int64_t copy_by_hand(struct replay *r, const struct op *op, int64_t from, int64_t to,
			    uint64_t bytes)
{
	const struct backend *b = r->backend;
	char *buffer = r->binding.read_buffer;
	uint64_t done = 0;
	int64_t got, put;

	while (done < bytes) {
		size_t piece = bytes - done < PROGRAM_COPY_BYTES ? bytes - done
								 : PROGRAM_COPY_BYTES;

		got = b->read(r->session, from, buffer, piece, op->offset + done);
		if (got <= 0)
			return got < 0 ? got : (int64_t)done;
		put = b->write(r->session, to, buffer, (size_t)got, op->offset2 + done);
		if (put <= 0)
			return put < 0 ? put : (int64_t)done;
		done += (uint64_t)put;
		if (put == got && (size_t)got < piece)
			break; /* the file ends here */
		if (done < bytes && !replay_progress(r))
			return -ECANCELED;
	}
	return (int64_t)done;
}

/*
 * Emulate a COPY or CLONE. As with the real ones, the range of a COPY ends where
 * the source does now, even if the copy makes it longer; that of a CLONE must be
 * in the source; and two ranges of one file must not overlap.
 */
static int64_t emulate_copy(struct replay *r, const struct op *op, int64_t from, int64_t to)
{
	const struct backend *b = r->backend;
	struct backend_file source, sink;
	bool clones = op->kind == OP_CLONE;
	uint64_t bytes = op->bytes, left;
	int rc = b->identify(r->session, from, &source);

	if (rc == 0)
		rc = b->identify(r->session, to, &sink);
	if (rc < 0)
		return rc;
	left = op->offset < source.size_bytes ? source.size_bytes - op->offset : 0;
	if (clones && (op->offset > source.size_bytes || bytes > left))
		return -EINVAL;
	if (bytes > left || (clones && bytes == 0))
		bytes = left;
	if (bytes == 0)
		return 0;
	if (source.id != 0 && source.id == sink.id && op->offset2 < op->offset + bytes &&
	    op->offset < op->offset2 + bytes)
		return -EINVAL;
	if (r->program->copies_by_hand)
		return copy_by_hand(r, op, from, to, bytes);
	return b->copy(r->session, from, op->offset, to, op->offset2, bytes);
}

static int64_t play_copy(struct replay *r, const struct op *op, int64_t from)
{
	int64_t to = r->handles[op->handle2];

	if (to < 0)
		return -EBADF;
	if (op->kind == OP_CLONE && !r->program->clones_by_copy)
		return r->backend->clone(r->session, from, op->offset, to, op->offset2, op->bytes);
	if (op->kind == OP_CLONE || r->program->copies_by_hand)
		return emulate_copy(r, op, from, to);
	return r->backend->copy(r->session, from, op->offset, to, op->offset2, op->bytes);
}

static int64_t play_xattr(struct replay *r, const struct op *op)
{
	const struct backend *b = r->backend;
	const struct backend_path *path = replay_path(r, op->path);
	const char *name = r->program->texts[op->text];

	switch (op->kind) {
	case OP_XATTR_GET:
		return b->xattr_get(r->session, path, name, r->binding.read_buffer, op->size);
	case OP_XATTR_SET:
		return b->xattr_set(r->session, path, name, bind_data(&r->binding, op->size),
				    op->size);
	default:
		return b->xattr_remove(r->session, path, name);
	}
}

/* Play an operation on a path that changes or checks attributes. */
static int64_t play_path(struct replay *r, const struct op *op)
{
	const struct backend *b = r->backend;
	const struct backend_path *path = replay_path(r, op->path);

	switch (op->kind) {
	case OP_ACCESS:
		return b->access(r->session, path, op->mode);
	case OP_CHMOD:
		return b->chmod(r->session, path, op->mode);
	case OP_CHOWN:
		return b->chown(r->session, path, op->user_id, op->group_id);
	case OP_SET_PATH_TIMES:
		return b->set_path_times(r->session, path);
	case OP_XATTR_LIST:
		return b->xattr_list(r->session, path, r->binding.read_buffer, op->size);
	default:
		return -ENOSYS;
	}
}

/* Play an operation that is one call of a slot with the operation's own
 * arguments. */
static RARE int64_t play_call(struct replay *r, const struct op *op, int64_t handle)
{
	switch (op->kind) {
	case OP_LOCK_TEST:
	case OP_ALLOCATE:
	case OP_SYNC_RANGE:
		return play_range(r, op, handle);
	case OP_COPY:
	case OP_CLONE:
		return play_copy(r, op, handle);
	case OP_TRUNCATE:
		return r->backend->truncate(r->session, handle, op->size);
	case OP_FDATASYNC:
		return r->backend->fdatasync(r->session, handle);
	case OP_XATTR_GET:
	case OP_XATTR_SET:
	case OP_XATTR_REMOVE:
		return play_xattr(r, op);
	default:
		return play_path(r, op);
	}
}

static int64_t play(struct replay *r, const struct op *op)
{
	const struct backend *b = r->backend;
	int64_t handle = -1, returned;

	if (op->handle != OP_NONE && op->kind != OP_OPEN) {
		handle = r->handles[op->handle];
		if (handle < 0)
			return -EBADF;
	}
	if (__builtin_expect((op->flags & OP_COMPAT) != 0, 0) &&
	    is_left_out(r, op, handle, &returned))
		return returned;
	switch (op->kind) {
	case OP_READ:
		return play_read(r, op, handle);
	case OP_WRITE:
		return play_write(r, op, handle);
	case OP_STAT:
		return play_stat(r, op);
	case OP_CLOSE:
		return play_close(r, op);
	case OP_FSTAT:
		tell_recorded(r, op, NULL);
		return b->fstat(r->session, handle);
	case OP_STATVFS:
		tell_recorded(r, op, NULL);
		return b->statvfs(r->session);
	case OP_SET_TIMES:
		tell_recorded(r, op, NULL);
		return b->set_times(r->session, handle);
	case OP_FSYNC:
		return b->fsync(r->session, handle);
	case OP_LOCK:
		return b->lock(r->session, handle, replay_extent(r, op).offset, op->size, op->mode);
	case OP_UNLOCK:
		return b->unlock(r->session, handle, replay_extent(r, op).offset, op->size);
	case OP_DELTREE:
		return play_deltree(r, op);
	/* A range, so that these do not slow down other operations. */
	case OP_TRUNCATE ... OP_XATTR_REMOVE:
		if ((op->flags & OP_LOOKUP) != 0)
			look_up(r, op);
		return play_call(r, op, handle);
	default:
		return op_is_procedure(op->kind) ? procedure_play(r, op) : play_named(r, op);
	}
}

int64_t files_play(struct replay *r, const struct op *op)
{
	int64_t returned = play(r, op);
	uint32_t path;
	int rc;

	if (__builtin_expect((op->flags & OP_SYNC_PARENT) == 0, 1))
		return returned;
	/* Without this slot, the backend itself makes changes of directories
	 * durable (backend.h). */
	if (returned < 0 || r->backend->sync_parent == NULL)
		return returned;
	path = op->kind == OP_RENAME ? op->path2 : op->path;
	rc = r->backend->sync_parent(r->session, replay_path(r, path));
	return rc < 0 ? rc : returned;
}

void files_close_leftovers(struct replay *r)
{
	const struct leftover *leftover = r->program->leftovers;
	size_t i;
	int rc;

	for (i = 0; i < r->program->leftover_count; i++, leftover++) {
		if (r->handles[leftover->handle] < 0)
			continue;
		rc = r->backend->close(r->session, r->handles[leftover->handle]);
		r->handles[leftover->handle] = -1;
		/* On a target that has gone, every close runs into the
		 * timeout; that is no progress. */
		if (rc >= 0)
			r->own->steps++;
		if (leftover->path != OP_NONE && !r->backend->deletes_on_close)
			remove_closed(r, leftover->path, leftover->directory);
	}
}

int files_close_all(struct replay *r)
{
	uint32_t i;
	int rc;

	for (i = 0; i < r->program->handle_count; i++) {
		if (r->handles[i] < 0)
			continue;
		rc = r->backend->close(r->session, r->handles[i]);
		r->own->steps++;
		if (rc < 0 && outcome_is_loss(outcome_from_errno(-rc)))
			return rc;
	}
	return 0;
}
