/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The flags that a loadfile may set, by operation.
 */
#ifndef COMPILE_FLAGS_H
#define COMPILE_FLAGS_H

#include "base/error.h"
#include "program/op.h"

/* Refuse a flag of program_flag_words that the operation does not take. Return
 * 0, or -EINVAL with `error` set. */
int flags_check(const struct op *op, struct error *error);

#endif
