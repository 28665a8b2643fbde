/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cold caches (--cold): write the load's files to disk and drop them from the
 * page cache, so that the first reads of the measurement come from the disk.
 * Each user calls this in its own process, while no operation is measured.
 */
#ifndef PLAY_COLD_H
#define PLAY_COLD_H

#include "base/error.h"
#include "play/plan.h"
#include "play/replay_state.h"

/*
 * Check that the page cache of a target's files can be dropped. The target must
 * have been probed. Return 0, or -EOPNOTSUPP with an `error` that says why it
 * cannot be done.
 */
int cold_check(const struct workers_target *on, struct error *error);

/*
 * Check that a load with computed names may drop all files of the directory in
 * which it plays: it holds only what the run makes. The target must have been
 * claimed. Return 0, or -EINVAL with `error` set.
 */
int cold_check_directory(const struct workers_plan *plan, const struct workers_target *on,
			 struct error *error);

/* Drop the files below the user's own directory. Return 0 or -errno: -EBUSY if
 * something else keeps a file in the page cache. */
int cold_drop_own(struct replay *replay);

/* Check if there are names outside the users' directories. */
bool cold_has_shared(const struct shared *shared);

/* Drop the files outside the users' directories, or all files if a name is
 * computed. No user may use them meanwhile. Return as cold_drop_own does. */
int cold_drop_shared(struct replay *replay, const struct shared *shared);

#endif
