/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SETUP restore: between loops, put back what a loop has changed in the user's
 * directory, and only that. While the load is played, it is noted which names
 * the loop creates, changes, renames or removes (changes.h). After a loop, each
 * of them is compared with the state that the set-up left: names, types and
 * sizes, but not contents, permissions or times. Extended attributes are set as
 * the set-up has set them.
 */
#ifndef PLAY_RESTORE_H
#define PLAY_RESTORE_H

#include "play/replay_state.h"

/* Set aside memory, before the set-up is played. Return 0 and set
 * replay->restore, or -ENOMEM. */
int restore_open(struct replay *replay);

/* Let several lanes of the user note changes at the same time (lanes.h). */
void restore_share(struct replay *replay);

/* Take a snapshot, after the set-up has been played, which ends before op
 * `setup_end`. Return 0 or -errno. */
int restore_begin(struct replay *replay, size_t setup_end);

/* Note what an operation has changed. `returned` is its result: >= 0 or -errno.
 * Call this at the end of each operation that is not a control line. The next
 * operation begins later by the time that this takes, which is added to
 * own->restore_ns. */
void restore_note(struct replay *replay, const struct op *op, int64_t returned);

/*
 * Put back what has changed since the last call. Add the part of the time that
 * is in the measured window to own->restore_ns. Return 0 or -errno; after a
 * failure, restore_path() is the path. Stop early if the user must leave.
 */
int restore_loop(struct replay *replay);
const char *restore_path(const struct replay *replay);

/* Free the memory, if any. */
void restore_close(struct replay *replay);

#endif
