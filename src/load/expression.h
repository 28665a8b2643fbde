/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parse expressions such as "$size/$bs" or "random(0,$size,4Ki)".
 *
 *   sum      = product { ("+" | "-") product }
 *   product  = factor { ("*" | "/" | "%") factor }
 *   factor   = number [unit] | "$" name | "(" sum ")" | call
 *   call     = "random(" sum "," sum [ "," sum ] ")"
 *            | "zipf(" sum "," decimal ")" | "shuffle(" sum ")"
 */
#ifndef LOAD_EXPRESSION_H
#define LOAD_EXPRESSION_H

#include "program/formula.h"

/* The names and distributions that expressions can refer to. */
struct expression_context {
	void *context;
	/*
	 * Add the value of `$name` to the formula. Returns 0, or -EINVAL with
	 * `error` set without a place.
	 */
	int (*name)(void *context, const char *name,
		    struct formula_step *step, struct error *error);
	/* Get the number of a distribution of the program, adding it if it is
	 * new. Returns as above, or -ENOMEM. */
	int (*zipf)(void *context, uint64_t count, double exponent,
		    uint64_t *number, struct error *error);
	int (*shuffle)(void *context, uint64_t count, uint64_t *number,
		       struct error *error);
	struct formula_bounds bounds;
};

/*
 * Parse a text as a whole. A formula without variables and draws becomes one
 * number. Returns 0; or -EINVAL with `error` set without a place, and
 * *column set to the byte of the text, from 0, that is wrong; or -ENOMEM.
 */
int expression_parse(const char *text,
		     const struct expression_context *context,
		     struct formula *formula, size_t *column,
		     struct error *error);

#endif
