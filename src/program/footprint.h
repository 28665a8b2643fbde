/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a user's files hold while a program is played once. A loop is walked
 * through once, and what its first round adds to a file is taken for all of
 * them.
 */
#ifndef PROGRAM_FOOTPRINT_H
#define PROGRAM_FOOTPRINT_H

#include "program/program.h"

/*
 * Walks through the program: finds the most that the files hold at a time, in
 * bytes, up to the op that first reaches `goal` bytes; 0: to the end. `reached`
 * gets the number of that op. Returns 0 or -ENOMEM.
 */
int footprint_walk(const struct program *program, uint64_t goal,
		   uint64_t *peak, size_t *reached);

#endif
