/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check the streams of a program that is being built: STREAM and AFTER lines, and
 * lines that a load with streams cannot have.
 */
#ifndef COMPILE_STREAM_H
#define COMPILE_STREAM_H

#include "base/error.h"
#include "program/program.h"

/* An all-zero struct has no streams. */
struct stream_lines {
	unsigned current;
	/* Verb of the last line that does not say which stream it is for, or
	 * NULL. */
	const char *streamless;
};

/* Check a control line, and add a stream to program->streams if it begins one.
 * Return 0, or -EINVAL with `error` set. */
int stream_check(struct stream_lines *streams, struct program *program, const struct op *op,
		 struct error *error);

#endif
