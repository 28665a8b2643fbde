/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/setup.h"

#include <string.h>

struct setup setup_find(const struct program *program)
{
	struct setup setup = {0};
	size_t i;

	for (i = 0; i < program->op_count && program->ops[i].kind == OP_SETUP; i++) {
		bool shared = program->ops[i].number == OP_SETUP_SHARED;

		setup.restore |= program->ops[i].number == OP_SETUP_RESTORE;
		while (program->ops[i].kind != OP_ENDSETUP)
			i++;
		setup.end = i + 1;
		if (shared)
			setup.shared_end = setup.end;
	}
	return setup;
}

/* Mark the handles that a LOOP or MIX, which is op `at`, writes. */
static void mark_block(const struct program *program, size_t at, bool *written)
{
	size_t end = program->ops[at].jump;

	for (; at < end; at++) {
		const struct op *op = &program->ops[at];

		if (!op_is_control(op->kind) && op->handle != OP_NONE && op_changes_file(op->kind))
			written[op_changed_handle(op)] = true;
	}
}

bool setup_track_written(const struct program *program, size_t at, unsigned *depth, bool *written)
{
	const struct op *op = &program->ops[at];
	bool was;

	if (op->kind == OP_LOOP || op->kind == OP_MIX) {
		if (*depth == 0)
			mark_block(program, at, written);
		++*depth;
	}
	*depth -= op->kind == OP_ENDLOOP || op->kind == OP_ENDMIX;
	if (op_is_control(op->kind) || op->handle == OP_NONE)
		return false;
	was = written[op->handle];
	if (op->kind == OP_OPEN || op->kind == OP_CLOSE)
		written[op->handle] = *depth > 0 && was;
	else if (op_changes_file(op->kind))
		written[op_changed_handle(op)] = true;
	return op->kind == OP_CLOSE && was;
}

void setup_find_written(const struct program *program, const struct setup *setup, bool *written)
{
	unsigned depth = 0;
	size_t i;

	memset(written, 0, program->handle_count * sizeof(*written));
	for (i = 0; i < setup->end; i++)
		setup_track_written(program, i, &depth, written);
}
