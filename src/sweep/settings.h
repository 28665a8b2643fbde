/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The settings of a run, as plain data: where the options of the command line
 * end, and what the code below reads.
 */
#ifndef SWEEP_SETTINGS_H
#define SWEEP_SETTINGS_H

#include "adapt/transform.h"
#include "base/error.h"
#include "load/setting.h"
#include "play/bind.h"
#include "result/condition.h"
#include "words/phases.h"

struct settings {
	bool strict;
	/* The words of --loadfile, ended by NULL; NULL: the built-in load. */
	const char *const *loadfiles;
	/* Max memory for each load; 0: limit of load.h. */
	uint64_t load_bytes_max;
	/* Values for parameters of the load; allocated. */
	struct load_setting *load_settings;
	size_t load_setting_count;
	unsigned *user_counts; /* the points, in order; allocated */
	size_t user_count_count;
	unsigned repeats;  /* number of measurements of each point */
	bool random_order; /* measure the points in random order */
	/* The conditions of --stop-when, --limit and --fail-if. */
	struct condition *stops, *limits, *failures;
	size_t stop_count, limit_count, failure_count;
	bool stop_when_flat;
	/* The condition of --find-rate; NULL: no rate is searched. Allocated. */
	struct condition *rate_limit;
	struct phases phases;
	uint64_t seed;
	uint64_t mismatches_allowed;
	bool keep;
	const char *workdir;  /* as in struct rundir_request (workdir/rundir.h) */
	bool like_dbench;     /* the same */
	bool use_existing;    /* with `workdir`: the load may change what exists */
	bool postpone;        /* postpone the phases by the time of a SIGSTOP */
	bool quiet;           /* print no warnings */
	bool histograms;      /* keep the histograms in the result */
	bool log_loops;       /* keep the time of each loop in the result */
	bool each_user;       /* keep the figures of each user in the result */
	bool user_operations; /* also those of its operations, but only in memory */
	uint64_t bytes_per_s; /* max rate per user; 0: unlimited */
	bool service_times;   /* as in struct workers_plan */
	bool verify;          /* compare what is read with what was written */
	bool one_stream;      /* as in struct workers_plan */
	enum data_kind data;
	uint64_t data_fixed; /* the 8 bytes of DATA_FIXED */
	struct transform transform;
};

/* Free the allocated members of the settings. */
void settings_free(struct settings *settings);

/*
 * Parse a list of user counts: `8`, `1,2,4`, `1-64x2` (doubling), `4-60+4`
 * (steps), or several of these, separated by commas. Duplicates are ignored.
 * Free the list *counts, unless it is NULL, and replace it by an allocated
 * list. Return 0, or -errno with `error` set.
 */
int settings_parse_users(const char *text, unsigned **counts, size_t *count, struct error *error);

/* Parse the data to write: "random", "zero", "pattern" or, as in "0x39c39c39",
 * 1, 2, 4 or 8 bytes. Return 0, or -EINVAL with `error` set. */
int settings_parse_data(const char *text, struct settings *settings, struct error *error);

/*
 * Parse --rate into `field`, a struct program_rate: operations per second, such as
 * "500/s" or "10k", and then ",total" or ",poisson" or both. Return 0, or -EINVAL
 * with `error` set.
 */
int settings_parse_rate(const char *text, const char *name, void *field, struct error *error);

/* Check if this word may follow a rate after a comma. */
bool settings_is_rate_word(const char *word, size_t length);

/*
 * Parse the conditions of `option`. `texts` is a NULL-terminated list, or NULL.
 * If `flat` is not NULL, the text "flat" is allowed and sets it. Return 0, or
 * -errno with `error` set; *conditions is allocated even after an error.
 */
int settings_parse_conditions(const char *const *texts, const char *option,
			      struct condition **conditions, size_t *count, bool *flat,
			      struct error *error);

#endif
