/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decide whether to leave out an operation, as dbench does under some of its
 * options. The OP_COMPAT flags (op.h) mark such operations.
 */
#ifndef PLAY_COMPAT_H
#define PLAY_COMPAT_H

#include "play/replay_state.h"

/*
 * Check if the op can be skipped. If so, set *returned to the value that
 * the op is assumed to have returned. `handle` is the open file of the op, or
 * -1.
 */
bool compat_skips(struct replay *replay, const struct op *op, int64_t handle, int64_t *returned);

/* Return the flags of an OPEN. If the file exists, leave out OPEN_CREATE,
 * except for an exclusive open, which must fail then. */
uint64_t compat_open_flags(struct replay *replay, const struct op *op);

#endif
