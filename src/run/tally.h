/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results of a point, summed over its users and copied from shared memory:
 * plain data that can be sent to another machine and added to the sums of other
 * users of the same point.
 */
#ifndef RUN_TALLY_H
#define RUN_TALLY_H

#include "measure/seconds.h"
#include "measure/stats.h"
#include "play/verification.h"
#include "run/failure.h"
#include "run/workers.h"
#include "words/operation.h"

/* The operations with one label, which is a word of the loadfile. */
struct tally_label {
	char *name;
	enum direction direction; /* of all its operations together */
	struct stats_counter counters[STATS_STAGES];
	struct histogram_total measured;
};

/* A struct stats_loop with the number of its user. */
struct tally_loop {
	unsigned user;
	uint32_t took_ms, at_ms;
};

/* One user. */
struct tally_user {
	size_t load;        /* index of its load */
	uint64_t ops;       /* in all phases */
	uint64_t window_ns; /* how long it was measured */
	uint64_t loops_ended;
	struct stats_counter unfinished;
	struct stats_cost cost;
};

struct tally_users {
	struct tally_user *list; /* NULL: not collected */
	/* Measured operations of each user and label; NULL: not collected. */
	struct stats_counter *counters;
	struct tally_loop *loops; /* the loops that were kept, user by user */
	size_t loop_count;
};

/* Durations that belong to no label (enum stats_extra). */
struct tally_extra {
	struct stats_counter counter;
	struct histogram_total times;
};

struct tally_phase;
struct tally;

/* The users of one of several hosts. */
struct tally_host {
	const char *name;
	const struct tally *tally;
	uint64_t clock_error_ns; /* max error of its clock at the start */
};

struct tally {
	/*
	 * The tallies of the users of each load, in the order of the loads.
	 * They have neither seconds nor an end, but the phases of their load.
	 * NULL: there is only one load.
	 */
	struct tally *loads;
	size_t load_count;

	unsigned first_user; /* the lowest number of all users */
	unsigned users;
	uint64_t *user_ops; /* measured operations per user */
	struct tally_label *labels;
	size_t label_count;
	uint64_t loops_ended; /* number of loops that ended while measured */
	struct tally_extra extras[STATS_EXTRAS];
	struct stats_due due;
	/* Resources that all users used while measured. */
	struct stats_cost cost;
	uint64_t restore_ns; /* sum of the users' restore_ns (stats.h) */
	/* Max of the cut_short_ns of all users (stats.h). */
	uint64_t cut_short_ns;
	uint64_t late_ns; /* the same of their late_ns */

	/* Length of the measured window; of a load with phases, their sum. 0:
	 * there was none. */
	uint64_t window_ns;
	struct second *seconds; /* sorted by end time */
	size_t second_count;
	uint64_t silent_s; /* whole seconds without any operation */
	uint64_t stood_still_ns;

	struct verified verified; /* only with --verify */

	/* The end of the point, as in struct workers_report. */
	int interrupted; /* signal that ended the point; 0: none */
	int died_user;   /* number of the first user that died; -1: none */
	int died_signal, died_status;
	bool stuck;
	char deadlock[WATCHDOG_TEXT];
	/* Message about the failure; empty: there was none. */
	char failure[FAILURE_TEXT];

	/* The figures of single users stay on this machine: they are neither
	 * packed nor added. */
	struct tally_users each;

	/* The hosts with users; NULL: they played on one machine. The texts and
	 * tallies belong to others. They are neither packed nor added. */
	struct tally_host *hosts;
	size_t host_count;

	/* The phases of the load. With several loads, only the tallies in
	 * `loads` have phases. */
	struct tally_phase *phases;
	size_t phase_count;
};

/* One phase of the load. */
struct tally_phase {
	char *name;
	uint64_t loops; /* number of loops that played it to its end */
	/* Shortest and longest time of one user in one loop. */
	uint64_t min_ns, max_ns;
	uint64_t items; /* operations that the load names as items of the phase */
	/*
	 * Its sums over all loops. Only the following are used: users, labels,
	 * loops_ended (the sum over the users), cost and window_ns (the time
	 * from the start to the end of the slowest user).
	 */
	struct tally sums;
};

/*
 * Fill the tally with the results of a point that has been played, summed over
 * the users in its shared memory (tally_take.c). With plan->each_user, also copy
 * what is known of each user. Return 0 or -ENOMEM. Call tally_free even after an
 * error; this applies to all functions below that fill in a tally.
 */
int tally_take(struct tally *tally, const struct workers_plan *plan, const struct stats *stats,
	       const struct workers_report *report);

/*
 * Add the tally of other users of the same loads in the same window. Labels are
 * matched by name.
 * Add the sums. Keep the longer window. Other values
 * cannot be added: of two silences keep the longer one, of two failures the
 * first one. The p99 of a second becomes the higher p99 of the two tallies, an
 * upper bound of the real value. Return 0 or -ENOMEM; after that, only call
 * tally_free.
 */
int tally_add(struct tally *into, const struct tally *other);

/* Return the label with that name, or NULL. */
struct tally_label *tally_label(const struct tally *tally, const char *name);

/* Append a label with all counters at 0. Return NULL if out of memory. */
struct tally_label *tally_add_label(struct tally *tally, const char *name);

/* Append a phase with this name, without any sums. Return NULL if out of
 * memory. */
struct tally_phase *tally_add_phase(struct tally *tally, const char *name);

void tally_free(struct tally *tally);

/*
 * Serialise the tally. Return a buffer that the caller frees, and set *bytes to
 * its size; NULL if out of memory. tally_pack.c describes the format.
 */
void *tally_pack(const struct tally *tally, size_t *bytes);

/*
 * Unpack a tally from another machine, which is not trusted: the result may be
 * wrong, but is safe to use. Control characters in texts become question marks.
 * Return 0, -EPROTO for another version of the format, -EBADMSG for damaged
 * data, or -ENOMEM.
 */
int tally_unpack(struct tally *tally, const void *packed, size_t bytes);

#endif
