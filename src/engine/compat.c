/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/compat.h"

#include <errno.h>

/* 1: a directory, 0: another thing, or -errno. */
static int look(struct replay *r, const struct op *op)
{
	struct backend_attributes attributes;
	int rc = r->backend->stat(r->session, replay_path(r, op->path),
				  &attributes);

	return rc < 0 ? rc : attributes.directory;
}

static bool is_pointless(struct replay *r, const struct op *op,
			 int64_t *returned)
{
	int found;

	if (op->kind == OP_OPEN)
		return false;
	found = look(r, op);
	if (op->kind == OP_MKDIR) {
		*returned = -EEXIST;
		return found >= 0;
	}
	*returned = found < 0 ? found : -ENOTDIR;
	return found < 0 || (op->kind == OP_RMDIR && found == 0);
}

/* Does the file hold the data already? */
static bool is_there(struct replay *r, const struct op *op, int64_t handle)
{
	const char *data = bind_data(&r->binding, op->size);
	/* An offset that is computed would be another one the next time. */
	bool fixed = (op->flags & (OP_COMPUTED | OP_CONTINUED)) == 0;

	return fixed &&
	       r->backend->read(r->session, handle, r->binding.read_buffer, 1,
				op->offset) == 1 &&
	       r->binding.read_buffer[0] == data[0];
}

bool compat_skips(struct replay *r, const struct op *op, int64_t handle,
		  int64_t *returned)
{
	if ((op->flags & OP_PRETENDED) != 0) {
		*returned = (op->flags & OP_COUNTED) != 0 ? (int64_t)op->expect
							  : (int64_t)op->size;
		return true;
	}
	if ((op->flags & OP_READ_FIRST) != 0) {
		*returned = (int64_t)op->size;
		return is_there(r, op, handle);
	}
	return is_pointless(r, op, returned);
}

uint64_t compat_open_flags(struct replay *r, const struct op *op)
{
	const uint64_t making = OPEN_CREATE | OPEN_EXCLUSIVE;

	if ((op->open_flags & OPEN_EXCLUSIVE) != 0 || look(r, op) < 0)
		return op->open_flags;
	return op->open_flags & ~making;
}
