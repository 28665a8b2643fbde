/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/times.h"

struct times times_start(void)
{
	return (struct times){.blocks = {1}};
}

struct formula_range times_rounds(const struct program *program,
				  const struct op *op)
{
	if ((op->flags & OP_SIZED) != 0)
		return program->formulas[op->count].range;
	return (struct formula_range){op->count, op->count};
}

double times_next(struct times *times, const struct program *program,
		  const struct op *op)
{
	double around = times->blocks[times->depth];

	switch (op->kind) {
	case OP_LOOP:
	case OP_MIX:
		times->blocks[++times->depth] =
			around * formula_mean(times_rounds(program, op));
		break;
	case OP_BRANCH:
		/* The first branch knows the sum of all weights. */
		if (op[-1].kind == OP_MIX)
			times->by_weight[times->depth] = around / op->expect;
		times->blocks[times->depth] = times->by_weight[times->depth] *
					      (double)op->weight;
		break;
	case OP_ENDLOOP:
	case OP_ENDMIX:
		times->depth--;
		break;
	}
	return times->blocks[times->depth];
}
