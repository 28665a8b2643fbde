/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/times.h"

struct times times_start(void)
{
	return (struct times){.blocks = {1}, .possible = {true}};
}

struct formula_range times_rounds(const struct program *program, const struct op *op)
{
	if ((op->flags & OP_SIZED) != 0)
		return program->formulas[op->count].range;
	return formula_fixed(op->count);
}

double times_next(struct times *times, const struct program *program, const struct op *op)
{
	double around = times->blocks[times->depth];
	struct formula_range rounds;

	switch (op->kind) {
	case OP_LOOP:
	case OP_MIX:
		rounds = times_rounds(program, op);
		times->depth++;
		times->blocks[times->depth] = around * rounds.mean;
		times->possible[times->depth] = times->possible[times->depth - 1] && rounds.max > 0;
		break;
	case OP_BRANCH:
		/* The first branch knows the sum of all weights. */
		if (op[-1].kind == OP_MIX)
			times->by_weight[times->depth] = around / op->expect;
		times->blocks[times->depth] = times->by_weight[times->depth] * (double)op->weight;
		break;
	case OP_ENDLOOP:
	case OP_ENDMIX:
		times->depth--;
		break;
	}
	return times->blocks[times->depth];
}
