/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parse the expressions of the native dialect, such as "$i*64Ki" or
 * "random(0,1Gi,4Ki)". throng-loadfile(5), "Expressions", describes them.
 *
 *   sum     = product { ("+" | "-") product }
 *   product = factor { ("*" | "/" | "%") factor }
 *   factor  = number [unit] | "$" name | "${" name "}" | "(" sum ")" | call
 *   call    = "random(" sum "," sum [ "," sum ] ")" | "exp(" sum ")"
 *           | "min(" sum "," sum ")" | "max(" sum "," sum ")"
 *           | "zipf(" sum "," decimal ")" | "shuffle(" sum ")"
 */
#ifndef COMPILE_EXPRESSION_H
#define COMPILE_EXPRESSION_H

#include "compile/builder.h"

/*
 * Parse a text as a whole, with the variables that are visible in the builder.
 * An expression without variables and draws becomes a single number. Return 0,
 * or -EINVAL with `error` set, but without a line, or -ENOMEM.
 */
int expression_parse(struct builder *builder, const char *text, struct formula *formula,
		     struct error *error);

/* Is the formula a single number? If so, set *number to it. */
bool expression_constant(const struct formula *formula, uint64_t *number);

#endif
