/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result: everything that was measured, as plain data. All writers (text,
 * JSON, CSV, HTML) read this structure and nothing else. collect.c fills it in
 * from the engine's tallies.
 */
#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include "result/notice.h"
#include "words/operation.h"
#include "words/phases.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A histogram of durations, without the empty cells (base/histogram.h). */
struct result_histogram {
	uint64_t min_ns, max_ns; /* exact, not rounded to a cell */
	uint64_t longer;         /* number of durations too long for any cell */
	struct result_cell {
		uint64_t from_ns; /* the shortest duration in this cell */
		uint64_t count;
	} *cells;
	size_t cell_count;
};

/* Min number of samples for each percentile. With fewer samples, the percentile
 * would always be the longest one. */
enum { SAMPLES_P90 = 10, SAMPLES_P95 = 20, SAMPLES_P99 = 100, SAMPLES_P99_9 = 10000 };

/* A percentile is 0 if there are too few samples for it. */
struct result_latency {
	uint64_t count;
	double mean_ns;
	uint64_t p50_ns, p90_ns, p95_ns, p99_ns, p99_9_ns, max_ns;
	/* All samples. NULL unless this belongs to a repeat that was measured
	 * with --histograms. */
	struct result_histogram *histogram;
};

struct result_operation {
	char *name;               /* as the loadfile spells it */
	enum direction direction; /* of its bytes */
	uint64_t count, bytes, errors, mismatches, sum_ns;
	double mb_per_s, ops_per_s; /* NAN if not valid */
	struct result_latency latency;
};

/* CPU time that the users' processes took in the measured window. */
struct result_cpu {
	double user_s, system_s;
	double per_op_us;     /* user + system time; 0: no operations */
	double utilisation;   /* share of the time of all processors, 0 to 1 */
	uint64_t waits;       /* voluntary context switches */
	uint64_t preemptions; /* involuntary context switches */
};

/* The data that --verify has compared, in bytes. */
struct result_verified {
	uint64_t users;          /* number of users that verified; 0: none */
	uint64_t read_bytes;     /* read from files in any phase */
	uint64_t compared_bytes; /* those of them that were compared */
	uint64_t written_bytes;
	uint64_t read_back_bytes; /* read back at the end, and compared */
	/* Files that could not be read back for lack of permission, and the
	 * bytes written to them. */
	uint64_t unreadable_files, unreadable_bytes;
	uint64_t differences; /* number of reads with a difference */
	/* Number of users with too little memory for the map of their writes:
	 * some of their files were not compared. */
	uint64_t full_maps;
	uint64_t map_bytes; /* memory of the largest map */
};

/*
 * Operations whose due times are in the measured window: all of them, and those
 * that had also ended when it closed. per_s and ended_share are NAN if the
 * operations have no due times (count is 0).
 */
struct result_due {
	uint64_t count, ended;
	double per_s;
	double ended_share; /* 0 to 1 */
};

/*
 * Check if at least 99 % of the due operations ended. `in_flight` is the number
 * of operations that may have been in flight at the end of the window, up to one
 * per user: these do not count.
 */
bool result_kept_up(const struct result_due *due, uint64_t in_flight);

struct result_phase;

/* The figures of one repeat, or of all repeats of a point; or of one phase of
 * the load in these. */
struct result_figures {
	/* Length of the measured window. If the load has phases, the time in
	 * which users waited for each other is not in it. */
	double seconds;
	double mb_per_s, ops_per_s; /* meaningless if not valid */
	/* The parts of mb_per_s that were read and written. NAN: unknown,
	 * because an operation moved data in both directions or in an unknown
	 * one, or because the measurement is not valid. */
	double read_mb_per_s, write_mb_per_s;
	uint64_t ops, bytes, loops, errors, mismatches, skipped;
	/* Operations played by the slowest, the median and the fastest user. */
	uint64_t min_user_ops, median_user_ops, max_user_ops;
	/* Operations of each user; only with --histograms. */
	uint64_t *user_ops;
	size_t user_ops_count;
	struct result_due due;
	/* Share of the users' time that went into restoring the set-up, 0 to
	 * 1. */
	double restore_share;
	double stood_still_s; /* time that the run was suspended (SIGSTOP) */
	uint64_t silent_s;    /* whole seconds without any operation */
	/* The longest time that one operation blocked its user, if that is at
	 * least 1 s and unusually long for that operation; otherwise 0. */
	double held_up_s;
	struct result_verified verified;
	struct result_cpu client_cpu;
	/* Service times or, if operations have due times, response times, and
	 * then together with the times of `unfinished`. */
	struct result_latency latency;
	/*
	 * If operations have due times: from the actual start of an operation to
	 * its end; how late throng started it; and the operations that were due
	 * but had not ended when the window closed: the time since they were
	 * due. They are not in `ops`. No samples: there are no due times.
	 */
	struct result_latency service, lateness, unfinished;
	/* Durations of the loops that ended in the measured window, without
	 * those whose prologue was played before the start (they take less
	 * time). */
	struct result_latency loop;
	struct result_operation *operations; /* only those that were played */
	size_t operation_count;
	/* The figures of the users of each load, in the order of
	 * result_loadfiles. NULL: the run has only one load. */
	struct result_load *loads;
	size_t load_count;
	/* The phases of the load, in its order. If there are several loads, the
	 * figures of each have its phases. */
	struct result_phase *phases;
	size_t phase_count;
};

