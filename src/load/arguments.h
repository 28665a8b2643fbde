/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a line as the arguments of an operation, driven by the letters
 * of program/op.h and these besides, which other dialects need:
 *   x a number that is not used (a level, attributes)
 *   a first number for the dialect itself, b a second one
 */
#ifndef LOAD_ARGUMENTS_H
#define LOAD_ARGUMENTS_H

#include "load/reader.h"
#include "program/builder.h"

/* Numbers that only the dialect understands: letters a and b. */
struct arguments {
	uint64_t a, b;
};

/*
 * Reads words `first` to `first + strlen(shape) - 1` of the line into `op`
 * and `arguments`. Returns 0, or -EINVAL with `error` set to the place and to
 * what was expected there, or -ENOMEM.
 */
int arguments_read(struct builder *builder, const struct line *line,
		   unsigned first, const char *shape, struct op *op,
		   struct arguments *arguments, struct error *error);

/*
 * Refuses what stands between `count` arguments of the operation `name`, word
 * `first`, and the outcome. Returns 0, or -EINVAL with `error` set.
 */
int arguments_end(const struct line *line, unsigned first, size_t count,
		  const char *name, struct error *error);

/* A number from `min` to `max`, decimal, 0x hex or 0 octal. */
int arguments_number(const struct line *line, unsigned word, uint64_t min,
		     uint64_t max, uint64_t *number, struct error *error);

#endif
