/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/walk.h"

#include <errno.h>
#include <stdlib.h>

static struct setup find_setup(const struct program *program)
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

int walk_begin(struct walk *walk, const struct program *program)
{
	*walk = (struct walk){
		.program = program,
		.setup = find_setup(program),
		.files = calloc((size_t)program->handle_count + 1, sizeof(*walk->files)),
		.at = SIZE_MAX,
		.times = 1,
		.possible = true,
		.blocks = {1},
		.blocks_possible = {true},
	};
	return walk->files != NULL ? 0 : -ENOMEM;
}

void walk_end(struct walk *walk)
{
	free(walk->files);
}

static void set_depth(struct walk *walk, unsigned depth)
{
	walk->depth = depth;
	walk->times = walk->blocks[depth];
	walk->possible = walk->blocks_possible[depth];
}

void walk_leave(struct walk *walk)
{
	walk->at = walk->op->jump - 1;
	set_depth(walk, walk->depth - 1);
}

/* Enter or leave a block. */
static void pass_control(struct walk *walk, const struct op *op)
{
	struct formula_range rounds;
	unsigned depth = walk->depth;

	switch (op->kind) {
	case OP_LOOP:
	case OP_PARALLEL:
	case OP_MIX:
		rounds = program_rounds(walk->program, op);
		walk->blocks[depth + 1] = walk->blocks[depth] * rounds.mean;
		walk->blocks_possible[depth + 1] = walk->blocks_possible[depth] && rounds.max > 0;
		depth++;
		break;
	case OP_EVERY:
		walk->blocks[depth + 1] = op->count > 0 ? walk->blocks[depth] / (double)op->count
							: 0;
		walk->blocks_possible[depth + 1] = walk->blocks_possible[depth] && op->count > 0;
		depth++;
		break;
	case OP_BRANCH:
		/* The first branch knows the sum of all weights. */
		if (op[-1].kind == OP_MIX)
			walk->by_weight[depth] = walk->blocks[depth] / op->expect;
		walk->blocks[depth] = walk->by_weight[depth] * (double)op->weight;
		break;
	case OP_ENDLOOP:
	case OP_ENDPARALLEL:
	case OP_ENDMIX:
	case OP_ENDEVERY:
		depth--;
		break;
	}
	set_depth(walk, depth);
}

bool walk_next(struct walk *walk)
{
	const struct op *op;

	if (++walk->at >= walk->program->op_count)
		return false;
	walk->op = op = &walk->program->ops[walk->at];
	walk->in_setup = walk->at < walk->setup.end;
	walk->file = walk->file2 = NULL;
	walk->ok = !op_is_control(op->kind) && outcome_in(op->accepts, OUTCOME_OK);
	if (op_is_control(op->kind)) {
		pass_control(walk, op);
		return true;
	}
	if (op->handle == OP_NONE)
		return true;
	walk->file = &walk->files[op->handle];
	if (op->kind == OP_OPEN)
		walk->file->open = op;
	else if (op_uses_two_handles(op->kind))
		walk->file2 = &walk->files[op->handle2];
	return true;
}

/* Mark the files that the current LOOP, MIX or EVERY writes. */
static void mark_block(struct walk *walk)
{
	const struct op *op = walk->op, *end = &walk->program->ops[op->jump];

	for (; op < end; op++)
		if (!op_is_control(op->kind) && op->handle != OP_NONE && op_changes_file(op->kind))
			walk->files[op_changed_handle(op)].mark = true;
}

bool walk_mark_written(struct walk *walk)
{
	const struct op *op = walk->op;
	bool was;

	if (op_begins_block(op->kind) && walk->depth == 1)
		mark_block(walk);
	if (walk->file == NULL)
		return false;
	was = walk->file->mark != 0;
	if (op->kind == OP_OPEN || op->kind == OP_CLOSE)
		walk->file->mark = walk->depth > 0 && was;
	else if (op_changes_file(op->kind))
		walk->files[op_changed_handle(op)].mark = true;
	return op->kind == OP_CLOSE && was;
}
