/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parse the words of a line as the arguments of an operation. A shape lists the
 * arguments by the letters of program/op.h, and by a, b and x: numbers that the
 * dialect interprets.
 */
#ifndef LOAD_ARGUMENTS_H
#define LOAD_ARGUMENTS_H

#include "compile/builder.h"
#include "load/reader.h"

struct arguments {
	uint64_t a, b, x; /* for the dialect */
	/* Read arguments as the native dialect has them: expressions, `next`,
	 * variables in paths, and counts that may be left out. */
	bool native;
	unsigned end; /* set to the word after the arguments */
};

/*
 * Parse the words of the line from `first` on, one per letter of the shape,
 * into `op` and `arguments`. Return 0, or -EINVAL with `error` set, or -ENOMEM.
 * The error includes the line, the column and the argument that was expected
 * there.
 */
int arguments_read(struct builder *builder, const struct line *line, unsigned first,
		   const char *shape, struct op *op, struct arguments *arguments,
		   struct error *error);

/*
 * Check that the outcome comes directly after the arguments. The operation
 * `name` is word `first` of the line and takes `count` arguments. Return 0, or
 * -EINVAL with `error` set.
 */
int arguments_end(const struct line *line, unsigned first, size_t count, const char *name,
		  struct error *error);

#endif
