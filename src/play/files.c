/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/files.h"

#include "base/wildcard.h"
#include "play/calls.h"
#include "play/compat.h"
#include "play/procedure.h"
#include "program/path.h"

#include <errno.h>

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
	uint64_t flags = (op->flags & OP_STAT_FIRST) != 0 ? compat_open_flags(r, op)
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
static __attribute__((noinline)) int64_t advance(struct replay *r, const struct op *op,
						 int64_t moved)
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
	int64_t put = r->backend->write(r->session, handle, bind_data(&r->binding, extent.size),
					extent.size, extent.offset);
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
	    compat_skips(r, op, handle, &returned))
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
		return calls_play(r, op, handle);
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
