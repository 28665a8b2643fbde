/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explain why `throng compare` has refused two results.
 */
#ifndef CLI_MEASURE_COMPARE_EXPLAIN_H
#define CLI_MEASURE_COMPARE_EXPLAIN_H

#include "base/error.h"
#include "result/result.h"

/*
 * Results with different options cannot be compared, but results of different
 * targets can. If the option `name`, which differs, can be a part of a URL, add
 * to `error` how to compare the two URLs. `name` is NULL if no option differs.
 */
void compare_explain(const struct result_run *base, const struct result_run *new, const char *name,
		     struct error *error);

#endif
