/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Play the operations that are one call of a slot with the operation's own
 * arguments.
 */
#ifndef PLAY_CALLS_H
#define PLAY_CALLS_H

#include "play/replay_state.h"

/*
 * Play an operation. `handle`: the backend's handle for op.handle. Return what
 * the slot returns: a value >= 0, or -errno. -ENOSYS: not such an operation.
 */
int64_t calls_play(struct replay *r, const struct op *op, int64_t handle);

#endif
