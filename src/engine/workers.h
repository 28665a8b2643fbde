/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The users of one point: forked, started together, watched, reaped.
 */
#ifndef ENGINE_WORKERS_H
#define ENGINE_WORKERS_H

#include "backend/backend.h"
#include "engine/bind.h"
#include "engine/identity.h"
#include "engine/seconds.h"
#include "engine/stats.h"
#include "program/program.h"

/* One of the targets of a run. */
struct workers_target {
	const struct target *target;
	struct backend_facts facts; /* targets_probe fills these in */
	/* It is ours to clean up; another address of a target that has been
	 * claimed already is not. */
	bool claimed;
	/* Locks the target for the run as long as it is open; -1: not locked,
	 * or nothing is claimed. */
	int lock_fd;
	bool made; /* `clients`, by the run */
	bool believed; /* a later run knows whose the marker is */
	/* In shared memory: which of the program's shared names were not there
	 * before the run. */
	bool *absent;
	/* 0, or -errno: it no longer answers, as a user found out. */
	int gone;
};

/* What the users of a point do. */
struct workers_plan {
	const struct program *program;
	size_t prologue_end; /* ops before it are played before the start */
	struct workers_target *targets; /* user N plays on N modulo the count */
	unsigned target_count;
	const struct data_pool *pool;
	struct identity run;
	unsigned users;
	unsigned users_max; /* of all points that are played */
	uint64_t warmup_ns, time_ns, ramp_down_ns;
	uint64_t loops; /* > 0: so many whole loops, and no times */
	uint64_t seed;
	uint64_t mismatches_allowed;
	bool procedures; /* the target has those of NFS (backend.h) */
	bool keep; /* the users' files */
	bool use_existing;
	bool take_over; /* what a run left that cannot be seen from here */
	/* Work directories without a marker (engine/dbench_workdir.h). */
	bool dbench_workdir;
	uint64_t bytes_per_s; /* the most that a user moves; 0: any */
	/* The times of the phases are put off by what the run stood still. */
	bool put_off;
};

static inline const struct target *
workers_target_of(const struct workers_plan *plan, unsigned user)
{
	return plan->targets[user % plan->target_count].target;
}

enum workers_stage {
	WORKERS_SETUP,
	WORKERS_WARMUP,
	WORKERS_MEASURE,
	WORKERS_RAMP_DOWN,
	WORKERS_CLEANUP
};

/* What can be seen of a running point, once a second. */
struct workers_view {
	enum workers_stage stage;
	unsigned users, ready, alive;
	uint64_t elapsed_ns; /* in this stage */
	uint64_t left_ns;    /* of this stage; CLOCK_NEVER: not known */
	/* Since the point began, all phases together. */
	uint64_t ops, bytes, sum_ns;
	uint64_t mismatches;
	uint64_t measured_bytes; /* of these, in the measured phase */
	/* The longest operation since the last look, one that is not over yet
	 * with the time that it has taken so far. */
	uint64_t peak_ns;
	const char *warning; /* for people, on one line; NULL: none */
};

/* How a point ended. */
struct workers_report {
	int interrupted;  /* by this signal; 0: not */
	int died_user;    /* the first user that died, or -1 */
	int died_signal;  /* what killed it; 0: it exited ... */
	int died_status;  /* ... with this status */
	bool stuck;       /* users were killed since they did not end */
	char deadlock[512]; /* who waits for whom for ever; empty: nobody */
	uint64_t stood_still_ns; /* the whole run was stopped for so long */
	uint64_t start_ns, end_ns; /* of the measured window; 0: none */
	struct seconds seconds; /* of it; the caller closes them */
};

/*
 * Plays a point. `stats` has been mapped for plan->users. `tick` is called
 * once a second. Returns 0 when the point ran, however it ended (report), or
 * -errno with `error` set: the users could not be started.
 */
int workers_run(const struct workers_plan *plan, struct stats *stats,
		void (*tick)(void *context, const struct workers_view *view),
		void *context, struct workers_report *report,
		struct error *error);

#endif
