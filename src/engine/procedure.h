/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Play operations that are NFS procedures: as one call each if the target
 * supports NFS procedures, otherwise emulated with other slots.
 */
#ifndef ENGINE_PROCEDURE_H
#define ENGINE_PROCEDURE_H

#include "engine/replay_state.h"

/* Return the slot's result: >= 0 (the bytes moved, if any) or -errno. */
int64_t procedure_play(struct replay *replay, const struct op *op);

#endif
