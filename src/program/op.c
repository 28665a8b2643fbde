/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/op.h"

static const struct {
	const char *verb;
	const char *shape;
	enum op_class class;
} kinds[OP_KINDS] = {
#define X(kind, verb, class, shape) [OP_##kind] = {verb, shape, OP_CLASS_##class},
	OP_LIST(X)
#undef X
};

_Static_assert(sizeof(struct op) == 48, "an operation fits in 48 bytes");
/* op_procedure() relies on this. */
_Static_assert(OP_NLM_TEST - OP_NFS_GETATTR + 1 == PROCEDURES, "the procedures are consecutive");

const char *op_verb(enum op_kind kind)
{
	return kinds[kind].verb;
}

enum op_class op_class(enum op_kind kind)
{
	return kinds[kind].class;
}

const char *op_shape(enum op_kind kind)
{
	return kinds[kind].shape;
}

bool op_changes_path(const struct op *op)
{
	const uint64_t changing = OPEN_CREATE | OPEN_TRUNCATE | OPEN_DELETE_ON_CLOSE;

	switch (op->kind) {
	case OP_OPEN:
		return (op->open_flags & changing) != 0;
	case OP_STAT:
	case OP_LIST:
	case OP_READLINK:
	case OP_ACCESS:
	case OP_XATTR_GET:
	case OP_XATTR_LIST:
	case OP_NFS_GETATTR:
	case OP_NFS_LOOKUP:
	case OP_NFS_ACCESS:
	case OP_NFS_READLINK:
	case OP_NFS_READ:
	case OP_NFS_READDIRPLUS:
	case OP_NFS_PATHCONF:
	case OP_NFS_COMMIT:
	case OP_NLM_LOCK:
	case OP_NLM_UNLOCK:
	case OP_NLM_TEST:
		return false;
	default:
		return true;
	}
}

bool op_changes_file(enum op_kind kind)
{
	return kind == OP_WRITE || kind == OP_SET_TIMES || kind == OP_TRUNCATE ||
	       kind == OP_ALLOCATE || op_uses_two_handles(kind);
}
