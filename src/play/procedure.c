/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/procedure.h"

#include <errno.h>

static bool has_offset(enum op_kind kind)
{
	return op_reads(kind) || op_writes(kind) || kind == OP_NLM_LOCK || kind == OP_NLM_UNLOCK ||
	       kind == OP_NLM_TEST;
}

static int64_t call_procedure(struct replay *r, const struct op *op)
{
	struct backend_call call = {.procedure = op_procedure(op->kind)};

	if (op->path != OP_NONE)
		call.path = replay_path(r, op->path);
	if (op->path2 != OP_NONE)
		call.path2 = replay_path(r, op->path2);
	if (has_offset(op->kind)) {
		call.offset = replay_extent(r, op).offset;
		call.size = op->size;
	}
	if (op->kind == OP_NFS_READ) {
		call.buffer = r->binding.read_buffer;
	} else if (op->kind == OP_NFS_WRITE) {
		call.data = bind_data_at(&r->binding, op->size, call.offset);
		call.stable = op->stable;
	}
	return r->backend->procedure(r->session, &call);
}

/*
 * Return the flags with which an emulation opens its file. OPEN_FILE refuses
 * directories; SETATTR3 does without it, since it also works on directories.
 * Locks are write locks, so they need OPEN_WRITE.
 */
static uint64_t flags_of(enum op_kind kind)
{
	switch (kind) {
	case OP_NFS_SETATTR:
	case OP_NFS_READ:
		return OPEN_READ;
	case OP_NFS_CREATE:
		return OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_FILE;
	case OP_NFS_WRITE:
	case OP_NFS_COMMIT:
		return OPEN_WRITE | OPEN_FILE;
	default:
		return OPEN_READ | OPEN_WRITE | OPEN_FILE;
	}
}

static int64_t write_through(struct replay *r, const struct op *op, int64_t handle, uint64_t offset)
{
	const void *data = bind_data_at(&r->binding, op->size, offset);
	int64_t put = r->backend->write(r->session, handle, data, op->size, offset);
	int rc;

	if (put < 0 || op->stable == 0)
		return put;
	rc = r->backend->fsync(r->session, handle);
	return rc < 0 ? rc : put;
}

/* Test a lock by taking it and releasing it at once. */
static int test_lock(struct replay *r, const struct op *op, int64_t handle, uint64_t offset)
{
	int rc = r->backend->lock(r->session, handle, offset, op->size, 0);

	return rc < 0 ? rc : r->backend->unlock(r->session, handle, offset, op->size);
}

/* Play the part of an emulation between the open and the close. */
static int64_t play_opened(struct replay *r, const struct op *op, int64_t handle, uint64_t offset)
{
	const struct backend *b = r->backend;

	switch (op->kind) {
	case OP_NFS_SETATTR:
		return b->set_times(r->session, handle);
	case OP_NFS_READ:
		return b->read(r->session, handle, r->binding.read_buffer, op->size, offset);
	case OP_NFS_WRITE:
		return write_through(r, op, handle, offset);
	case OP_NFS_COMMIT:
		return b->fsync(r->session, handle);
	case OP_NLM_LOCK:
		return b->lock(r->session, handle, offset, op->size, 0);
	case OP_NLM_UNLOCK:
		return b->unlock(r->session, handle, offset, op->size);
	case OP_NLM_TEST:
		return test_lock(r, op, handle, offset);
	default:
		return 0; /* CREATE3 is played by the open alone */
	}
}

static int64_t play_open_and_close(struct replay *r, const struct op *op)
{
	const struct backend *b = r->backend;
	/* Compute the offset even if the open fails, as call_procedure does:
	 * later computed offsets depend on it. */
	uint64_t offset = has_offset(op->kind) ? replay_extent(r, op).offset : 0;
	int64_t handle = b->open(r->session, replay_path(r, op->path), flags_of(op->kind));
	int64_t returned;
	int rc;

	if (handle < 0)
		return handle;
	returned = play_opened(r, op, handle, offset);
	rc = b->close(r->session, handle);
	return returned >= 0 && rc < 0 ? rc : returned;
}

static bool visit_nothing(void *context, const char *name, enum backend_entry entry)
{
	return true;
}

static int64_t play_emulated(struct replay *r, const struct op *op)
{
	const struct backend *b = r->backend;
	const struct backend_path *path = NULL, *path2 = NULL;
	struct backend_attributes attributes;

	if (op->path != OP_NONE)
		path = replay_path(r, op->path);
	if (op->path2 != OP_NONE)
		path2 = replay_path(r, op->path2);
	switch (op->kind) {
	case OP_NFS_GETATTR:
	case OP_NFS_LOOKUP:
	case OP_NFS_ACCESS:
	case OP_NFS_PATHCONF:
		return b->stat(r->session, path, &attributes);
	case OP_NFS_READLINK:
		return b->readlink(r->session, path);
	case OP_NFS_MKDIR:
		return b->mkdir(r->session, path);
	case OP_NFS_SYMLINK:
		return b->symlink(r->session, path, path2->text);
	case OP_NFS_REMOVE:
		return b->unlink(r->session, path);
	case OP_NFS_RMDIR:
		return b->rmdir(r->session, path);
	case OP_NFS_RENAME:
		return b->rename(r->session, path, path2, true);
	case OP_NFS_LINK:
		return b->link(r->session, path, path2);
	case OP_NFS_READDIRPLUS:
		return b->list(r->session, path, visit_nothing, NULL);
	case OP_NFS_FSSTAT:
	case OP_NFS_FSINFO:
		return b->statvfs(r->session);
	default:
		return play_open_and_close(r, op);
	}
}

int64_t procedure_play(struct replay *r, const struct op *op)
{
	return r->procedures ? call_procedure(r, op) : play_emulated(r, op);
}
