/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Play operations that are NFS procedures: as one call each if the target
 * supports NFS procedures, otherwise emulated with other slots.
 */
#ifndef PLAY_PROCEDURE_H
#define PLAY_PROCEDURE_H

#include "play/replay_state.h"

/* Play a procedure. Return >= 0 (the number of bytes moved, if any) or
 * -errno. */
int64_t procedure_play(struct replay *replay, const struct op *op);

#endif
