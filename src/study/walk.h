/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walk through a program without playing it: a cursor that visits each op once,
 * in the order in which they are listed, and knows how often it is played, if it
 * is in the set-up, and which open file it uses.
 *
 *	if (walk_begin(&walk, program) < 0)
 *		return -ENOMEM;
 *	while (walk_next(&walk))
 *		...
 *	walk_end(&walk);
 */
#ifndef STUDY_WALK_H
#define STUDY_WALK_H

#include "program/program.h"

/*
 * Where the set-up is among the ops of a program: the ops that are played once,
 * before the start line, and never counted. A load has at most one SETUP block,
 * and before it at most one SETUP shared. Both come before all other operations.
 * All zero: there is none.
 */
struct setup {
	size_t shared_end; /* SETUP shared is before this op */
	size_t end;        /* SETUP is from shared_end on; the loops begin here */
	bool restore;      /* SETUP restore */
};

/* A handle slot. */
struct walk_file {
	const struct op *open; /* the OPEN that last used it; NULL: none yet */
	uint64_t mark;         /* the reader's; 0 at first */
};

struct walk {
	const struct program *program;
	struct setup setup;
	struct walk_file *files; /* by handle slot */

	/* The current op, and its index. The reader may change the op. */
	const struct op *op;
	size_t at;
	/*
	 * How often it is played in one loop of the load; for a LOOP or MIX, how
	 * often its rounds are; for an EVERY, how often its block is. If a
	 * number of rounds varies, a branch of a MIX is drawn, or the op is in
	 * an EVERY, this is the mean. It is that of the first loop of a
	 * single user: $user and $loop are 0 and $users is 1.
	 */
	double times;
	bool possible;  /* it may be played at all, even if the mean is 0 */
	bool in_setup;  /* it is in the set-up, with SETUP and ENDSETUP */
	bool ok;        /* it is not a control op, and may succeed */
	unsigned depth; /* blocks around it; a LOOP, MIX or EVERY is in itself */
	/* The files of its handles, or NULL. An OPEN is in its own file. */
	struct walk_file *file, *file2;

	/* Private: `times` and `possible` by depth, and `times` of a branch of
	 * weight 1. */
	double blocks[PROGRAM_LOOP_DEPTH + 1], by_weight[PROGRAM_LOOP_DEPTH + 1];
	bool blocks_possible[PROGRAM_LOOP_DEPTH + 1];
};

/* Start before the first op. Return 0 or -ENOMEM. Call walk_end() in both
 * cases. */
int walk_begin(struct walk *walk, const struct program *program);

/* Advance to the next op. Return false if there is none. */
bool walk_next(struct walk *walk);

/* Leave out the ops in the current LOOP, MIX or EVERY: the next op is the one after it. */
void walk_leave(struct walk *walk);

void walk_end(struct walk *walk);

/* Return the path of the current op's file, or its first path, or OP_NONE. */
static inline uint32_t walk_path(const struct walk *walk)
{
	if (walk->file == NULL)
		return walk->op->path;
	return walk->file->open != NULL ? walk->file->open->path : OP_NONE;
}

/*
 * Mark the files that the set-up has written. Call this for each of its ops.
 * In such a block, a file that is written there is marked from the start to the
 * end, since lines above the write are played after it in the next round.
 * Return true if the op closes a written file.
 */
bool walk_mark_written(struct walk *walk);

#endif