/* The figures of the users that play one of several loads. */
struct result_load {
	char *name;                    /* as in struct result_loadfile */
	unsigned users;                /* number of users that play it */
	struct result_figures figures; /* without loads */
};

/*
 * One phase of the load (PHASE). Like all figures, its own are sums over the
 * loops and users: figures.seconds is the time that it took in all loops
 * together, and figures.loops how often it was played: the sum over the users.
 */
struct result_phase {
	char *name;
	/* Mean time of a loop, from the start to the end of the slowest
	 * user. */
	double elapsed_s;
	/* Shortest and longest time of one user in one loop. */
	double user_min_s, user_max_s;
	struct result_figures figures;
};

/* Check if the load, or one of several loads, has phases. */
bool result_has_phases(const struct result_figures *figures);

/* Return the mean over the loops of a figure of the phase that is a sum. */
static inline double result_phase_mean(const struct result_phase *phase, double sum)
{
	double seconds = phase->figures.seconds;

	return seconds > 0 ? sum * phase->elapsed_s / seconds : 0;
}

/* The figures of one user. */
struct result_user {
	uint64_t ops;   /* from the start, including the warm-up */
	uint64_t bytes; /* moved in the measured window */
	struct result_operation *operations;
	size_t operation_count;
};

/* One loop of one user; `at_ms` is the time since all users were started. */
struct result_loop {
	unsigned user;
	uint32_t took_ms, at_ms;
};

/* One second of the measured window. */
struct result_second {
	double at_s; /* from the start of the window to the second's end */
	double mb_per_s;
	uint64_t p99_ns; /* 0: unknown */
};

/* A list of texts, each a clause for people. */
struct result_reasons {
	char **texts;
	size_t count;
};

/* Bytes that were read, but are not those that were written (--verify). */
struct result_difference {
	unsigned user;
	char *file;
	uint64_t offset, length; /* of the bytes, up to the last that differs */
	char *kind;              /* verify/difference.h: "zeros" ... */
	char *looks_like;        /* the same in words */
	bool read_back;          /* found by the final read-back */
	char *expected, *found;  /* the first bytes, in hexadecimal */
};

/* One measurement of a point. */
struct result_repeat {
	unsigned users;
	size_t variant;   /* as in struct result_point */
	char started[32]; /* ISO 8601 */
	unsigned order;   /* number in the order of measurement, from 1 */
	unsigned pair;    /* number of its pair, from 1; 0: no pair */
	/* The start of the measured window in seconds since the epoch; 0
	 * without --histograms. */
	double began_s;
	struct notices invalid; /* empty: the repeat is valid */
	struct notices warnings;
	struct result_figures figures;
	struct result_difference *differences; /* the first ones */
	size_t difference_count;
	struct result_second *per_second;
	size_t second_count;
	/* Kept in memory for dbench's output; never written to a file. */
	struct result_user *each_user;
	size_t each_user_count;
	struct result_loop *each_loop; /* the last loops of each user */
	size_t each_loop_count;
};

/* The answer of a step of a search for a rate. */
enum result_answer {
	RESULT_HOLDS,
	RESULT_FAILS,
	/* Throng itself was late, or the condition's figure is unknown. */
	RESULT_UNKNOWN,
};

/* A measurement at one rate. */
struct result_rate_step {
	double per_user;    /* operations per second */
	uint64_t p99_ns;    /* response time; 0: unknown */
	double ended_share; /* of the due operations, 0 to 1 */
	enum result_answer answer;
	char *why; /* reason why it does not hold; NULL: it does */
};

/* The answer to --find-rate: the highest rate at which the condition holds. */
struct result_found_rate {
	char *condition;                /* "p99 < 50 ms" */
	double per_user;                /* operations per second; 0: it holds at none */
	double total;                   /* of all users */
	char *gave_up;                  /* why the search ended early; NULL: it did not */
	struct result_rate_step *steps; /* in the order measured */
	size_t step_count;
};

/* A user count with its repeats. summary_update() derives the other members
 * from the repeats. */
