/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Protect the directories that the run needs from the load's operations, by the
 * rules of throng-loadfile(5), "Paths".
 */
#ifndef COMPILE_PATH_POLICY_H
#define COMPILE_PATH_POLICY_H

#include "compile/tables.h"

/*
 * Refuse an operation that would harm a directory that the run needs. Return 0,
 * or -EINVAL with `error` set.
 */
int path_policy_check(const struct tables *tables, const struct op *op, struct error *error);

#endif
