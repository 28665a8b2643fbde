/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/op.h"

static const struct {
	const char *verb;
	const char *shape;
	enum op_class class;
} kinds[OP_KINDS] = {
#define X(kind, verb, class, shape) \
	[OP_##kind] = {verb, shape, OP_CLASS_##class},
	OP_LIST(X)
#undef X
};

_Static_assert(sizeof(struct op) == 48, "an operation fits in 48 bytes");
/* op_procedure() relies on this. */
_Static_assert(OP_NLM_TEST - OP_NFS_GETATTR + 1 == PROCEDURES,
	       "the procedures are consecutive");

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
