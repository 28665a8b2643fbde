/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory that users and parent share while a point (one measurement with a
 * given number of users) runs. It is anonymous and mapped before the fork. It
 * has cache-aligned blocks: one per user or, if users play several streams at
 * the same time, one per lane of each user (play/lanes.h). Each block has one
 * writer, a user's only or first thread, or a further thread. The parent only
 * reads blocks (and resets peak_ns). Several users write struct stats_run, at the start, at
 * the end, and when an operation goes wrong, and struct stats_load, where a
 * phase of the load begins and ends.
 */
#ifndef MEASURE_STATS_H
#define MEASURE_STATS_H

#include "base/clock.h"
#include "base/histogram.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stop (from SIGSTOP to SIGCONT) of at least this length is reported. */
#define STANDSTILL_NS (500 * NS_PER_MS)

/* The stage in which an operation counts, by its end time. */
enum stats_stage {
	STATS_UNCOUNTED, /* set-up, prologue, warm-up, and after the stop */
	STATS_MEASURED,
	STATS_STAGES
};

/* The operations of one user, one stage and one label. */
struct stats_counter {
	uint64_t count;
	uint64_t bytes;
	uint64_t errors;     /* recorded as OK, but failed */
	uint64_t mismatches; /* any outcome other than the recorded one */
	uint64_t sum_ns;
	uint64_t min_ns; /* valid when count > 0 */
	uint64_t max_ns;
	uint64_t skipped;
};

/* Further durations of a user, which belong to no label. */
enum stats_extra {
	/* Durations of loops. A loop whose prologue was played before the start
	 * is left out, as it takes less time. */
	STATS_LOOP,
	/* Those of operations with due times (pace.h). The time from the
	 * operation's actual start to its end; its duration under its label is
	 * its response time, from its due time to its end. */
	STATS_SERVICE,
	/* How much later an operation began than if throng had begun it, and all
	 * operations before it, on time. */
	STATS_LATENESS,
	/* Operations that were due but had not ended when measuring ended: the
	 * time since they were due. */
	STATS_UNFINISHED,
	STATS_EXTRAS
};

/* Operations whose due times are in the measured time. */
struct stats_due {
	uint64_t count;
	uint64_t unfinished; /* those that had not ended when it was over */
};

/* The resources that a process has used. */
struct stats_cost {
	uint64_t user_ns, system_ns; /* CPU time */
	/* Voluntary and involuntary context switches. */
	uint64_t waits, preemptions;
};

enum stats_state {
	STATS_STARTING, /* set-up and prologue */
	STATS_READY,    /* waits at the start line (user.h) */
	STATS_RUNNING,
	/* The user adds up its histograms, and later removes its files. */
	STATS_ENDING,
	STATS_SETTLED, /* waits until it may remove them (stats_run.remove) */
	STATS_DONE,
};

/* One loop of one user: its duration, and its end as time since the start. */
struct stats_loop {
	uint32_t took_ms, at_ms;
};

/*
 * One user's state. Its counters follow in memory, then its loops, its laps and
 * its live histogram. The block of a further lane counts that lane's operations; the
 * loops, laps and resources of its user are in the block of the first lane.
 */
struct stats_user {
	uint32_t state; /* enum stats_state */
	uint32_t load;  /* index of its load */
	/*
	 * The last sequence point that the user has passed (SETSP): the number
	 * of the loop, from 1, in the upper 32 bits, and the number of the
	 * sequence point plus one in the lower 32 bits.
	 */
	uint64_t sequence_point;
	/* Value of another user's sequence_point that a WAITSP waits for, or
	 * number of the round that a barrier waits for the end of. */
	uint64_t awaits;
	/* Grows by 1 when a WAITSP or a wait at a barrier begins, and by 1 when
	 * it ends. */
	uint32_t waits;
	uint32_t at_barrier;  /* the wait is at a barrier */
	uint32_t op;          /* index of the current op in the program */
	uint64_t steps;       /* grows during set-up, clean-up and sleep */
	uint64_t loops_ended; /* number of loops that ended while measured */
	struct stats_counter extras[STATS_EXTRAS];
	struct stats_due due;
	uint64_t finish_ns;     /* when the user stopped playing */
	struct stats_cost cost; /* resources used while measured */
	/* How long the set-up was restored while measured (restore.h). */
	uint64_t restore_ns;
	/* Start of the current operation; 0 or CLOCK_NEVER: none. */
	uint64_t busy_since_ns;
	/* The same if that operation waits for another user without a time limit,
	 * as for a lock, although its target has one; else any other time. */
	uint64_t blocked_since_ns;
	/* An operation that is in progress at the stop is not counted. This is
	 * the time that it had taken by then. */
	uint64_t cut_short_ns;
	uint64_t late_ns; /* how long after the start the user began */
	/*
	 * The longest operation since the parent last reset this to 0. If user
	 * and parent write it at the same time, a maximum may count for the
	 * next period of the parent, but is not lost.
	 */
	uint64_t peak_ns;
	/* Number of loops logged; only the last loops are kept. */
	uint64_t loops_logged;
	/* -errno if the target no longer answers this user; 0: it answers. */
	int32_t lost;
};

