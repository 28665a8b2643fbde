/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers that are computed each time an operation is played: offsets, sizes,
 * counts, delays and the values of variables. A formula is a list of steps for
 * a machine with a stack.
 */
#ifndef PROGRAM_FORMULA_H
#define PROGRAM_FORMULA_H

#include "base/error.h"
#include "base/random.h"

#include <stdio.h>

enum {
	FORMULA_STEPS_MAX = 24,
	FORMULA_DEPTH_MAX = 8, /* values on the stack */
};

/* X(action, operands, text). The text is the operator or function as written,
 * or "". */
/* clang-format off */
#define FORMULA_LIST(X) \
	X(NUMBER, 0, "")       /* value */ \
	X(VARIABLE, 0, "")     /* value: its number */ \
	X(BITS, 0, "")         /* 64 random bits: the smb dialect's `*` */ \
	X(PREVIOUS, 0, "")     /* the offset of the previous operation */ \
	X(ADD, 2, "+") \
	X(SUBTRACT, 2, "-")    /* 0 instead of a negative number */ \
	X(MULTIPLY, 2, "*") \
	X(DIVIDE, 2, "/") \
	X(REMAINDER, 2, "%") \
	X(ALIGN, 2, "")        /* down to a multiple: the smb dialect's `/` */ \
	X(MIN, 2, "min") \
	X(MAX, 2, "max") \
	X(RANDOM, 3, "random") /* low, high, step: low, low + step ... so that \
				* a step from there ends at most at high */ \
	X(EXPONENTIAL, 1, "exp") /* the mean */ \
	X(ZIPF, 0, "zipf")     /* value: number of the distribution */ \
	X(SHUFFLE, 0, "shuffle") /* value: number of the shuffle */
/* clang-format on */

/* clang-format off */
enum formula_action {
#define X(action, operands, text) FORMULA_##action,
	FORMULA_LIST(X)
#undef X
	FORMULA_ACTIONS
};
/* clang-format on */

/* The lowest and highest values that a number may have, and about its mean. */
struct formula_range {
	uint64_t min, max;
	double mean;
};

/* Return the range of a number that does not vary. */
static inline struct formula_range formula_fixed(uint64_t number)
{
	return (struct formula_range){number, number, (double)number};
}

struct formula {
	struct formula_range range;
	uint64_t count;
	struct formula_step {
		uint64_t action; /* enum formula_action */
		uint64_t value;
	} steps[FORMULA_STEPS_MAX];
};

/* All that a formula depends on while one user plays. */
struct formula_inputs {
	struct random random;
	uint64_t *variables;
	const struct zipf *zipfs;
	struct shuffle *shuffles;
	uint64_t previous; /* offset of the last read, write or lock */
};

/* Append a step. Return 0, or -E2BIG if the formula would be too long. */
int formula_append(struct formula *formula, enum formula_action action, uint64_t value);

/* Return the number of values that an action takes from the stack. */
unsigned formula_operands(enum formula_action action);

/* Return the operator or the function's name, or "". */
const char *formula_text(enum formula_action action);

/* Compute a formula. Its range must be valid, or it must have no divisor that
 * can be 0. */
uint64_t formula_compute(const struct formula *formula, struct formula_inputs *inputs);

/* The ranges of all that a formula depends on. */
struct formula_bounds {
	const struct formula_range *variables;
	const struct zipf *zipfs;
	const struct shuffle *shuffles;
};

/*
 * Compute formula->range. Operands that depend on each other are taken as
 * independent, so the range may be wider than the values. The mean is computed
 * from those of the operands and not rounded, so it is an estimate. Return 0,
 * or -E2BIG or -EINVAL with `error` set without a line. -E2BIG: the stack is too
 * small; -EINVAL: a divisor or step may be 0, a random number has no choice, or the result may need more
 * than 64 bits.
 */
int formula_find_range(struct formula *formula, const struct formula_bounds *bounds,
		       struct error *error);

#endif
