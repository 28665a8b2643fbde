/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/blocks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static struct block *innermost(struct blocks *blocks)
{
	return &blocks->list[blocks->depth - 1];
}

enum op_kind blocks_innermost(const struct blocks *blocks)
{
	return blocks->depth > 0 ? blocks->list[blocks->depth - 1].kind
				 : OP_KINDS;
}

/* Return the word that ends a block of this kind. */
static const char *end_verb(enum op_kind kind)
{
	return kind == OP_LOOP  ? op_verb(OP_ENDLOOP)
	       : kind == OP_MIX ? op_verb(OP_ENDMIX)
				: "END";
}

int blocks_check(const struct blocks *blocks, enum op_kind kind,
		 struct error *error)
{
	if (blocks->depth == 0)
		return 0;
	if (blocks_innermost(blocks) == OP_MIX && kind != OP_BRANCH &&
	    kind != OP_ENDMIX)
		error_set(error, "%s in a MIX must be in a branch; expected a "
			  "weight and BEGIN before it", op_verb(kind));
	else if (kind == OP_PHASE)
		error_set(error, "PHASE cannot be inside a LOOP or MIX: all "
			  "users begin a phase together");
	else if (kind == OP_ENDSETUP)
		error_set(error, "%s without its end before ENDSETUP",
			  op_verb(blocks_innermost(blocks)));
	else
		return 0;
	return -EINVAL;
}

/* Add the weight of a branch to the MIX around it. */
static int add_weight(struct blocks *blocks, uint64_t weight,
		      struct error *error)
{
	struct block *mix = innermost(blocks);

	if (blocks_innermost(blocks) != OP_MIX) {
		error_set(error, "a branch must be in a MIX");
		return -EINVAL;
	}
	mix->weights += weight;
	if (weight > 0 && mix->weights <= PROGRAM_WEIGHTS_MAX)
		return 0;
	error_set(error, "the weight of a branch must be at least 1, and those "
		  "of a MIX at most %d together", PROGRAM_WEIGHTS_MAX);
	return -EINVAL;
}

/* Refuse a LOOP or MIX inside too many others. */
static int check_depth(const struct blocks *blocks, struct error *error)
{
	unsigned around = 0, i;

	for (i = 0; i < blocks->depth; i++)
		around += blocks->list[i].kind != OP_BRANCH;
	if (around < PROGRAM_LOOP_DEPTH)
		return 0;
	error_set(error, "loops are nested more than %d deep",
		  PROGRAM_LOOP_DEPTH);
	return -EINVAL;
}

/* Remember which handles are open at the start of a branch. */
static int remember_open(struct block *branch, const struct handles *handles,
			 struct error *error)
{
	size_t i;

	branch->open_count = handles->numbers.count;
	branch->open = calloc(branch->open_count + 1, sizeof(*branch->open));
	if (branch->open == NULL)
		return error_no_memory(error);
	for (i = 0; i < branch->open_count; i++)
		branch->open[i] = handles->handles[i].open;
	return 0;
}

int blocks_begin(struct blocks *blocks, const struct op *op,
		 struct error *error)
{
	int rc = op->kind == OP_BRANCH
			 ? add_weight(blocks, op->weight, error)
			 : check_depth(blocks, error);

	if (rc < 0)
		return rc;
	blocks->list[blocks->depth++] = (struct block){
		.kind = (enum op_kind)op->kind,
		.start = blocks->program->op_count,
	};
	blocks->handles->keep_slots = true;
	return op->kind == OP_BRANCH ? remember_open(innermost(blocks),
						     blocks->handles, error)
				     : 0;
}

/* Return a handle that is open at only one end of the branch, or NULL. */
static const struct handle *changed_handle(const struct handles *handles,
					   const struct block *branch)
{
	size_t i;

	for (i = 0; i < handles->numbers.count; i++) {
		bool was_open = i < branch->open_count && branch->open[i];

		if (handles->handles[i].open != was_open)
			return &handles->handles[i];
	}
	return NULL;
}

/* Does the innermost block have nothing but lines that take no time? While a
 * user plays such a LOOP, it does not look at the clock. */
static bool is_empty(const struct blocks *blocks)
{
	const struct program *program = blocks->program;
	const struct block *block = &blocks->list[blocks->depth - 1];
	size_t i;

	if (block->kind != OP_LOOP)
		return block->start + 1 == program->op_count;
	for (i = block->start; i < program->op_count; i++) {
		switch (program->ops[i].kind) {
		case OP_LOOP:
		case OP_ENDLOOP:
		case OP_MIX:
		case OP_BRANCH:
		case OP_ENDMIX:
		case OP_LET:
			break;
		default:
			return false;
		}
	}
	return true;
}

int blocks_end(struct blocks *blocks, enum op_kind kind, struct error *error)
{
	const struct handle *changed = NULL;
	bool empty;

	if (blocks_innermost(blocks) != kind) {
		error_set(error, "%s without %s", end_verb(kind),
			  op_verb(kind));
		return -EINVAL;
	}
	empty = is_empty(blocks);
	if (kind == OP_BRANCH)
		changed = changed_handle(blocks->handles, innermost(blocks));
	free(innermost(blocks)->open);
	blocks->depth--;
	blocks->handles->keep_slots = blocks->depth > 0;
	variables_leave(blocks->variables, blocks_variable_depth(blocks));
	if (empty)
		error_set(error, "no %s between %s and %s",
			  kind == OP_MIX ? "branch" : "operation",
			  op_verb(kind), end_verb(kind));
	else if (changed != NULL)
		error_set(error, "the branch leaves handle %" PRIu32
			  " %s; it may not be drawn, so it must %s the "
			  "handle again", changed->number,
			  changed->open ? "open" : "closed",
			  changed->open ? "close" : "open");
	return empty || changed != NULL ? -EINVAL : 0;
}

int blocks_finish(const struct blocks *blocks, struct error *error)
{
	const struct program *program = blocks->program;
	const struct block *block = blocks->list + blocks->depth - 1;

	if (blocks->depth == 0)
		return 0;
	error_set_at(error, program->source, program->ops[block->start].line, 0,
		     "%s without %s", op_verb(block->kind),
		     end_verb(block->kind));
	return -EINVAL;
}

void blocks_free(struct blocks *blocks)
{
	while (blocks->depth > 0)
		free(blocks->list[--blocks->depth].open);
}
