/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run is asked to do, as plain data.
 */
#ifndef JOB_SETTINGS_H
#define JOB_SETTINGS_H

#include "base/error.h"
#include "engine/bind.h"
#include "program/transform.h"
#include "result/condition.h"

struct settings {
	bool strict;
	const char *loadfile; /* NULL: the built-in one */
	uint64_t load_bytes_max; /* the memory it may take; 0: as load.h says */
	unsigned *user_counts; /* the points, in order; allocated */
	size_t user_count_count;
	unsigned repeats;  /* how often each is measured */
	bool random_order; /* they are measured in random order */
	/* When to try no more users, what they are to keep within, and what
	 * is a failure at any point. */
	struct condition *stops, *limits, *failures;
	size_t stop_count, limit_count, failure_count;
	bool stop_when_flat;
	uint64_t time_ns;
	uint64_t warmup_ns;
	uint64_t ramp_down_ns; /* played after it, not counted */
	uint64_t settle_ns;    /* a pause between measurements */
	uint64_t loops; /* 0: by time */
	bool from_start;
	uint64_t seed;
	uint64_t mismatches_allowed;
	bool keep;
	bool use_existing;
	bool take_over; /* runs that cannot be seen from here have ended */
	bool put_off;  /* a run that stood still goes on for longer */
	bool dbench_workdir; /* directories are used without a marker in them */
	bool quiet;    /* warnings are for people */
	bool histograms; /* the result has them, to be merged with others */
	unsigned first_user; /* users are numbered from here on */
	uint64_t start_at_ns; /* since the epoch; 0: when they are ready */
	bool log_loops;  /* the result has each loop's time ... */
	bool each_user;  /* ... and what each user did */
	uint64_t bytes_per_s; /* the most that a user moves; 0: any */
	enum data_kind data;
	struct transform transform;
};

/* Frees what the settings hold that was allocated. */
void settings_free(struct settings *settings);

/*
 * Reads a list of user counts: `8`, `1,2,4`, `1-64x2` (doubling), `4-60+4`
 * (steps), in any mix with commas; what comes twice counts once. Returns 0 with
 * an allocated list in place of the one in *counts, which may be NULL; or
 * -errno with `error` set.
 */
int settings_parse_users(const char *text, unsigned **counts, size_t *count,
			 struct error *error);

/*
 * Reads conditions, a list of texts ended by NULL, or NULL; `option` is whose.
 * A text `flat` sets *flat where that is not NULL. Returns 0, or -errno with
 * `error` set; the list is allocated.
 */
int settings_parse_conditions(const char *const *texts, const char *option,
			      struct condition **conditions, size_t *count,
			      bool *flat, struct error *error);

#endif
