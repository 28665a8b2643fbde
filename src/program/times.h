/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compute how often each operation of a program is played in one loop of the
 * load. If a number of rounds varies, or a branch of a MIX is drawn, this is
 * the mean. It is that of the first loop of a single user: $user and $loop are
 * 0 and $users is 1.
 */
#ifndef PROGRAM_TIMES_H
#define PROGRAM_TIMES_H

#include "program/program.h"

struct times {
	/* By the number of LOOPs and MIXes around the op: how often it is
	 * played, and if it may be played at all. */
	double blocks[PROGRAM_LOOP_DEPTH + 1];
	bool possible[PROGRAM_LOOP_DEPTH + 1];
	unsigned depth;
	/* MIX: how often an op is played in a branch of weight 1. */
	double by_weight[PROGRAM_LOOP_DEPTH + 1];
};

/* Return the state before the first operation. */
struct times times_start(void);

/*
 * Advance past the next operation. Return how often it is played; for a LOOP or
 * MIX, how often its rounds are.
 */
double times_next(struct times *times, const struct program *program, const struct op *op);

/* May the operation that times_next() has advanced past be played at all? It
 * may be, even if the mean is 0. */
static inline bool times_possible(const struct times *times)
{
	return times->possible[times->depth];
}

/* Return the number of rounds of a LOOP or MIX. */
struct formula_range times_rounds(const struct program *program, const struct op *op);

#endif
