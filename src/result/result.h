/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result: everything that was measured, as plain data. All writers (text,
 * JSON, CSV, HTML) read this structure and nothing else. Points and their
 * repeats have their figures in records (record.h). collect.c fills them in from
 * the engine's tallies.
 */
#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include "result/notice.h"
#include "result/record.h"
#include "words/phases.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A histogram of durations, without the empty cells (base/histogram.h). */
struct result_histogram {
	struct record_key key;   /* of the record that it belongs to */
	const char *of;          /* the figures that it shows: "latency", "service" ... */
	uint64_t min_ns, max_ns; /* exact, not rounded to a cell */
	uint64_t longer;         /* number of durations too long for any cell */
	struct result_cell {
		uint64_t from_ns; /* the shortest duration in this cell */
		uint64_t count;
	} *cells;
	size_t cell_count;
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
	double p99_ms; /* 0: unknown */
};

/* A command that was run in each second of the measured window (--sample). */
struct result_sampled {
	char *name, *command;
};

/* The numbers that it printed in one measurement. */
struct result_sample {
	double *values; /* one per second, from the first; NAN: unknown */
	size_t value_count;
};

/* A list of texts, each a clause for people. */
struct result_reasons {
	char **texts;
	size_t count;
};

/* Bytes that were read, but are not those that were written (--verify). */
struct result_difference {
	unsigned user;
	char *host; /* of the user, if users play on --hosts; else NULL */
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
	size_t variant;         /* as in struct result_point */
	char started[32];       /* ISO 8601 */
	unsigned order;         /* number in the order of measurement, from 1 */
	unsigned pair;          /* number of its pair, from 1; 0: no pair */
	struct notices invalid; /* empty: the repeat is valid */
	struct notices warnings;
	struct records records;
	struct result_difference *differences; /* the first ones */
	size_t difference_count;
	struct result_second *seconds;
	size_t second_count;
	/* One per result_run.samples; sample_count is 0 if none were kept. */
	struct result_sample *samples;
	size_t sample_count;
	struct result_histogram *histograms; /* only with --histograms */
	size_t histogram_count;
	/* Kept in memory for dbench's output; never written to a file. */
	uint64_t *user_ops;            /* per user, from the start, including the warm-up */
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
	double per_user;        /* operations per second */
	double p99_ms;          /* response time; 0: unknown */
	double completed_share; /* of the scheduled operations, 0 to 1 */
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
 * from the repeats (combine.h). */
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
	struct records records;
};

/* The answer to --limit: the largest user count at which the condition holds,
 * there and at all smaller counts. Each variant has its answer. */
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
	char *name; /* "libsmbclient", or "builtin" for throng's own */
	/* The algorithm of the signatures or, if messages are encrypted, of the
	 * encryption: "AES-128-GMAC". NULL: none, or unknown. */
	char *algorithm;
	struct result_requests requests;
};

/* A target, as the probe before the run found it. */
struct result_target {
	char *url, *backend, *library, *library_version;
	char *kind; /* "ext4", "NFSv3", "SMB 3.1.1" ... */
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
	char *load;   /* name of the load; NULL: there is only one */
};

/* A load, as a user plays it in one loop after all options that change it. */
struct result_load {
	char *name, *dialect;
	char *sha256; /* NULL: not computed */
	/* Number of users that play this load, among as many users as the sum
	 * of the weights of all loads; 0: there is only one load. */
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
	/* Number of its streams, 0 if there is only one, and the reason why they
	 * are played one operation after the other; NULL: they are not. */
	uint64_t streams;
	char *one_stream;
};

/* An axis of a sweep besides the user counts (--sweep): a parameter of the
 * load, an option or "target", and the values that it takes. */
struct result_axis {
	char *name;
	char **values; /* at least 1, all different */
	size_t value_count;
	double *numbers; /* of the values; NULL unless all are different numbers */
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
	struct result_load *loads; /* all variants have the same number */
	size_t load_count;         /* at least 1 */
	struct result_target *targets;
	size_t target_count;
	/* Operations of the loads that the targets do not fully support. */
	struct result_unsupported *unsupported;
	size_t unsupported_count;
	char *stopped_by;      /* why later points are left out, or NULL */
	struct result_usl usl; /* derived from the variant's points (summary.h) */
};

