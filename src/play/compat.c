/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/compat.h"

#include <errno.h>

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
	const char *data = bind_data(&r->binding, op->size);
	/* Don't check a computed offset, as it differs each time. */
	bool fixed = (op->flags & OP_VARIES) == 0;

	return fixed &&
	       r->backend->read(r->session, handle, r->binding.read_buffer, 1, op->offset) == 1 &&
	       r->binding.read_buffer[0] == data[0];
}

bool compat_skips(struct replay *r, const struct op *op, int64_t handle, int64_t *returned)
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

uint64_t compat_open_flags(struct replay *r, const struct op *op)
{
	const uint64_t making = OPEN_CREATE | OPEN_EXCLUSIVE;

	if ((op->open_flags & OPEN_EXCLUSIVE) != 0 || stat_path(r, op) < 0)
		return op->open_flags;
	return op->open_flags & ~making;
}