/*
 * Where the users of a load wait for each other before they begin one of its
 * phases (play/barrier.h).
 */
struct stats_barrier {
	uint32_t users;      /* number of users that meet here */
	uint32_t arrived;    /* number of users that have arrived */
	uint32_t round;      /* number of times that all were released */
	uint64_t release_ns; /* when they were, or will be, released */
	/*
	 * Users of the load also play elsewhere, on other hosts. Then the user
	 * that arrives last does not release the others: it sets `complete` and
	 * the members after it, and the parent releases all (barrier_release).
	 */
	uint32_t elsewhere;
	uint32_t complete;
	uint32_t ended; /* the users have ended the phase in `slot` */
	unsigned slot;
	/* When that phase began, and the shortest and longest time that a user
	 * of this process has played it. */
	uint64_t begin_ns, shortest_ns, longest_ns;
	/* Time from the start of the point to the end of the last phase
	 * everywhere. */
	uint64_t played_ns;
};

/*
 * The times of one phase of the load, summed over its loops. The only writer is
 * the user that arrives last at the next barrier, or the parent if users also
 * play elsewhere.
 */
struct stats_load_phase {
	uint64_t loops; /* loops in which all users played it to its end */
	/* Sum of the times from the release to the end of the slowest user. */
	uint64_t elapsed_ns;
	/* Shortest and longest time of one user in one loop; valid if loops >
	 * 0. */
	uint64_t min_ns, max_ns;
};

/* One user and one phase of the load. */
struct stats_lap {
	uint64_t took_ns;       /* time in the last loop that played it */
	struct stats_cost cost; /* sum over all loops */
};

/* The failure that ended the run. */
struct stats_failure {
	uint32_t user; /* number of the user in the whole run */
	/* Index of the op that failed; UINT32_MAX: it was not an op. */
	uint32_t op;
	uint32_t lane;    /* that played it; PROGRAM_STREAMS_MAX: there are none */
	int64_t returned; /* result of the backend: >= 0 or -errno */
	char doing[128];  /* the action that failed, if not an operation */
	char path[256];
	char reason[96]; /* why the session was lost, or "" */
};

/* The state with several writers; all members are atomic. */
struct stats_run {
	/*
	 * The times of the phases. They are published before the users start;
	 * until then start_ns is 0. If the run was stopped by SIGSTOP, the
	 * parent may postpone the times that are still ahead.
	 */
	uint64_t start_ns;
	uint64_t measure_ns;
	uint64_t stop_ns;  /* end of measuring; CLOCK_NEVER with whole loops */
	uint64_t leave_ns; /* users ramp down from stop_ns until then */
	uint32_t postpone; /* the parent may postpone times after SIGSTOP */
	uint32_t stop;     /* not 0: users must leave at once */
	uint32_t opened;   /* number of users that have connected, or failed */
	/* Number of users that have played SETUP shared, and one more when it was
	 * played elsewhere. */
	uint32_t shared;
	uint32_t ready;    /* number of users at the start line */
	uint32_t finished; /* number of users that have left their last loop */
	uint32_t settled;  /* number of users that have been STATS_SETTLED */
	uint32_t remove;   /* not 0: users may remove their files */
	uint64_t mismatches;
	/* `failure` is reserved for the process that claimed it (see
	 * stats_claim_failure) ... */
	uint32_t failed;
	uint32_t failure_complete; /* ... which has filled it in */
	struct stats_failure failure;
};

/*
 * The totals of one load and, if it has phases, the barrier of its users. Slot
 * 0 stands for the operations before the first PHASE line, and slot N for the
 * load's Nth phase. A load without phases has no slots.
 */
struct stats_load {
	unsigned phase_count;
	struct stats_barrier barrier;
	struct stats_load_phase *phases; /* one per slot */
	/*
	 * The histograms of all users of the load: one for each of its labels,
	 * then, from index stats->labels on, one for each enum stats_extra,
	 * then those of its phases (stats_phase_totals).
	 */
	struct histogram_total *totals;
};

