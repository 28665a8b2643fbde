/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/op.h"

/* Effects that change something on the target. */
enum { E_CHANGES = E_MAKES | E_REMOVES | E_MOVES | E_SWAPS | E_ALTERS | E_WRITES | E_RESIZES };

static const struct {
	const char *verb;
	const char *shape;
	enum op_class class;
	unsigned effect;
	unsigned needs;
	unsigned takes;
	enum op_packet packet;
} kinds[OP_KINDS] = {
#define X(kind, verb, class, shape, effect, needs, takes, packet) \
	[OP_##kind] = {verb, shape, OP_CLASS_##class, effect, needs, takes, packet},
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

unsigned op_needs(enum op_kind kind)
{
	return kinds[kind].needs;
}

unsigned op_takes(enum op_kind kind)
{
	return kinds[kind].takes;
}

enum op_packet op_packet(enum op_kind kind)
{
	return kinds[kind].packet;
}

/* Return the effect of the open flags. */
static unsigned open_effect(uint64_t flags)
{
	unsigned effect = E_NONE;

	if ((flags & OPEN_CREATE) != 0)
		effect |= E_MAKES;
	if ((flags & OPEN_TRUNCATE) != 0)
		effect |= E_RESIZES;
	if ((flags & OPEN_DELETE_ON_CLOSE) != 0)
		effect |= E_ALTERS;
	if ((flags & OPEN_DIRECTORY) != 0)
		effect |= E_DIR;
	return effect;
}

unsigned op_effect(const struct op *op)
{
	unsigned effect = kinds[op->kind].effect;

	if (op->kind == OP_OPEN)
		effect = open_effect(op->open_flags);
	else if (op->kind == OP_CLOSE && (op->flags & OP_DELETE) != 0)
		effect = E_REMOVES;
	else if (op->kind == OP_RENAME && op->mode == RENAME_SWAP)
		effect = E_SWAPS;
	if ((op->flags & (OP_FLUSH | OP_SYNC_PARENT)) != 0 ||
	    (op->kind == OP_NFS_WRITE && op->stable != 0))
		effect |= E_FLUSHES;
	return effect;
}

bool op_changes_path(const struct op *op)
{
	return (op_effect(op) & E_CHANGES) != 0;
}

bool op_changes_file(enum op_kind kind)
{
	return kinds[kind].shape[0] == 'h' && (kinds[kind].effect & E_CHANGES) != 0;
}
