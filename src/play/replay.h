/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One user's replay: the loop over the program. It handles control lines and
 * time stamps, calls a player for each operation, checks its outcome and
 * records the statistics.
 */
#ifndef PLAY_REPLAY_H
#define PLAY_REPLAY_H

#include "play/replay_state.h"

/* Check if `rc` means that the target no longer answers. If so, note this in
 * shared memory for the parent. */
bool replay_is_lost(struct replay *replay, int rc);

/* Report to the parent that user `number` cannot do something with `path`,
 * which ends the run. Return `rc`, the -errno. */
int replay_fail(struct replay *replay, unsigned number, const char *doing, const char *path,
		int rc);

/*
 * Play the ops from `first` to `end` - 1, where neither position is inside a
 * LOOP. Return false when the user must leave: the measured time is over, the
 * run is being stopped, or there were more mismatches than allowed.
 */
bool replay_span(struct replay *replay, size_t first, size_t end);

/* Let the backend convert the paths to its own form. Return 0 or -errno. */
int replay_make_paths(struct replay *replay);

/* Note progress without the end of an operation, which watchdogs look for, and
 * look at the clock. Return false if the user must leave. */
bool replay_progress(struct replay *replay);

/* Note that the operation of the replay `context` waits for another user. Return
 * false if its user must leave. This is a backend_wait. */
bool replay_wait(void *context);

/* Report to the recorder of the replay `context` the operations that were due
 * but had not ended at `end_ns`, when measuring ended. */
void replay_report_unfinished(void *context, uint64_t end_ns);

#endif
