/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of one user, in its own process.
 */
#ifndef ENGINE_USER_H
#define ENGINE_USER_H

#include "engine/stats.h"
#include "engine/workers_plan.h"

/*
 * Live as user `index` of this process. Sets up, plays the prologue, waits at
 * the start line (until `start_fd` has come to its end), replays, adds up and
 * removes its files. What goes wrong is left in stats->run->failure. Returns
 * the status to exit with.
 */
int user_live(const struct workers_plan *plan, struct stats *stats,
	      unsigned index, int start_fd);

#endif
