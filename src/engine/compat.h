/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The OP_COMPAT flags of op.h: operations that dbench leaves out.
 */
#ifndef ENGINE_COMPAT_H
#define ENGINE_COMPAT_H

#include "engine/replay_state.h"

/*
 * Check whether the op can be skipped. If so, set *returned to the value that
 * it is assumed to have returned. `handle` is its open file, or -1.
 */
bool compat_skips(struct replay *replay, const struct op *op, int64_t handle,
		  int64_t *returned);

/* Return the flags of an OPEN, without OPEN_CREATE when the file exists. */
uint64_t compat_open_flags(struct replay *replay, const struct op *op);

#endif
