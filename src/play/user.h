/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One user, in its own process.
 */
#ifndef PLAY_USER_H
#define PLAY_USER_H

#include "measure/stats.h"
#include "play/plan.h"

/*
 * Called in a new child process. Run as user `index` (from 0) of the parent
 * process: set up, play the prologue, wait at the start line (until a read from
 * `start_fd` returns end of file), replay, add up the histograms and remove the
 * user's files. Leave a failure in stats->run->failure. Return the exit status.
 */
int user_main(const struct workers_plan *plan, struct stats *stats, unsigned index, int start_fd);

#endif
