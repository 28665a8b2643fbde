/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The settings of a run, as plain data.
 */
#ifndef JOB_SETTINGS_H
#define JOB_SETTINGS_H

#include "base/error.h"
#include "base/phases.h"
#include "engine/bind.h"
#include "program/transform.h"
#include "result/condition.h"

struct settings {
	bool strict;
	const char *loadfile; /* NULL: the built-in one */
	uint64_t load_bytes_max; /* memory limit; 0: the default of load.h */
	unsigned *user_counts; /* the points, in order; allocated */
	size_t user_count_count;
	unsigned repeats;  /* of each point */
	bool random_order; /* measure the points in random order */
	/* Conditions to end the sweep, limits to find the max number of users
	 * for, and failures at any point. */
	struct condition *stops, *limits, *failures;
	size_t stop_count, limit_count, failure_count;
	bool stop_when_flat;
	struct phases phases;
	uint64_t seed;
	uint64_t mismatches_allowed;
	bool keep;
	bool use_existing;
	bool take_over; /* assume that runs that cannot be seen have ended */
	bool put_off;  /* postpone the phases by the time of a stop (SIGSTOP) */
	bool dbench_workdir; /* directories without a marker */
	bool quiet;    /* no warnings for people */
	bool histograms; /* keep them in the result, to merge it with others */
	unsigned first_user; /* number of the first user */
	uint64_t start_at_ns; /* since the epoch; 0: when users are ready */
	bool log_loops;  /* keep the time of each loop in the result ... */
	bool each_user;  /* ... and the figures of each user */
	uint64_t bytes_per_s; /* max rate of a user; 0: unlimited */
	enum data_kind data;
	struct transform transform;
};

/* Free the allocated members of the settings. */
void settings_free(struct settings *settings);

/*
 * Parse a list of user counts: `8`, `1,2,4`, `1-64x2` (doubling), `4-60+4`
 * (steps), in any mix with commas; ignore duplicates. Return 0 with an
 * allocated list in place of the one in *counts, which may be NULL; or -errno
 * with `error` set.
 */
int settings_parse_users(const char *text, unsigned **counts, size_t *count,
			 struct error *error);

/*
 * Parse the conditions of `option`, a NULL-terminated list of texts, or NULL.
 * The text `flat` sets *flat, unless `flat` is NULL. Return 0, or -errno with
 * `error` set; the list is allocated in any case.
 */
int settings_parse_conditions(const char *const *texts, const char *option,
			      struct condition **conditions, size_t *count,
			      bool *flat, struct error *error);

#endif
