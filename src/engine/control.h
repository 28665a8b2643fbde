/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What steers a user between its operations: the control lines of the load,
 * its time stamps, and the rate that it may not exceed.
 */
#ifndef ENGINE_CONTROL_H
#define ENGINE_CONTROL_H

#include "engine/replay.h"

/* Plays control op `at`; returns the number of the op that follows. */
size_t control_play(struct replay *replay, size_t at);

/* Waits until op `at` is due; when it is already, that is how late it is. */
void control_pace(struct replay *replay, size_t at);

#endif
