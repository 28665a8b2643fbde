/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parse the words of a line as the arguments of an operation. A shape lists the
 * arguments by the letters of program/op.h and by these:
 *   x     a number that is ignored, such as an information level
 *   a, b  numbers that the dialect interprets
 */
#ifndef LOAD_ARGUMENTS_H
#define LOAD_ARGUMENTS_H

#include "load/reader.h"
#include "program/builder.h"

/* Arguments that the dialect interprets: letters a and b. */
struct arguments {
	uint64_t a, b;
};

/*
 * Parse words `first` to `first + strlen(shape) - 1` of the line into `op` and
 * `arguments`. Return 0, or -EINVAL with `error` set, or -ENOMEM. The error
 * includes the line, the column and the argument that was expected there.
 */
int arguments_read(struct builder *builder, const struct line *line,
		   unsigned first, const char *shape, struct op *op,
		   struct arguments *arguments, struct error *error);

/*
 * Check that the outcome comes directly after the arguments. The operation
 * `name` is word `first` of the line and takes `count` arguments. Return 0, or
 * -EINVAL with `error` set.
 */
int arguments_end(const struct line *line, unsigned first, size_t count,
		  const char *name, struct error *error);

/* Parse a number from `min` to `max`: decimal, hex with 0x or octal with 0.
 * Return 0, or -EINVAL with `error` set. */
int arguments_number(const struct line *line, unsigned word, uint64_t min,
		     uint64_t max, uint64_t *number, struct error *error);

#endif
