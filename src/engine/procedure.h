/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations that are NFS procedures: one call each where the target has
 * them, an emulation of other slots where it has not.
 */
#ifndef ENGINE_PROCEDURE_H
#define ENGINE_PROCEDURE_H

#include "engine/replay_state.h"

/* Returns what a slot does: >= 0 (bytes where it moves some) or -errno. */
int64_t procedure_play(struct replay *replay, const struct op *op);

#endif
