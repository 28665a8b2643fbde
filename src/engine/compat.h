/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations that may be left out: what op.h's OP_COMPAT ask for.
 */
#ifndef ENGINE_COMPAT_H
#define ENGINE_COMPAT_H

#include "engine/replay_state.h"

/*
 * Need the op not be played? Then true, and *returned is what it is taken to
 * have returned. `handle` is that of the open file, if it works on one.
 */
bool compat_skips(struct replay *replay, const struct op *op, int64_t handle,
		  int64_t *returned);

/* OPEN: its flags, without OPEN_CREATE where there is nothing to make. */
uint64_t compat_open_flags(struct replay *replay, const struct op *op);

#endif
