/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of the native dialect for variants of operations: arguments that
 * are neither numbers nor paths, and optional words between the arguments and
 * the outcome. Both are parsed and printed here.
 */
#ifndef PROGRAM_MODES_H
#define PROGRAM_MODES_H

#include "program/op.h"

#include <stdio.h>

/* Parse the argument with this letter (r, A, M, u or g) into `op`. Return 0 or
 * -EINVAL. */
int modes_parse(char letter, const char *text, struct op *op);

/* Print a blank and the argument with this letter. */
void modes_print(char letter, const struct op *op, FILE *stream);

/* Return a description of the argument, for messages: "expected ...". */
const char *modes_expected(char letter);

/* If `op` takes the optional word `text`, set its bit in op.mode and return
 * true. */
bool modes_parse_optional(const char *text, struct op *op);

/* Write the optional words of an operation, each with a comma and a blank after
 * it, for messages: "shared, try, ". Return `text`. */
enum { MODES_TEXT = 64 };
char *modes_optional_words(enum op_kind kind, char text[MODES_TEXT]);

/* Print a blank and the word for each optional word of the operation. */
void modes_print_optional(const struct op *op, FILE *stream);

#endif
