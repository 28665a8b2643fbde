/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimate the bytes in a user's files while a program is played once. A loop
 * is walked once; each of its rounds is assumed to add to a file what the first
 * one adds.
 */
#ifndef PROGRAM_FOOTPRINT_H
#define PROGRAM_FOOTPRINT_H

#include "program/program.h"

/*
 * Walk through the program to the op at which the files first hold `goal`
 * bytes; 0: to the end. *reached is set to the number of that op, *peak to the
 * max bytes that the files held until then. Returns 0 or -ENOMEM.
 */
int footprint_walk(const struct program *program, uint64_t goal,
		   uint64_t *peak, size_t *reached);

#endif
