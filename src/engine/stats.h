/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What users and parent share while a point runs: anonymous memory, mapped
 * before the fork. Each user is the only writer of its own cache-aligned
 * block; the parent only reads (and sets peak_ns back). Only the few words of
 * struct stats_run have several writers, and they are touched at the start, at
 * the end, and when an operation goes wrong.
 */
#ifndef ENGINE_STATS_H
#define ENGINE_STATS_H

#include "base/clock.h"
#include "base/histogram.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A pause before a SIGCONT that is worth telling. */
#define STANDSTILL_NS (500 * NS_PER_MS)

/* Where an operation counts, by the time at which it ended. */
enum stats_phase {
	STATS_UNCOUNTED, /* set-up, prologue, warm-up, and after the stop */
	STATS_MEASURED,
	STATS_PHASES
};

/* The operations of one user, one phase and one label. */
struct stats_counter {
	uint64_t count;
	uint64_t bytes;
	uint64_t errors;     /* recorded OK, and failed */
	uint64_t mismatches; /* every outcome but the recorded one */
	uint64_t sum_ns;
	uint64_t min_ns; /* valid when count > 0 */
	uint64_t max_ns;
	uint64_t skipped;
};

/* What a process has used up. */
struct stats_cost {
	uint64_t user_ns, system_ns; /* of CPU time */
	uint64_t waits, preemptions; /* context switches, by whose wish */
};

enum stats_state {
	STATS_STARTING, /* set-up and prologue */
	STATS_READY,    /* at the start line */
	STATS_RUNNING,
	STATS_ENDING,   /* adding up, removing its files */
	STATS_DONE,
};

/* One loop of one user, in ms: how long it took, and when it ended, counted
 * from the start line. */
struct stats_loop {
	uint32_t took_ms, at_ms;
};

/* One user's own words; its counters follow in memory, then its loops, then
 * its live histogram. */
struct stats_user {
	uint32_t state; /* enum stats_state */
	/* The loop and the point of the last SETSP, each plus one, as the
	 * upper and the lower half. */
	uint64_t sequence_point;
	/* The other's sequence point that a WAITSP waits for, in that form. */
	uint64_t awaits;
	uint32_t waits;          /* grows as a WAITSP begins, and as it ends */
	uint32_t op;             /* the one being played, in the program */
	uint64_t steps;          /* grows while set-up and clean-up go on */
	uint64_t loops_ended;       /* while measured */
	struct stats_counter loops; /* those of them that have a time */
	uint64_t finish_ns;      /* when it left its last loop */
	struct stats_cost cost;  /* while measured */
	uint64_t late_sum_ns; /* by how much timed operations began late */
	/* When its current operation began; 0 or CLOCK_NEVER: there is none. */
	uint64_t busy_since_ns;
	/* For how long the operation that the stop cut short had lasted; it
	 * counts nowhere else. */
	uint64_t cut_short_ns;
	/* The longest operation since the parent looked, who sets it back to
	 * 0: of the two writers neither can make the other's word be lost. */
	uint64_t peak_ns;
	uint64_t loops_logged; /* as many as ended; the last ones are kept */
	int32_t lost; /* -errno with which its target was lost; 0: it was not */
};

/* What an operation did that ended the run. */
struct stats_failure {
	uint32_t user;   /* its number in the whole run */
	uint32_t op;     /* index into the program; UINT32_MAX: none */
	int64_t returned; /* by the backend: >= 0 or -errno */
	char doing[128]; /* what failed, when it was not an operation */
	char path[256];
};

/* The words with several writers; all are atomic. */
struct stats_run {
	/* Published before the start line is crossed; 0 until then. A run
	 * that stood still may have those that lay ahead put off. */
	uint64_t start_ns;
	uint64_t measure_ns;
	uint64_t stop_ns;  /* measuring is over; CLOCK_NEVER with --loops */
	uint64_t leave_ns; /* from stop_ns on users ramp down */
	uint32_t put_off; /* the parent does that */
	uint32_t stop;    /* users leave at once */
	uint32_t ready;   /* users at the start line */
	uint32_t finished; /* users that have left their last loop */
	uint64_t mismatches;
	uint32_t failed;  /* `failure` has been claimed */
	uint32_t failure_told; /* ... and is complete */
	struct stats_failure failure;
};

struct stats {
	unsigned users;
	size_t labels;
	size_t loops_kept; /* of a user's last loops; 0: none */
	bool live;         /* users have a histogram that the parent sees */
	size_t user_bytes; /* from one user's block to the next one's */
	size_t bytes;      /* of the mapping */
	struct stats_run *run;
	struct histogram_total *totals; /* one a label, then that of loops */
	char *blocks;
};

