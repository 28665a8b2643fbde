/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The phases of a program (PHASE), as they are added to it.
 */
#ifndef COMPILE_PHASE_H
#define COMPILE_PHASE_H

#include "base/error.h"
#include "program/program.h"

/*
 * Append the phase that a PHASE op begins, and set op->number to its index. The
 * name is the op's text, and the items are the text op->expect. `plays`: has the
 * phase before it, if any, an operation? Return 0, or -EINVAL with `error` set, or
 * -ENOMEM.
 */
int phase_add(struct program *program, struct op *op, bool plays, struct error *error);

/*
 * Find out which labels are the items of each phase of the whole program. Return
 * 0, or -EINVAL with `error` set if an item is not an operation of its phase.
 */
int phase_find_items(struct program *program, struct error *error);

/* Return the last phase so far, or NULL if the program has none. */
static inline const struct program_phase *phase_last(const struct program *program)
{
	return program->phase_count > 0 ? &program->phases[program->phase_count - 1] : NULL;
}

#endif
