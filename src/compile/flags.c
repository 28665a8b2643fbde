/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/flags.h"

#include "program/program.h"

#include <errno.h>

/* Return the flags that a loadfile may set for this kind of operation. */
static unsigned flags_allowed(enum op_kind kind)
{
	switch (kind) {
	case OP_UNLINK:
	case OP_RENAME:
	case OP_MKDIR:
	case OP_RMDIR:
		return OP_LOOKUP | OP_SYNC_PARENT;
	case OP_LINK:
	case OP_SYMLINK:
		return OP_SYNC_PARENT;
	case OP_OPEN:
	case OP_STAT:
	case OP_LIST:
	case OP_UNLINK_MATCHING:
	case OP_ACCESS:
	case OP_CHMOD:
	case OP_CHOWN:
	case OP_SET_PATH_TIMES:
	case OP_XATTR_GET:
	case OP_XATTR_SET:
	case OP_XATTR_LIST:
	case OP_XATTR_REMOVE:
		return OP_LOOKUP;
	case OP_WRITE:
		return OP_FLUSH;
	default:
		return 0;
	}
}

int flags_check(const struct op *op, struct error *error)
{
	unsigned settable = OP_LOOKUP | OP_FLUSH | OP_SYNC_PARENT;
	unsigned refused = op->flags & settable & ~flags_allowed(op->kind);
	const struct op_flag_word *known = program_flag_words;

	if (refused == 0)
		return 0;
	while ((refused & known->flag) == 0)
		known++;
	error_set(error, "%s does not take the flag %s", op_verb(op->kind), known->word);
	return -EINVAL;
}