struct stats {
	unsigned users;
	unsigned lanes; /* max number of lanes of a user, at least 1 */
	size_t loads;
	size_t labels; /* max number of labels of a load */
	/* Sets of counters per user: one per enum stats_stage, then one per
	 * phase of the load that has most. Users of other loads leave the last
	 * ones empty. */
	unsigned sets;
	size_t loops_kept;  /* room for a user's last loops; 0: none are kept */
	bool live;          /* each block has a live histogram */
	size_t block_bytes; /* size of one block */
	size_t bytes;       /* size of the mapping */
	struct stats_run *run;
	struct stats_load *list; /* the loads */
	char *blocks;
};

/* Maximum number of blocks with a live histogram each: adding up more of them
 * every second would cost too much CPU time. */
enum { STATS_LIVE_BLOCKS = 1000 };

/*
 * Map the memory for `users` users with `lanes` lanes each, of `loads` loads,
 * which have at most `labels` labels each. `phase_counts` is the number of phases
 * (PHASE) of each load; NULL: no load has any. With `log_loops`, keep the last
 * loops of each user; with more users, fewer loops are kept per user. Return 0 or
 * -errno.
 */
int stats_map(struct stats *stats, unsigned users, unsigned lanes, size_t loads, size_t labels,
	      const unsigned *phase_counts, bool log_loops);
void stats_unmap(struct stats *stats);

/*
 * Return the number of a lane's block. The functions below take the number of a
 * block. That of a user's first lane, 0, is the index of the user. Block N
 * belongs to user N % stats->users.
 */
static inline unsigned stats_block(const struct stats *stats, unsigned user, unsigned lane)
{
	return lane * stats->users + user;
}

static inline unsigned stats_blocks(const struct stats *stats)
{
	return stats->lanes * stats->users;
}

struct stats_user *stats_user(const struct stats *stats, unsigned block);

/* Let a user play load number `load`, from 0. Call this once per user, before
 * any user starts. */
void stats_assign(const struct stats *stats, unsigned user, size_t load);

/* Return the load that a user plays. */
struct stats_load *stats_load_of(const struct stats *stats, unsigned block);

/*
 * Return a set of a block's counters, one for each label of its load: of an enum
 * stats_stage, or of a phase of the load (stats_set). The set STATS_MEASURED
 * does not contain the operations in phases of the load: all sets from
 * STATS_MEASURED on together are what was measured.
 */
struct stats_counter *stats_counters(const struct stats *stats, unsigned block, unsigned set);

/* Return the set of counters for a slot (struct stats_load). */
static inline unsigned stats_set(unsigned slot)
{
	return STATS_MEASURED + slot;
}

/* Add what a set of counters has of one label, in all lanes of a user. */
void stats_add_set(struct stats_counter *into, const struct stats *stats, unsigned user,
		   unsigned set, size_t label);

/* Add what was measured of one label of a user's load, in all lanes, in and out
 * of the phases of the load. */
void stats_add_measured(struct stats_counter *into, const struct stats *stats, unsigned user,
			size_t label);

/* Return the histograms of slot > 0 of a load, one per label. */
struct histogram_total *stats_phase_totals(const struct stats *stats, const struct stats_load *load,
					   unsigned slot);

/* Return a user's laps, one per slot. */
struct stats_lap *stats_laps(const struct stats *stats, unsigned block);

/* Return a user's ring of loops; loop N is at N % stats->loops_kept. */
struct stats_loop *stats_loops(const struct stats *stats, unsigned block);

/*
 * Return the live histogram of a block's measured operations, or NULL if there
 * are too many blocks (STATS_LIVE_BLOCKS). It is never reset: the parent
 * subtracts its counts of the previous second.
 */
struct histogram *stats_live(const struct stats *stats, unsigned block);

/* Add a loop that has ended to the user's ring. */
void stats_log_loop(const struct stats *stats, unsigned user, uint64_t took_ns, uint64_t at_ns);

/* Add `from` to `into`, and combine their minima and maxima. */
void stats_add_counter(struct stats_counter *into, const struct stats_counter *from);

void stats_add_cost(struct stats_cost *into, const struct stats_cost *from);

/*
 * Claim the right to report the failure that ends the run. Return true for the
 * first caller only. This caller then fills in run->failure and calls
 * stats_publish_failure.
 */
bool stats_claim_failure(struct stats *stats);
void stats_publish_failure(struct stats *stats);

static inline bool stats_stopping(const struct stats *stats)
{
	return __atomic_load_n(&stats->run->stop, __ATOMIC_RELAXED) != 0;
}

/* Make all users leave. */
void stats_stop(struct stats *stats);

/*
 * The recorder of one block, in the memory of the user's process. The counters and the
 * live histogram that it points to are in shared memory, where the parent reads
 * them.
 */