/* One of the hosts on which users play (--hosts). */
struct result_host {
	char *name, *kernel;
	unsigned cpus, usable_cpus; /* usable: by throng there */
	uint64_t memory_bytes;
	double clock_error_ms; /* max error of its clock when it was started */
};

/* Size of a label, with its NUL, and max number of notes and of tables. */
enum { RESULT_LABEL = 65, RESULT_NOTES = 32, RESULT_TABLES = 32 };

/* Max number of commands of --sample. */
enum { RESULT_SAMPLES = 16 };

/* Description of a run, for the header and for provenance. */
struct result_run {
	char label[RESULT_LABEL]; /* the user's name for the result, or "" */
	/* The user's notes: key, value, key, value ... */
	char **notes;
	size_t note_count;
	char *version, *command, *host, *kernel;
	char started[32];
	char ended[32]; /* of the last measurement; "": unknown */
	unsigned cpus;
	uint64_t memory_bytes;
	/* Where users play, with different names; NULL: on this machine. */
	struct result_host *hosts;
	size_t host_count;
	char *launcher; /* the words that start throng there; NULL: unknown */
	uint64_t seed;
	/* The options in effect: name, value, name, value ... */
	char **options;
	size_t option_count;
	/* The texts of the tables that reports show (--table); a file may have any. */
	char **tables;
	size_t table_count;
	/* The plan: the points, and how each is measured. */
	unsigned *user_counts;
	size_t user_count_count;
	struct result_axis *axes; /* the other axes, if any */
	size_t axis_count;
	/* All combinations of their values; the value of the last axis changes
	 * first. Without axes, there is one variant. */
	struct result_variant *variants;
	size_t variant_count;
	struct result_sampled *samples; /* with different names */
	size_t sample_count;
	unsigned repeats;  /* planned number of measurements of each point */
	unsigned pairs;    /* planned max number of pairs; 0: not in pairs */
	bool random_order; /* the points are measured in random order */
	bool open_loop;    /* operations have due times: latencies are response times */
	struct phases phases;
	unsigned measured; /* repeats measured so far */
	uint64_t resumed;  /* number of times the run was resumed */
	/* CPU load of other processes before the first point, 0 to 1 of all
	 * processors. If the run was resumed, the highest one. */
	double busy_before;
};

struct result {
	struct result_run run;
	struct intern names; /* the texts of all records' keys */
	/* Measured so far, sorted by variant, then by user count. */
	struct result_point *points;
	size_t point_count;
	/* The following is derived from the points (summary.h). `peak` is the
	 * index of the valid point with the max mb_per_s; SIZE_MAX: none. */
	size_t peak;
	struct result_limit *limits;
	size_t limit_count;
};

/*
 * Check if at least 99 % of the scheduled operations of a record completed.
 * `in_flight` is the number of operations that may have been in flight at the
 * end of the window, up to one per user: these do not count.
 */
bool result_kept_up(const struct record *record, double in_flight);

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

/* Free everything that the repeat's members point to. */
void result_free_repeat(struct result_repeat *repeat);

void result_free_reasons(struct result_reasons *reasons);

/* Add a formatted clause to the reasons; if memory is short, do nothing. */
void result_add_reason(struct result_reasons *reasons, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Record an option in run->options; if memory is short, do nothing. */
void result_add_option(struct result_run *run, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Add a note to run->notes; if memory is short, do nothing. */
void result_add_note(struct result_run *run, const char *key, const char *value);

/* Replace the tables by copies of these. Return 0 or -ENOMEM. */
int result_set_tables(struct result_run *run, const char *const *texts, size_t count);

/* Return the host with this name, or NULL. */
const struct result_host *result_find_host(const struct result_run *run, const char *name);

/* Return the number of processors that the users can use: of all hosts (NULL) or of one. */
unsigned result_cpus(const struct result_run *run, const char *host);

/* Return the memory of the machines on which users play. */
double result_memory_bytes(const struct result_run *run);

/* Return the index of the sampled command with this name; run->sample_count: there
 * is none. */
size_t result_find_sample(const struct result_run *run, const char *name);

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
