/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/walk.h"

#include <errno.h>
#include <stdlib.h>

int walk_begin(struct walk *walk, const struct program *program)
{
	*walk = (struct walk){
		.program = program,
		.setup = setup_find(program),
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

/* Enter or leave a block. */
static void pass_control(struct walk *walk, const struct op *op)
{
	struct formula_range rounds;
	unsigned depth = walk->depth;

	switch (op->kind) {
	case OP_LOOP:
	case OP_MIX:
		rounds = program_rounds(walk->program, op);
		walk->blocks[depth + 1] = walk->blocks[depth] * rounds.mean;
		walk->blocks_possible[depth + 1] = walk->blocks_possible[depth] && rounds.max > 0;
		walk->depth++;
		break;
	case OP_BRANCH:
		/* The first branch knows the sum of all weights. */
		if (op[-1].kind == OP_MIX)
			walk->by_weight[depth] = walk->blocks[depth] / op->expect;
		walk->blocks[depth] = walk->by_weight[depth] * (double)op->weight;
		break;
	case OP_ENDLOOP:
	case OP_ENDMIX:
		walk->depth--;
		break;
	}
	walk->times = walk->blocks[walk->depth];
	walk->possible = walk->blocks_possible[walk->depth];
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