struct recorder {
	/* Counters of the current stage, one per label. */
	struct stats_counter *counters;
	struct histogram *histograms;   /* one per label; NULL: not measuring */
	struct histogram_total *totals; /* what they will be added to */
	struct histogram *live;         /* see stats_live; NULL: none */
	uint64_t edge_ns;               /* time at which the next stage begins */
	enum stats_stage stage;
	bool measured; /* measuring has begun, or is over */
	bool over;     /* the user must leave */

	struct stats *stats;
	unsigned block;
	struct stats_user *own;
	struct stats_load *load; /* the load that the user plays */
	/* One histogram per label, then one per enum stats_extra, then one per
	 * label for the current phase of the load. */
	struct histogram *memory;
	/* Called when the measured time has ended, to report the operations
	 * that were due but have not ended (recorder_unfinished); NULL: no
	 * operation has a due time. */
	void (*at_end)(void *context, uint64_t end_ns);
	void *context;
	/* Resources used before measuring began, and between the phases of the
	 * load. */
	struct stats_cost cost;
	/* The current phase of the load; 0 also if there is none. */
	unsigned slot;
	uint64_t slot_ns;            /* when it began */
	struct stats_cost slot_cost; /* resources used before it began */
};

/* Open a recorder for a block. Operations count in the phase STATS_UNCOUNTED
 * until recorder_start. Return 0 or -ENOMEM. */
int recorder_open(struct recorder *recorder, struct stats *stats, unsigned block);

/* Begin to follow the phases in stats->run; call this when the point has
 * started. */
void recorder_start(struct recorder *recorder);

/* Stop recording at `now_ns`, and add the user's histograms to the totals. */
void recorder_finish(struct recorder *recorder, uint64_t now_ns);

void recorder_close(struct recorder *recorder);

/* Enter the phases that have begun by `now_ns`. */
void recorder_advance(struct recorder *recorder, uint64_t now_ns);

/* Begin a phase of the load, which all users were released to at `begin_ns`.
 * The user must be measuring. */
void recorder_begin_slot(struct recorder *recorder, unsigned slot, uint64_t begin_ns);

/* End the phase of the load that has begun: note its time and its costs. */
void recorder_end_slot(struct recorder *recorder, uint64_t end_ns);

/* Add the histograms of the phase of the load that has ended to the totals. */
void recorder_merge_slot(struct recorder *recorder);

/* Count an operation that is due at `due_ns`, before it begins. */
void recorder_due(struct recorder *recorder, uint64_t due_ns);

/* Count an operation that was due at `due_ns` and had not ended at `end_ns`,
 * when measuring ended. `begun`: recorder_due has counted it. */
void recorder_unfinished(struct recorder *recorder, uint64_t due_ns, uint64_t end_ns, bool begun);

/* Count a further duration, if the user is measuring. */
void recorder_extra(struct recorder *recorder, enum stats_extra extra, uint64_t took_ns);

/* Add a wrapped cell of a histogram to the totals (see histogram_record). */
void recorder_carry(struct recorder *recorder, size_t index, unsigned wrapped);

/*
 * Count a loop that has just ended. Count its duration only if the loop was
 * `whole`: without its prologue, which the user may have played before the
 * start, a loop takes less time.
 */
void recorder_loop(struct recorder *recorder, uint64_t took_ns, bool whole);

/* Add a duration to a counter. */
static inline void recorder_count(struct stats_counter *counter, uint64_t took_ns)
{
	counter->sum_ns += took_ns;
	if (took_ns > counter->max_ns)
		counter->max_ns = took_ns;
	if (took_ns < counter->min_ns || counter->count == 0)
		counter->min_ns = took_ns;
	counter->count++;
}

/* Count one operation in the phase in which it ended. Inlined, since a call
 * would cost the null target 5 % of its rate. */
static inline __attribute__((always_inline)) struct stats_counter *
recorder_record(struct recorder *recorder, unsigned label, uint64_t begin_ns, uint64_t end_ns,
		uint64_t bytes)
{
	uint64_t took_ns = end_ns - begin_ns;
	struct stats_counter *counter;

	if (__builtin_expect(end_ns >= recorder->edge_ns, 0))
		recorder_advance(recorder, end_ns);
	counter = &recorder->counters[label];
	counter->bytes += bytes;
	recorder_count(counter, took_ns);
	if (took_ns > recorder->own->peak_ns)
		recorder->own->peak_ns = took_ns;
	recorder->own->busy_since_ns = end_ns;
	if (recorder->histograms != NULL) {
		unsigned wrapped = histogram_record(&recorder->histograms[label], took_ns);

		if (__builtin_expect(wrapped != 0, 0))
			recorder_carry(recorder, label, wrapped);
		if (recorder->live != NULL)
			histogram_record(recorder->live, took_ns);
	}
	return counter;
}

#endif
