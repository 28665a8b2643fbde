/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check what operations do to the directories of the run, by the rules of
 * throng-loadfile(5), "Paths".
 */
#ifndef PROGRAM_PATH_POLICY_H
#define PROGRAM_PATH_POLICY_H

#include "program/tables.h"

/*
 * Refuse an operation that would harm files of the run, and note the shared
 * paths that it changes. Returns 0, or -EINVAL with `error` set, or -ENOMEM.
 */
int path_policy_check(struct tables *tables, const struct op *op,
		      struct error *error);

#endif
