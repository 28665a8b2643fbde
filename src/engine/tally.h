/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A point's sums, out of shared memory: plain data that can be sent, and added
 * to those of other machines whose users played the same point.
 */
#ifndef ENGINE_TALLY_H
#define ENGINE_TALLY_H

#include "engine/failure.h"
#include "engine/seconds.h"
#include "engine/stats.h"
#include "engine/workers.h"

/* The operations under one word of the load. */
struct tally_label {
	char *name;
	struct stats_counter counters[STATS_PHASES];
	struct histogram_total measured;
};

/* A loop of one user, by the user's number, as struct stats_loop has it. */
struct tally_loop {
	unsigned user;
	uint32_t took_ms, at_ms;
};

/* Each user by itself, for dbench's output. */
struct tally_users {
	/* Where they were asked for: of each user the operations of all phases,
	 * and a measured counter per label. */
	uint64_t *ops;
	struct stats_counter *counters;
	/* The last loops, user by user, where they were kept. */
	struct tally_loop *loops;
	size_t loop_count;
};

struct tally {
	unsigned first_user; /* the lowest number of a user */
	unsigned users;
	uint64_t *user_ops; /* of each user: its measured operations */
	struct tally_label *labels;
	size_t label_count;
	uint64_t loops_ended;        /* while measured ... */
	struct stats_counter loops;  /* ... and those that have a time */
	struct histogram_total loop_times;
	struct stats_cost cost; /* of all users, while measured */
	uint64_t late_sum_ns; /* by how much timed operations began late */
	uint64_t cut_short_ns; /* the longest operation that the stop cut */

	/* The measured window: when it began, in nanoseconds since the epoch,
	 * and its length. 0: there was none. */
	uint64_t begin_ns, window_ns;
	struct second *seconds; /* ends grow */
	size_t second_count;
	uint64_t silent_s; /* whole seconds without any operation */
	uint64_t stood_still_ns;

	/* How it ended, as struct workers_report says it. */
	int interrupted; /* by this signal; 0: not */
	int died_user;   /* -1: none */
	int died_signal, died_status;
	bool stuck;
	char deadlock[WATCHDOG_TEXT];
	char failure[FAILURE_TEXT]; /* what ended it; empty: nothing */

	/* Stays on this machine: it is neither packed nor added. */
	struct tally_users each;
};

/*
 * Take the sums of a point that has been played. With `each_user` they have
 * each user's operations as well. Returns 0 or -ENOMEM; to be freed with
 * tally_free in any case, as what the other functions fill in.
 */
int tally_take(struct tally *tally, const struct workers_plan *plan,
	       const struct stats *stats, const struct workers_report *report,
	       bool each_user);

/*
 * Add what other users did in the same window. Labels are matched by their
 * names. Sums add up; the window is the longer one; of what can only be told
 * once (silence, a failure) the worse or the first one counts. The p99 of a
 * second is the highest of any part, which is the most that it can be of all.
 * Returns 0 or -ENOMEM: `into` is then good for tally_free only.
 */
int tally_add(struct tally *into, const struct tally *other);

/* Return the label of that name, or NULL. */
struct tally_label *tally_label(const struct tally *tally, const char *name);

/* Append a label without any operation. Returns NULL: no memory. */
struct tally_label *tally_add_label(struct tally *tally, const char *name);

void tally_free(struct tally *tally);

/*
 * Return the tally as bytes, to be freed, and their number; NULL: no memory.
 * tally_pack.c has the form.
 */
void *tally_pack(const struct tally *tally, size_t *bytes);

/*
 * Unpack what another machine sent, of which nothing is believed: a tally that
 * comes out of it may be wrong, but not harmful. Control characters in texts
 * become question marks. Returns 0, -EPROTO when it is of another version,
 * -EBADMSG when it is damaged, or -ENOMEM.
 */
int tally_unpack(struct tally *tally, const void *packed, size_t bytes);

#endif
