/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The message about a failed operation: the user, the line of the loadfile, the
 * operation, its outcome, and the outcome that the load expects, which in
 * dialects other than the native one was recorded.
 */
#ifndef RUN_FAILURE_H
#define RUN_FAILURE_H

#include "measure/stats.h"
#include "program/program.h"

enum { FAILURE_TEXT = 1280 };

/* Write the message into `text` and return it. `empty`: the run began with an
 * empty directory. */
char *failure_describe(const struct program *program, const struct stats_failure *failure,
		       bool empty, char text[FAILURE_TEXT]);

#endif
