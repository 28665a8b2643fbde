/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/blocks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static struct block *innermost(struct blocks *blocks)
{
	return &blocks->list[blocks->depth - 1];
}

enum op_kind blocks_innermost(const struct blocks *blocks)
{
	return blocks->depth > 0 ? blocks->list[blocks->depth - 1].kind : OP_KINDS;
}

/* Return the word that ends a block of this kind. */
static const char *end_verb(enum op_kind kind)
{
	return kind == OP_LOOP       ? op_verb(OP_ENDLOOP)
	       : kind == OP_PARALLEL ? op_verb(OP_ENDPARALLEL)
	       : kind == OP_MIX      ? op_verb(OP_ENDMIX)
	       : kind == OP_EVERY    ? op_verb(OP_ENDEVERY)
				     : "END";
}

/* Does an op of this kind end a block? */
static bool is_end(enum op_kind kind)
{
	return kind == OP_ENDLOOP || kind == OP_ENDPARALLEL || kind == OP_ENDMIX ||
	       kind == OP_ENDEVERY || kind == OP_ENDSETUP;
}

int blocks_check(struct blocks *blocks, enum op_kind kind, struct error *error)
{
	uint32_t line;

	if (blocks_innermost(blocks) != OP_MIX || kind == OP_BRANCH || is_end(kind))
		return 0;
	line = blocks_report(blocks);
	if (line == 0)
		return 0;
	error_set(error,
		  "%s is in the MIX of line %" PRIu32
		  ", but not in a branch; expected a weight and BEGIN before this line, or ENDMIX "
		  "if the MIX ends here",
		  op_verb(kind), line);
	return -EINVAL;
}

/* Leave the innermost block. */
static void leave(struct blocks *blocks)
{
	free(innermost(blocks)->open);
	blocks->depth--;
	blocks->handles->keep_slots = blocks->depth > 0;
	variables_leave(blocks->variables, blocks_variable_depth(blocks));
}

/* Leave the innermost block, and ignore its end if it comes later. */
static void leave_early(struct blocks *blocks)
{
	blocks->ignored_ends[blocks_innermost(blocks)]++;
	leave(blocks);
}

uint32_t blocks_report(struct blocks *blocks)
{
	struct block *block = innermost(blocks);

	if (block->reported)
		return 0;
	block->reported = true;
	return block->line;
}

/* End all blocks but `depth` before their ends. Return the line of the
 * innermost block, or 0 if there is nothing to report. */
static uint32_t end_early(struct blocks *blocks, unsigned depth)
{
	uint32_t line = blocks->depth > depth ? blocks_report(blocks) : 0;

	while (blocks->depth > depth)
		leave_early(blocks);
	return line;
}

/* Refuse the word `verb`, which ends something around a block that has not ended. */
static void refuse_end(struct error *error, const char *verb, enum op_kind inner, uint32_t line)
{
	error_set(error,
		  "expected %s before this %s, because the %s of line %" PRIu32 " has not ended",
		  end_verb(inner), verb, op_verb(inner), line);
}

int blocks_check_depth(struct blocks *blocks, unsigned depth, const char *verb, struct error *error)
{
	enum op_kind inner = blocks_innermost(blocks);
	uint32_t line = end_early(blocks, depth);

	if (line == 0)
		return 0;
	refuse_end(error, verb, inner, line);
	return -EINVAL;
}

int blocks_check_ended(struct blocks *blocks, enum op_kind kind, struct error *error)
{
	enum op_kind inner = blocks_innermost(blocks);
	uint32_t line;

	if (kind == OP_ENDSETUP)
		return blocks_check_depth(blocks, 0, op_verb(kind), error);
	line = end_early(blocks, 0);
	if (line == 0)
		return 0;
	error_set(error,
		  "%s cannot be inside the %s of line %" PRIu32
		  "; is an %s missing before this line?",
		  op_verb(kind), op_verb(inner), line, end_verb(inner));
	return -EINVAL;
}

/* Add the weight of a branch to the MIX around it. */
static int add_weight(struct blocks *blocks, uint64_t weight, struct error *error)
{
	struct block *mix = innermost(blocks);

	if (blocks_innermost(blocks) != OP_MIX) {
		error_set(error,
			  "a weight before an operation is allowed only between MIX and ENDMIX");
		return -EINVAL;
	}
	mix->weights += weight;
	if (weight > 0 && mix->weights <= PROGRAM_WEIGHTS_MAX)
		return 0;
	error_set(error,
		  "the weight of a branch must be at least 1, and all weights of a MIX together at "
		  "most %d",
		  PROGRAM_WEIGHTS_MAX);
	return -EINVAL;
}

/* Refuse a LOOP, MIX or EVERY inside too many others. */
static int check_depth(const struct blocks *blocks, struct error *error)
{
	unsigned around = 0, i;

	for (i = 0; i < blocks->depth; i++)
		around += blocks->list[i].kind != OP_BRANCH;
	if (around < PROGRAM_LOOP_DEPTH)
		return 0;
	error_set(error, "blocks are nested more than %d deep", PROGRAM_LOOP_DEPTH);
	return -EINVAL;
}

/* Must the same handles be open at both ends of a block of this kind? The block may not
 * be played, or be played several times at once. */
static bool keeps_handles(enum op_kind kind)
{
	return kind == OP_BRANCH || kind == OP_EVERY || kind == OP_PARALLEL;
}

/* Remember which handles are open at the start of a block. */
static int remember_open(struct block *block, const struct handles *handles, struct error *error)
{
	size_t i;

	block->open_count = handles->numbers.count;
	block->open = calloc(block->open_count + 1, sizeof(*block->open));
	if (block->open == NULL)
		return error_no_memory(error);
	for (i = 0; i < block->open_count; i++)
		block->open[i] = handles->handles[i].open;
	return 0;
}

