/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/calls.h"

#include "play/replay.h"

#include <errno.h>

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
	default:
		return b->sync_range(r->session, handle, offset, op->size, op->mode);
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

int64_t calls_play(struct replay *r, const struct op *op, int64_t handle)
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
