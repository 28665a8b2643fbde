/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The set-up of a program: the ops that are played once, before the start line,
 * and never counted. A load has at most one SETUP block, and before it at most
 * one SETUP shared. Both come before all other operations.
 */
#ifndef PROGRAM_SETUP_H
#define PROGRAM_SETUP_H

#include "program/program.h"

/* Where the set-up is among the ops of a program. All zero: there is none. */
struct setup {
	size_t shared_end; /* SETUP shared is before this op */
	size_t end;        /* SETUP is from shared_end on; the loops begin here */
	bool restore;      /* SETUP restore */
};

/* Find the set-up of a program. */
struct setup setup_find(const struct program *program);

/*
 * Find the handles that the set-up has written and leaves open. Set written[H]
 * for these slots, and clear it for all others.
 */
void setup_find_written(const struct program *program, const struct setup *setup, bool *written);

/*
 * Update written[] by op `at` of the set-up. Call this for each of its ops in order,
 * with *depth and written[] zero at first. In a LOOP or MIX, a file that is written
 * there counts as written from the start to the end, since lines above the write
 * are played after it in the next round. Return true if the op closes a written
 * file.
 */
bool setup_track_written(const struct program *program, size_t at, unsigned *depth, bool *written);

#endif
