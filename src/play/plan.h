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
#include "workdir/identity.h"

/* One of the targets of a run. */
struct workers_target {
	const struct target *target;
	struct backend_facts facts; /* from targets_probe */
	/* The run must clean up the target. False for a second URL of a target
	 * that the run has already claimed. */
	bool claimed;
	int lock_fd;  /* locks the target while open; -1: not locked */
	bool made;    /* the run made `clients` */
	bool trusted; /* as in struct workdir_claim */
	/* An array in shared memory, one element per shared name of the loads
	 * (outside.h). True: the name did not exist before the run. */
	bool *absent;
	int gone; /* -errno if the target no longer answers; 0: it answers */
};

struct verification;

/* The plan of a point. */
struct workers_plan {
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
	struct phases phases;
	uint64_t seed;
	uint64_t mismatches_allowed; /* max number for all users together */
	bool procedures;             /* all targets have NFS procedures (backend.h) */
	bool keep;                   /* don't remove the users' files */
	bool use_existing;           /* as in struct workdir_request */
	bool take_over;              /* as in struct workdir_request */
	/* Work directories without a marker (workdir/workdir_dbench.h). */
	bool dbench_workdir;
	bool verify; /* compare what is read with what was written */
	/* With `verify`, while a point is played; NULL: not yet. */
	struct verification *verification;
	uint64_t bytes_per_s; /* max rate of a user; 0: unlimited */
	/* Latencies are service times, also of operations with due times, as
	 * in dbench. */
	bool service_times;
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
