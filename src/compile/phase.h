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
 * name is the op's text. `plays`: has the phase before it, if any, an
 * operation? Return 0, or -EINVAL with `error` set, or -ENOMEM.
 */
int phase_add(struct program *program, struct op *op, bool plays, struct error *error);

/* Return the last phase so far, or NULL if the program has none. */
static inline const struct program_phase *phase_last(const struct program *program)
{
	return program->phase_count > 0 ? &program->phases[program->phase_count - 1] : NULL;
}

#endif
