/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The blocks of a program that is being built: LOOP, MIX, the branches of a MIX,
 * EVERY and PARALLEL. Blocks nest; a set-up and a phase are outside all of them, and
 * so is a PARALLEL.
 *
 * Functions return 0, or -EINVAL with `error` set, or -ENOMEM. The error has no
 * line number, except after blocks_finish().
 */
#ifndef COMPILE_BLOCKS_H
#define COMPILE_BLOCKS_H

#include "base/error.h"
#include "compile/handles.h"
#include "compile/variables.h"
#include "program/program.h"

/* A LOOP, a MIX, one branch of a MIX, an EVERY or a PARALLEL. */
struct block {
	enum op_kind kind;
	uint32_t line;
	/* An error about it has been reported, so that it causes no more. */
	bool reported;
	size_t start;     /* index of its first op */
	uint64_t weights; /* MIX: sum of the branches so far */
	/* BRANCH, EVERY, PARALLEL: was the handle open at the start? By index in the
	 * handles; allocated. */
	bool *open;
	size_t open_count;
};

struct blocks {
	const struct program *program;
	struct handles *handles;
	struct variables *variables;
	struct block list[2 * PROGRAM_LOOP_DEPTH]; /* not ended yet */
	unsigned depth;                            /* number of blocks */
	bool in_setup; /* they are in a set-up, whose variables end with it */
	/* By kind of block: number of ends to ignore, as their blocks have been
	 * ended, or not begun, after an error. */
	unsigned ignored_ends[OP_KINDS];
};

/* Return the depth of a variable that is declared in the innermost block
 * (variables.h). */
static inline unsigned blocks_variable_depth(const struct blocks *blocks)
{
	return blocks->depth + blocks->in_setup;
}

/* Return the kind of the innermost block, or OP_KINDS outside all blocks. */
enum op_kind blocks_innermost(const struct blocks *blocks);

/* Return the PARALLEL around what is added next, or NULL. */
const struct block *blocks_parallel(const struct blocks *blocks);

/* Refuse an op that may not be in the innermost block. */
int blocks_check(struct blocks *blocks, enum op_kind kind, struct error *error);

/*
 * Refuse an op, PHASE or ENDSETUP, before which all blocks must have ended. End
 * those that have not, so that later lines cause no errors.
 */
int blocks_check_ended(struct blocks *blocks, enum op_kind kind, struct error *error);

/* Check that no more than `depth` blocks are open before a line `verb`. End
 * those that are, so that later lines cause no errors. */
int blocks_check_depth(struct blocks *blocks, unsigned depth, const char *verb,
		       struct error *error);

/* Report an error about the innermost block, unless one has been reported.
 * Return the line of the block, or 0 if there is nothing to report. */
uint32_t blocks_report(struct blocks *blocks);

/* Begin a block with the op that is about to be added: LOOP, MIX, EVERY, PARALLEL, or
 * the BRANCH that begins a branch. */
int blocks_begin(struct blocks *blocks, const struct op *op, struct error *error);

/* Begin a block whose op is refused, so that later lines cause no errors. Then
 * the program cannot be finished. */
void blocks_begin_refused(struct blocks *blocks, enum op_kind kind, uint32_t line);

/*
 * End the innermost block, which must be of this kind and have an op; a LOOP,
 * one that is not just a block or a LET. Refuse a branch, an EVERY or a PARALLEL that
 * has opened or closed a handle and left it so. The block, and any block in it that has not
 * ended, ends even if it is refused, so that later lines cause no errors.
 */
int blocks_end(struct blocks *blocks, enum op_kind kind, struct error *error);

/* Check that all blocks have ended. The error includes the line. */
int blocks_finish(const struct blocks *blocks, struct error *error);

void blocks_free(struct blocks *blocks);

#endif
