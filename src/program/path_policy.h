/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an operation may do where its paths lie: the rules of
 * throng-loadfile(5), "Paths", on the directories of the run.
 */
#ifndef PROGRAM_PATH_POLICY_H
#define PROGRAM_PATH_POLICY_H

#include "program/tables.h"

/*
 * Refuses an operation that would harm what belongs to the run, and notes
 * which of the shared paths it changes. Returns 0, or -EINVAL with `error`
 * set, or -ENOMEM.
 */
int path_policy_check(struct tables *tables, const struct op *op,
		      struct error *error);

#endif
