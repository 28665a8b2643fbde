/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan of a point: its users, their load and its targets.
 */
#ifndef ENGINE_WORKERS_PLAN_H
#define ENGINE_WORKERS_PLAN_H

#include "backend/backend.h"
#include "engine/bind.h"
#include "engine/identity.h"
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

/* The plan of a point. */
struct workers_plan {
	const struct program *program;
	size_t prologue_end; /* ops before it are played before the start */
	struct workers_target *targets; /* user N plays on N modulo the count */
	unsigned target_count;
	const struct data_pool *pool;
	struct identity run;
	/* The users of this process, which are some of users_total in the whole
	 * run: user I of them, from 0, plays as user first_user + I. */
	unsigned users, first_user, users_total;
	unsigned users_max; /* of all points that are played */
	uint64_t warmup_ns, time_ns, ramp_down_ns;
	uint64_t loops; /* > 0: so many whole loops, and no times */
	uint64_t seed;
	uint64_t mismatches_allowed;
	bool procedures; /* the target has those of NFS (backend.h) */
	bool keep; /* the users' files */
	bool use_existing;
	bool take_over; /* what a run left that cannot be seen from here */
	/* Work directories without a marker (engine/workdir_dbench.h). */
	bool dbench_workdir;
	uint64_t bytes_per_s; /* the most that a user moves; 0: any */
	/* The times of the phases are put off by what the run stood still. */
	bool put_off;
};

/* The target of user `user` of this process. */
static inline struct workers_target *
workers_target_of(const struct workers_plan *plan, unsigned user)
{
	return &plan->targets[(plan->first_user + user) % plan->target_count];
}

#endif
