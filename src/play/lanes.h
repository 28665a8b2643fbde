/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lanes of a user whose load has several streams (streams/streams.h). Each
 * lane plays one stream in a thread of its own, or in a fiber if the backend takes
 * turns; the first one is the user's own thread, which also plays all that is in no
 * loop. Each has its own session, data and statistics. All lanes meet at each PHASE and at the end of a loop. Between loops,
 * only the first one is active.
 *
 * The lanes of a load with STREAM share the user's open files. The block of a
 * PARALLEL is played by several lanes at the same time. Each then has the files that
 * are open at its beginning, and those that it opens itself.
 */
#ifndef PLAY_LANES_H
#define PLAY_LANES_H

#include "play/plan.h"
#include "play/replay_state.h"

struct lanes;

/* Return NULL if users of the plan play the streams of a load, which have been
 * derived, at the same time; otherwise the reason why not, a static text. */
const char *lanes_refused(const struct workers_plan *plan, const struct load *load);

/*
 * Make the lanes of a user, who is set up and plays `first`, and whose index is
 * `user`. Begin their threads or fibers, which wait. `streams` must last as long as the
 * lanes, and its backend must have the slot session_share. Return 0 or -errno.
 */
int lanes_open(struct lanes **lanes, struct replay *first, unsigned user,
	       const struct streams *streams);

/* Begin to follow the stages of the point, when the user begins to play loops. */
void lanes_start(struct lanes *lanes);

/*
 * Play loop number first->loop from op `from` on to its end. Set first->begin_ns
 * to the time at which the last lane has ended it. Return false when the user must
 * leave; no lane plays anything then.
 */
bool lanes_play(struct lanes *lanes, size_t from);

/* Stop recording, and add what the other lanes have measured to the totals. The
 * first lane has its own recorder_finish(). */
void lanes_finish(struct lanes *lanes);

/* End the threads or fibers, and close the sessions of all lanes but the first one. NULL
 * is ignored. */
void lanes_close(struct lanes *lanes);

#endif
