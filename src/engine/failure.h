/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A failed operation in words: who, where in the loadfile, what, and what
 * was expected.
 */
#ifndef ENGINE_FAILURE_H
#define ENGINE_FAILURE_H

#include "engine/stats.h"
#include "program/program.h"

enum { FAILURE_TEXT = 1152 };

/* Writes the sentence into `text` and returns it. */
char *failure_describe(const struct program *program,
		       const struct stats_failure *failure,
		       char text[FAILURE_TEXT]);

#endif