/* With more users than this there is no live histogram of each: adding them up
 * every second would cost the machine too much. */
enum { STATS_LIVE_USERS = 1000 };

/*
 * Maps the memory for `users` users. With `log_loops` the last loops of each
 * are kept, the fewer the more users there are. Returns 0 or -errno.
 */
int stats_map(struct stats *stats, unsigned users, size_t labels,
	      bool log_loops);
void stats_unmap(struct stats *stats);

struct stats_user *stats_user(const struct stats *stats, unsigned user);

/* A user's counters of one phase, one a label. */
struct stats_counter *stats_counters(const struct stats *stats, unsigned user,
				     enum stats_phase phase);

/* A ring of stats->loops_kept loops; loop N is number N modulo that. */
struct stats_loop *stats_loops(const struct stats *stats, unsigned user);

/*
 * All measured operations of a user, as they come in. The parent takes the
 * difference from one second to the next. NULL: there is none.
 */
struct histogram *stats_live(const struct stats *stats, unsigned user);

/* Keeps a loop of the user that has ended. */
void stats_log_loop(const struct stats *stats, unsigned user,
		    uint64_t took_ns, uint64_t at_ns);

/* Adds `from` to `into`; minimum and maximum too. */
void stats_add_counter(struct stats_counter *into,
		       const struct stats_counter *from);

void stats_add_cost(struct stats_cost *into, const struct stats_cost *from);

/*
 * Claims the one failure that is told: true for the first caller only, who
 * then fills run->failure and calls stats_failure_told.
 */
bool stats_claim_failure(struct stats *stats);
void stats_failure_told(struct stats *stats);

static inline bool stats_stopping(const struct stats *stats)
{
	return __atomic_load_n(&stats->run->stop, __ATOMIC_RELAXED) != 0;
}

/* Tells all users to leave. */
void stats_stop(struct stats *stats);

/* What a user records with; private to it but for the counters. */
struct recorder {
	struct stats_counter *counters; /* of the current phase */
	struct histogram *histograms;   /* one a label; NULL: not measured */
	struct histogram *live;         /* for all together; NULL: none */
	uint64_t edge_ns;               /* the next phase begins here */
	enum stats_phase phase;
	bool measured; /* measuring has begun, or is over */
	bool over;     /* it is time to leave */

	struct stats *stats;
	unsigned user;
	struct stats_user *own;
	/* For `histograms`; then that of loops. */
	struct histogram *memory;
	struct stats_cost cost; /* at the start of measuring */
};

/* Returns 0 or -ENOMEM. Records as uncounted until recorder_start. */
int recorder_open(struct recorder *recorder, struct stats *stats,
		  unsigned user);

/* The start line is crossed: the times of stats->run hold from here on. */
void recorder_start(struct recorder *recorder);

/* The user has left its loop at `now_ns`: its histograms are added up. */
void recorder_finish(struct recorder *recorder, uint64_t now_ns);

void recorder_close(struct recorder *recorder);

/* Passes the edges that lie before `now_ns`. */
void recorder_advance(struct recorder *recorder, uint64_t now_ns);

/* A cell of a histogram has wrapped (see histogram_record). */
void recorder_carry(struct recorder *recorder, unsigned label,
		    unsigned wrapped);

/*
 * Count a loop that has just ended. Its time counts only if it was `whole`: one
 * whose prologue was played before the start line says nothing of the load's.
 */
void recorder_loop(struct recorder *recorder, uint64_t took_ns, bool whole);

/* Counts a duration in a counter. */
static inline void recorder_count(struct stats_counter *counter,
				  uint64_t took_ns)
{
	counter->sum_ns += took_ns;
	if (took_ns > counter->max_ns)
		counter->max_ns = took_ns;
	if (took_ns < counter->min_ns || counter->count == 0)
		counter->min_ns = took_ns;
	counter->count++;
}

/* Count one operation, in the phase in which it ended. A call instead of its
 * body would cost the null target 5 % of its rate. */
static inline __attribute__((always_inline)) struct stats_counter *
recorder_record(struct recorder *recorder, unsigned label, uint64_t begin_ns,
		uint64_t end_ns, uint64_t bytes)
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
		unsigned wrapped = histogram_record(
			&recorder->histograms[label], took_ns);

		if (__builtin_expect(wrapped != 0, 0))
			recorder_carry(recorder, label, wrapped);
		if (recorder->live != NULL)
			histogram_record(recorder->live, took_ns);
	}
	return counter;
}

#endif
