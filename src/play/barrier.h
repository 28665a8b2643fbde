/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The barrier at which the users of a load meet before each of its phases
 * (PHASE). Waiting there is no part of any operation's or phase's time.
 */
#ifndef PLAY_BARRIER_H
#define PLAY_BARRIER_H

#include "play/replay_state.h"

/*
 * Return the time that `users` users need to get ready for a start at the same
 * moment, as they wake up one after the other.
 */
static inline uint64_t barrier_lead_ns(unsigned users)
{
	return 5 * NS_PER_MS + users * 20 * NS_PER_US;
}

/* Begin slot 0, the operations before the first phase, with the first loop:
 * the start line has released all users at `start_ns`. */
void barrier_start(struct replay *replay, uint64_t start_ns);

/*
 * End the phase that the user plays, if any, wait until all users of the load
 * have ended it, and add the user's histograms to the totals. This waits first,
 * because the time of users that still play is being measured. Set
 * replay->begin_ns to the time at which the last user has ended it, for all
 * users the same.
 */
void barrier_end(struct replay *replay);

/*
 * Call barrier_end and replay->before_phase, wait for the other users of the
 * load again, and begin the phase in `slot` (struct stats_load) together with
 * them. Also return when the user must leave. The schedule of due times begins
 * anew; the rate limit and the time of the loop are postponed by the time of the
 * wait.
 */
void barrier_meet(struct replay *replay, unsigned slot);

/*
 * Return the time from the start of the point to the end of the last phase, for
 * all users of the load the same, after barrier_end. Without phases, it is that
 * until the end of the user's last operation.
 */
uint64_t barrier_played_ns(const struct replay *replay);

/* The answer of all hosts to users that have arrived (struct stats_barrier). */
struct barrier_go {
	/* When all users begin the next phase, unless they have ended one. */
	uint64_t begin_ns;
	/* If they have ended a phase: the longest time of a user on any host, and
	 * the time from the start of the point until then. */
	uint64_t longest_ns, played_ns;
};

/* Check if all users of a load in this process wait for those that play
 * elsewhere. */
bool barrier_is_complete(const struct stats_load *load);

/* Release these users. Only the parent does so. */
void barrier_release(struct stats_load *load, const struct barrier_go *go);

/* Check if a user waits for others at its barrier. */
bool barrier_is_waiting(const struct stats *stats, unsigned user);

#endif