struct result_point {
	unsigned users;
	/* The values of the axes: name, value, name, value ... Empty unless the
	 * sweep has axes. `variant` is the index of the variant with these
	 * values. */
	char **set;
	size_t set_count;
	size_t variant;
	struct result_repeat *repeats; /* in the order measured */
	size_t repeat_count;           /* at least 1 */
	/* With --find-rate, the only repeat is the measurement at the rate that
	 * was found. NULL: no rate was searched. */
	struct result_found_rate *found_rate;

	struct notices invalid; /* empty: all its repeats are valid */
	struct notices warnings;
	struct result_figures figures;
	/* Min and max of mb_per_s over the valid repeats; spread is (max - min)
	 * / median. */
	double mb_per_s_min, mb_per_s_max, spread;
	/* Relative change of mb_per_s since the previous valid point: 0.5 means
	 * 50 % more. NAN if there is no previous valid point. */
	double gain;
};

/* The answer to --limit: the largest user count at which the condition holds,
 * there and at all smaller counts. With axes, each variant has its answer. */
struct result_limit {
	char *condition; /* "p99<50ms" */
	char **set;      /* the variant's values, as in struct result_point */
	size_t set_count;
	unsigned users; /* 0: it holds at no point */
};

/* How a client of SMB sends a load: shares of its operations, 0 to 1. */
struct result_requests {
	double as_recorded; /* as the recorded requests */
	double nearest;     /* by the nearest calls that the client has */
	double skipped;
	/* Mean number per operation; 0: all this is unknown, or the load does
	 * not consist of SMB requests. */
	double round_trips;
};

/* The client that plays on an SMB share. */
struct result_client {
	char *name; /* "libsmbclient", or "raw" for throng's own */
	/* The algorithm of the signatures or, if messages are encrypted, of the
	 * encryption: "AES-128-GMAC". NULL: none, or unknown. */
	char *algorithm;
	struct result_requests requests;
};

/* A target, as the probe before the run found it. */
struct result_target {
	char *url, *backend, *library, *library_version;
	char *kind; /* "ext4", "NFSv3", "SMB3_11" ... */
	/* How the network traffic is protected: "encrypted", "signed" or "". */
	char *protection;
	/* The name is NULL unless the target is an SMB share. */
	struct result_client client;
	uint64_t free_bytes; /* UINT64_MAX: unknown */
	bool in_memory;      /* no data ever reaches a disk */
	bool answers;        /* operations have a real outcome (not null: or tcp:) */
	/* A server on the network, so the users' system time is what the client
	 * costs, not what the target does. */
	bool remote;
	/* The directory of the run there, if it was kept; or NULL. */
	char *directory;
	bool in_use; /* another run used the target when this one began */
};

/* How an operation is played if the targets do not fully support it. */
enum result_how { RESULT_SKIPPED, RESULT_DEGRADED, RESULT_EMULATED };
struct result_unsupported {
	char *name; /* as the loadfile spells it */
	enum result_how how;
	char *cannot; /* the capability that the target lacks: "fsync" ... */
	uint64_t ops; /* number of these operations per loop */
	double share; /* their share of the load's operations, 0 to 1 */
	char *load;   /* name of the load; NULL: the run has only one */
};

/* A load, as a user plays it in one loop after all options that change it. */
struct result_loadfile {
	char *name, *dialect;
	char *sha256; /* NULL: not computed */
	/* Number of users that play this load, among as many users as the sum
	 * of the weights of all loads; 0: the run has only one load. */
	unsigned weight;
	uint64_t ops, read_bytes, write_bytes, footprint_bytes;
	uint64_t shared_footprint_bytes; /* once for all users of a target */
	uint64_t open_reads;             /* reads of unrecorded size, not in read_bytes */
	/* Bytes per loop that are written to files which the loop reads later;
	 * 0 if the load has a set-up or a prologue. */
	uint64_t laid_out_bytes;
	/* Time that a loop takes at least because of its time stamps; 0: it has
	 * none. */
	uint64_t paced_ns;
	uint64_t synced; /* number of operations that wait for the disk */
};

/* An axis of a sweep besides the user counts (--sweep): a parameter of the
 * load, an option or "target", and the values that it takes. */
struct result_axis {
	char *name;
	char **values; /* at least 1, all different */
	size_t value_count;
};

/* An estimate and its 95 % confidence interval. */
struct result_estimate {
	double value, low, high;
};

/*
 * The Universal Scalability Law, fitted to the points (usl.h):
 * X(N) = gamma N / (1 + alpha (N - 1) + beta N (N - 1)).
 */
struct result_usl {
	bool fitted;
	struct result_estimate alpha, beta, gamma;
	double peak_users; /* NAN: not within the measured user counts */
};

