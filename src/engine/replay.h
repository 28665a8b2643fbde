/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One user's replay: the loop over the program. Control lines and time stamps
 * are dealt with here; a player plays the operations; their outcomes are
 * tested, and the statistics recorded.
 */
#ifndef ENGINE_REPLAY_H
#define ENGINE_REPLAY_H

#include "engine/replay_state.h"

/* Return whether `rc` means a lost target, and note that for the parent. */
bool replay_is_lost(struct replay *replay, int rc);

/*
 * Play the ops from `first` to `end` - 1, neither of them inside a loop.
 * Return false when the user has to leave: the measured time is over, the
 * run is being stopped, or a mismatch was one too many.
 */
bool replay_span(struct replay *replay, size_t first, size_t end);

#endif
