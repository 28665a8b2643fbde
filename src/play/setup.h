/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Play the set-up of a load (study/walk.h), before the start line. Its
 * operations are not counted, and what it has written is flushed.
 */
#ifndef PLAY_SETUP_H
#define PLAY_SETUP_H

#include "play/plan.h"
#include "play/replay.h"

/*
 * Play the set-up as user `index` of this process. SETUP shared is played by
 * user 0 of the run or, with several targets or loads, by the first user of
 * each load on each target; the other users wait for them, also for those
 * elsewhere (plan->shared_left). Return false if the user must leave.
 */
bool setup_play(struct replay *replay, const struct workers_plan *plan, unsigned index);

/* Check if a load has SETUP shared. */
bool setup_is_shared(const struct workers_plan *plan);

/* Return the number of users of this process that play SETUP shared. */
uint32_t setup_players(const struct workers_plan *plan);

#endif