/* One combination of the axes' values: what is played, and where. */
struct result_variant {
	char **set; /* as in struct result_point */
	size_t set_count;
	/* The load or the list of loads, as in struct result_run. */
	struct result_loadfile loadfile;
	struct result_loadfile *loadfiles;
	size_t loadfile_count;
	struct result_target *targets;
	size_t target_count;
	struct result_unsupported *unsupported;
	size_t unsupported_count;
	char *stopped_by; /* as in struct result_run, for this variant */
	/* Fitted to the points of this variant, if there are several variants;
	 * derived from the points, as in struct result. */
	struct result_usl usl;
};

/* Size of a label, with its NUL, and max number of notes. */
enum { RESULT_LABEL = 65, RESULT_NOTES = 32 };

/* Description of a run, for the header and for provenance. */
struct result_run {
	char label[RESULT_LABEL]; /* the user's name for the result, or "" */
	/* The user's notes: key, value, key, value ... */
	char **notes;
	size_t note_count;
	char *version, *command, *host, *kernel;
	char started[32];
	unsigned cpus;
	uint64_t memory_bytes;
	/* The load; or, if there are several, the list of them: see
	 * result_loadfiles. With axes, the loads, the targets and the
	 * unsupported operations are those of the first variant. */
	struct result_loadfile loadfile;
	struct result_loadfile *loadfiles;
	size_t loadfile_count; /* 0: there is only one load */
	struct result_target *targets;
	size_t target_count;
	/* Operations of the load that the targets do not fully support. */
	struct result_unsupported *unsupported;
	size_t unsupported_count;
	uint64_t seed;
	/* The options in effect: name, value, name, value ... */
	char **options;
	size_t option_count;
	/* The plan: the points, and how each is measured. */
	unsigned *user_counts;
	size_t user_count_count;
	struct result_axis *axes; /* the other axes, if any */
	size_t axis_count;
	/* All combinations of their values, if there are axes; the value of the
	 * last axis changes first. */
	struct result_variant *variants;
	size_t variant_count;
	unsigned repeats;  /* planned number of measurements of each point */
	unsigned pairs;    /* planned max number of pairs; 0: not in pairs */
	bool random_order; /* the points are measured in random order */
	bool paced;        /* operations have due times: latencies are response times */
	struct phases phases;
	unsigned measured; /* repeats measured so far */
	char *stopped_by;  /* why later points are left out, or NULL */
	uint64_t resumed;  /* number of times the run was resumed */
	/* CPU load of other processes before the first point, 0 to 1 of all
	 * processors. If the run was resumed, the highest one. */
	double busy_before;
};

struct result {
	struct result_run run;
	/* Measured so far, sorted by variant, then by user count. */
	struct result_point *points;
	size_t point_count;
	/* The following is derived from the points (summary.h). `peak` is the
	 * index of the valid point with the max mb_per_s; SIZE_MAX: none. */
	size_t peak;
	struct result_usl usl; /* not fitted if there are several variants */
	struct result_limit *limits;
	size_t limit_count;
};

void result_free(struct result *result);

/*
 * Append a repeat that starts now to the point with `users` users of a variant
 * (0 without axes), and create the point if it is missing. This may move the
 * points in memory. Return NULL if memory is short.
 */
struct result_repeat *result_add_repeat(struct result *result, size_t variant, unsigned users);

/* Return the variant's point with `users` users, or NULL. */
struct result_point *result_find_point(const struct result *result, size_t variant, unsigned users);

/* Remove invalid repeats, and points that have no valid repeat. */
void result_drop_invalid(struct result *result);

static inline struct result_repeat *result_last_repeat(const struct result_point *point)
{
	return &point->repeats[point->repeat_count - 1];
}

/* Return the loads of a run, and set *count to their number, at least 1. */
static inline const struct result_loadfile *result_loadfiles(const struct result_run *run,
							     size_t *count)
{
	*count = run->loadfile_count > 0 ? run->loadfile_count : 1;
	return run->loadfile_count > 0 ? run->loadfiles : &run->loadfile;
}

void result_free_reasons(struct result_reasons *reasons);
void result_free_figures(struct result_figures *figures);

/* Add a formatted clause to the reasons; if memory is short, do nothing. */
void result_add_reason(struct result_reasons *reasons, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Record an option in run->options; if memory is short, do nothing. */
void result_add_option(struct result_run *run, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Add a note to run->notes; if memory is short, do nothing. */
void result_add_note(struct result_run *run, const char *key, const char *value);

/* Write the current time in ISO 8601, UTC. */
void result_time_stamp(char text[32]);

static inline bool result_is_valid(const struct result_point *point)
{
	return point->invalid.count == 0;
}

/* Check if a search for a rate (--find-rate) ended without an answer. */
static inline bool result_lacks_rate(const struct result_point *point)
{
	return result_is_valid(point) && point->found_rate != NULL &&
	       point->found_rate->per_user == 0 && point->found_rate->gave_up != NULL;
}

static inline bool result_repeat_is_valid(const struct result_repeat *repeat)
{
	return repeat->invalid.count == 0;
}

#endif