const struct block *blocks_parallel(const struct blocks *blocks)
{
	return blocks->depth > 0 && blocks->list[0].kind == OP_PARALLEL ? &blocks->list[0] : NULL;
}

int blocks_begin(struct blocks *blocks, const struct op *op, struct error *error)
{
	int rc = op->kind == OP_BRANCH ? add_weight(blocks, op->weight, error)
				       : check_depth(blocks, error);

	if (rc < 0)
		return rc;
	blocks->list[blocks->depth++] = (struct block){
		.kind = (enum op_kind)op->kind,
		.line = op->line,
		.start = blocks->program->op_count,
	};
	blocks->handles->keep_slots = true;
	return keeps_handles((enum op_kind)op->kind)
		       ? remember_open(innermost(blocks), blocks->handles, error)
		       : 0;
}

void blocks_begin_refused(struct blocks *blocks, enum op_kind kind, uint32_t line)
{
	struct error ignored = {0};

	if (check_depth(blocks, &ignored) < 0) {
		blocks->ignored_ends[kind]++;
		return;
	}
	blocks->list[blocks->depth++] = (struct block){
		.kind = kind,
		.line = line,
		.reported = true,
		.start = blocks->program->op_count,
	};
	blocks->handles->keep_slots = true;
}

/* Return a handle that is open at only one end of the block, or NULL. */
static const struct handle *changed_handle(const struct handles *handles, const struct block *block)
{
	size_t i;

	for (i = 0; i < handles->numbers.count; i++) {
		bool was_open = i < block->open_count && block->open[i];

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

	if (block->kind != OP_LOOP && block->kind != OP_PARALLEL)
		return block->start + 1 == program->op_count;
	for (i = block->start; i < program->op_count; i++) {
		switch (program->ops[i].kind) {
		case OP_LOOP:
		case OP_ENDLOOP:
		case OP_PARALLEL:
		case OP_ENDPARALLEL:
		case OP_MIX:
		case OP_BRANCH:
		case OP_ENDMIX:
		case OP_EVERY:
		case OP_ENDEVERY:
		case OP_LET:
			break;
		default:
			return false;
		}
	}
	return true;
}

/* Is the innermost block, or one around it, of this kind? */
static bool is_inside(const struct blocks *blocks, enum op_kind kind)
{
	unsigned i;

	for (i = 0; i < blocks->depth; i++)
		if (blocks->list[i].kind == kind)
			return true;
	return false;
}

/* Handle the end of a block of this kind that is not the innermost block. */
static int end_outer(struct blocks *blocks, enum op_kind kind, struct error *error)
{
	enum op_kind inner = blocks_innermost(blocks);
	uint32_t line;

	if (blocks->ignored_ends[kind] > 0) {
		blocks->ignored_ends[kind]--;
		return 0;
	}
	if (!is_inside(blocks, kind)) {
		error_set(error, "this %s has no %s; expected %s on an earlier line",
			  end_verb(kind), op_verb(kind), op_verb(kind));
		return -EINVAL;
	}
	line = blocks_report(blocks);
	while (blocks_innermost(blocks) != kind)
		leave_early(blocks);
	leave(blocks);
	if (line == 0)
		return 0;
	refuse_end(error, end_verb(kind), inner, line);
	return -EINVAL;
}

/* Refuse the end of a block that changes whether a handle is open. */
static void refuse_changed(enum op_kind kind, const struct handle *changed, struct error *error)
{
	const char *block = kind == OP_BRANCH ? "branch" : op_verb(kind);
	const char *reason = "several streams play these lines at once";

	if (kind == OP_BRANCH || kind == OP_EVERY)
		reason = "these lines are not always played";
	error_set(error,
		  changed->open
			  ? "handle %" PRIu32 " is opened in the %s, but not closed; close the "
			    "handle before the end of the %s, because %s"
			  : "handle %" PRIu32 " is closed in the %s, but not opened again; open "
			    "the handle before the end of the %s, because %s",
		  changed->number, block, block, reason);
}

int blocks_end(struct blocks *blocks, enum op_kind kind, struct error *error)
{
	const struct handle *changed = NULL;
	bool empty, reported;
	uint32_t line;

	if (blocks_innermost(blocks) != kind)
		return end_outer(blocks, kind, error);
	line = innermost(blocks)->line;
	reported = innermost(blocks)->reported;
	empty = is_empty(blocks);
	if (keeps_handles(kind))
		changed = changed_handle(blocks->handles, innermost(blocks));
	leave(blocks);
	if (reported || (!empty && changed == NULL))
		return 0;
	if (empty)
		error_set(error,
			  "the %s of line %" PRIu32 " has no %s; expected at least one before %s",
			  op_verb(kind), line, kind == OP_MIX ? "branch" : "operation",
			  end_verb(kind));
	else
		refuse_changed(kind, changed, error);
	return -EINVAL;
}

int blocks_finish(const struct blocks *blocks, struct error *error)
{
	const struct block *block = blocks->list + blocks->depth - 1;

	if (blocks->depth == 0)
		return 0;
	error_set_at(error, blocks->program->source, block->line, 0,
		     "this %s has no %s; expected %s on a later line", op_verb(block->kind),
		     end_verb(block->kind), end_verb(block->kind));
	return -EINVAL;
}

void blocks_free(struct blocks *blocks)
{
	while (blocks->depth > 0)
		free(blocks->list[--blocks->depth].open);
}
