/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The variables of a load that is being compiled: `user`, `users` and `loop`,
 * the counters of loops, and the variables of LET. Each name has one variable
 * for the whole load, but it can be used only inside the block of lines that
 * declares it.
 */
#ifndef COMPILE_VARIABLES_H
#define COMPILE_VARIABLES_H

#include "base/error.h"
#include "program/program.h"

struct variables {
	struct program *program;
	/* By variable number. */
	struct {
		unsigned depth; /* number of blocks around the declaration */
		bool visible;
		/* Range of the visible declaration. The range in the program
		 * covers all declarations of this name. */
		struct formula_range range;
		uint32_t line; /* of that declaration; 0: it has none */
	} states[PROGRAM_VARIABLES_MAX];
};

/* Declare `user`, `users` and `loop`. Return 0 or -ENOMEM. */
int variables_open(struct variables *variables, struct program *program);

/* Return the number of the visible variable with this name, or -ENOENT. */
int variables_find(const struct variables *variables, const char *name, size_t length);

/*
 * Return the number of a variable, after declaring it in a line of a block with
 * `depth` blocks around it; or -EINVAL with `error` set, or -ENOMEM. `counter`: refuse
 * a name that is visible; otherwise a variable of an outer block keeps its
 * range, which must cover the new one.
 */
int variables_declare(struct variables *variables, const char *name,
		      const struct formula_range *range, unsigned depth, bool counter,
		      uint32_t line, struct error *error);

/* Hide the variables that were declared in blocks deeper than `depth`. */
void variables_leave(struct variables *variables, unsigned depth);

/* Hide all variables of LET: the lines that follow belong to another stream,
 * which has variables of its own. */
void variables_hide(struct variables *variables);

/* Is this a name: a letter or underscore, then also digits? */
bool variables_is_name(const char *text, size_t length);

/* Return the length of the name at the start of the text, or 0. */
size_t variables_name_length(const char *text);

/* Append to an error about a formula the ranges of its variables, and the lines
 * that declare them. */
void variables_explain(const struct variables *variables, const struct formula *formula,
		       struct error *error);

/* Compute a formula's range from the ranges of the visible declarations.
 * Return the same as formula_find_range(). */
int variables_find_range(const struct variables *variables, struct formula *formula,
			 struct error *error);

#endif
