/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read the words of a line as the arguments of an operation, as given by the
 * letters of program/op.h, and by these, which other dialects need:
 *   x a number that is ignored (a level, attributes)
 *   a, b numbers for the dialect itself
 */
#ifndef LOAD_ARGUMENTS_H
#define LOAD_ARGUMENTS_H

#include "load/reader.h"
#include "program/builder.h"

/* Numbers for the dialect itself: letters a and b. */
struct arguments {
	uint64_t a, b;
};

/*
 * Read words `first` to `first + strlen(shape) - 1` of the line into `op` and
 * `arguments`. Returns 0, or -EINVAL with `error` set to the place and to what
 * was expected there, or -ENOMEM.
 */
int arguments_read(struct builder *builder, const struct line *line,
		   unsigned first, const char *shape, struct op *op,
		   struct arguments *arguments, struct error *error);

/*
 * Refuse words between the `count` arguments of the operation `name`, which is
 * word `first`, and the outcome. Returns 0, or -EINVAL with `error` set.
 */
int arguments_end(const struct line *line, unsigned first, size_t count,
		  const char *name, struct error *error);

/* Read a number from `min` to `max`: decimal, hex with 0x or octal with 0. */
int arguments_number(const struct line *line, unsigned word, uint64_t min,
		     uint64_t max, uint64_t *number, struct error *error);

#endif
