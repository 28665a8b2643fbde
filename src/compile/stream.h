/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check the streams of a program that is being built: STREAM and AFTER lines, the
 * blocks of PARALLEL, and lines that a load with streams cannot have.
 */
#ifndef COMPILE_STREAM_H
#define COMPILE_STREAM_H

#include "base/error.h"
#include "compile/blocks.h"
#include "program/program.h"

/* An all-zero struct has no streams. */
struct stream_lines {
	unsigned current;
	/* Verb of the last line that does not say which stream it is for, or
	 * NULL. */
	const char *streamless;
};

/* Check a control line, and note in the program what streams it begins. Return 0, or
 * -EINVAL with `error` set. */
int stream_check(struct stream_lines *streams, struct program *program, const struct op *op,
		 struct error *error);

/*
 * Check an operation whose op.handle still is a number of the loadfile. In a PARALLEL,
 * it must not open or close a handle that is open outside, use the position of such a
 * handle, or change a name that all streams of the PARALLEL have. Return 0, or -EINVAL
 * with `error` set.
 */
int stream_check_played(const struct blocks *blocks, const struct op *op, struct error *error);

#endif
