/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The footprint of a program: the bytes in one user's files while it is played.
 * The estimate walks through each loop once, and assumes that a file grows in
 * every round as much as in the first.
 */
#ifndef PROGRAM_FOOTPRINT_H
#define PROGRAM_FOOTPRINT_H

#include "program/program.h"

/*
 * Walk through the program up to the op after which the files first have `goal`
 * bytes, or to the end if `goal` is 0. Set *reached to the index of that op and
 * *peak to the max number of bytes up to there. Return 0 or -ENOMEM.
 */
int footprint_walk(const struct program *program, uint64_t goal,
		   uint64_t *peak, size_t *reached);

#endif
