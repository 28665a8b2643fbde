/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan of a point, which is one measurement with a given number of users:
 * the users, their load and their targets.
 */
#ifndef PLAY_PLAN_H
#define PLAY_PLAN_H

#include "play/bind.h"
#include "study/loads.h"
#include "target/backend.h"
#include "words/phases.h"
#include "workdir/rundir.h"

/* One of the targets of a run. */
struct workers_target {
	const struct target *target;
	struct backend_facts facts; /* from targets_probe */
	/* The run file says what the run has made. Users enter its
	 * directory. */
	struct rundir_claim claim;
	/* The number of directories that other or earlier runs have there, and
	 * if there are more. */
	unsigned others;
	bool more_others;
	bool in_use; /* another run uses the target now */
	bool shared; /* the directory stays at the end: another run uses it */
	/* The names that the load has left in the directory of --workdir, for a
	 * message; "": none. */
	char left[256];
	int gone; /* -errno if the target no longer answers; 0: it answers */
};

struct verification;

/* The plan of a point. */
struct workers_plan {
	/* The number of the side and of its variant that this is the plan of
	 * (sweep/steps.h). */
	unsigned side;
	size_t variant;
	const struct loads *loads; /* see workers_load_of */
	/* Measure from the first operation of a load; false: users play their
	 * prologues (profile.h) before the start. */
	bool from_start;
	struct workers_target *targets; /* see workers_target_of */
	unsigned target_count;
	const struct data_pool *pool;
	struct identity run;
	/* This process has `users` of the users_total in the whole run: its
	 * user I, from 0, plays as user first_user + I. */
	unsigned users, first_user, users_total;
	unsigned users_max; /* max number of users of any point of the run */
	/* For each target and each load, at target * loads->count + load: SETUP
	 * shared is left to a user elsewhere. NULL: all users of the run are in
	 * this process. */
	const bool *shared_left;
	struct phases phases;
	uint64_t seed;
	uint64_t mismatches_allowed; /* max number for all users together */
	bool procedures;             /* all targets have NFS procedures (backend.h) */
	bool keep;                   /* don't remove the users' files */
	const char *workdir;         /* as in struct rundir_request */
	bool like_dbench;            /* as in struct rundir_request */
	bool use_existing;           /* with `workdir`: change what exists there */
	/* The loads change nothing in `workdir`: users have no directories, and
	 * the targets are only read. */
	bool read_only;
	bool verify; /* compare what is read with what was written */
	/* With `verify`, while a point is played; NULL: not yet. */
	struct verification *verification;
	uint64_t bytes_per_s; /* max rate of a user; 0: unlimited */
	/* Latencies are service times, also of operations with due times, as
	 * in dbench. */
	bool service_times;
	bool one_stream; /* play the streams of a load one after the other */
	bool log_loops;  /* keep the time of each loop */
	bool each_user;  /* keep the figures of each user */
	/* Postpone the phases by the time for which the run was stopped
	 * (SIGSTOP). */
	bool postpone;
};

/* Return the target of user `user` of this process. */
static inline struct workers_target *workers_target_of(const struct workers_plan *plan,
						       unsigned user)
{
	return &plan->targets[(plan->first_user + user) % plan->target_count];
}

/* Return the load of user `user` of this process. */
static inline const struct load *workers_load_of(const struct workers_plan *plan, unsigned user)
{
	size_t index = loads_index(plan->loads, plan->first_user + user);

	return &plan->loads->list[index];
}

#endif
