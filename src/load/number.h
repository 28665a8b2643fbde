/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parse numbers and expressions in the words of a line. Functions return 0, or
 * -EINVAL with `error` set, or -ENOMEM. The error includes the line and the
 * column.
 */
#ifndef LOAD_NUMBER_H
#define LOAD_NUMBER_H

#include "compile/builder.h"
#include "load/reader.h"

/* A word of a line. */
struct operand {
	struct builder *builder; /* has the variables of expressions */
	const struct line *line;
	unsigned word;
	/* The word is of the native dialect, which has expressions
	 * (compile/expression.h). */
	bool native;
	struct error *error;
};

/* Return the text of the word. */
static inline const char *operand_text(struct operand operand)
{
	return operand.line->words[operand.word].text;
}

/* Report an error about the word, in the words of printf(). Return -EINVAL. */
#define operand_error(operand, ...) \
	line_error((operand).line, (operand).word, (operand).error, __VA_ARGS__)

/* If `rc` is an error, report the reason as one about the word. Return `rc`. */
static inline int operand_report(struct operand operand, int rc, const struct error *reason)
{
	if (rc < 0)
		operand_error(operand, "%s", reason->text);
	return rc;
}

/* Parse a number from `min` to `max`: decimal, hex with 0x or octal with 0. */
int number_plain(struct operand operand, uint64_t min, uint64_t max, uint64_t *number);

/* Parse a number or, in the native dialect, an expression whose value is
 * constant. */
int number_constant(struct operand operand, uint64_t min, uint64_t max, uint64_t *number);

/*
 * Parse a number or, in the native dialect, an expression. Set *value to the
 * value. If it varies, set *value to the number of the formula, and `flag` in
 * the operation.
 */
int number_varying(struct operand operand, uint64_t min, uint64_t max, enum op_flag flag,
		   struct op *op, uint64_t *value);

/*
 * Parse an offset such as "*%m/a+b", "+n", "+child" or "+num_children", which
 * dbench's smb dialect has: a random number or the offset of the operation
 * before, and terms that are applied from left to right.
 */
int number_terms(struct operand operand, struct op *op);

#endif
