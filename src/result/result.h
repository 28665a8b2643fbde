/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result: what was measured, as plain data. Writers turn it into text or
 * JSON and know nothing else; only collect.c reads what the engine left.
 */
#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include "base/phases.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many durations lay where: the cells of base/histogram.h that hold any. */
struct result_histogram {
	uint64_t min_ns, max_ns; /* the true ones */
	uint64_t longer;         /* beyond all cells */
	struct result_cell {
		uint64_t from_ns, count;
	} *cells;
	size_t cell_count;
};

/* Percentiles that there are too few samples for are 0. */
struct result_latency {
	uint64_t count;
	double mean_ns;
	uint64_t p50_ns, p90_ns, p95_ns, p99_ns, p99_9_ns, max_ns;
	/* Only of a repeat, and only where the settings ask for it. */
	struct result_histogram *histogram;
};

struct result_operation {
	char *name; /* the loadfile's own word */
	uint64_t count, bytes, errors, mismatches, sum_ns;
	struct result_latency latency;
};

/* CPU that the users' processes took while they were measured. */
struct result_cpu {
	double user_s, system_s;
	double per_op_us; /* both together; 0 when there were no operations */
	double utilisation; /* of all the machine's processors, 0 to 1 */
	uint64_t waits;       /* context switches that they asked for ... */
	uint64_t preemptions; /* ... and those that they did not */
};

/* The figures of one repeat, or of all repeats of a point. */
struct result_figures {
	double seconds; /* the measured window */
	double mb_per_s, ops_per_s; /* of no meaning where it is not valid */
	uint64_t ops, bytes, loops, errors, mismatches, skipped;
	/* Operations of the slowest, the median and the fastest user. */
	uint64_t min_user_ops, median_user_ops, max_user_ops;
	uint64_t *user_ops; /* of each user; only with histograms */
	size_t user_ops_count;
	double late_ms; /* timed loads: mean lateness; 0 otherwise */
	double stood_still_s; /* stopped from outside, for so long */
	uint64_t silent_s; /* whole seconds without any operation */
	/* The longest that one operation kept a user, where that is 1 s or
	 * more and not usual for that operation; otherwise 0. */
	double held_up_s;
	struct result_cpu client_cpu;
	struct result_latency latency;
	struct result_latency loop; /* how long whole loops of the load took */
	struct result_operation *operations; /* those that were played */
	size_t operation_count;
};

/* The figures of one user. */
struct result_user {
	uint64_t ops;   /* since the start line */
	uint64_t bytes; /* measured */
	struct result_operation *operations;
	size_t operation_count;
};

/* One loop of one user, in ms; `at_ms` is counted from the start line. */
struct result_loop {
	unsigned user;
	uint32_t took_ms, at_ms;
};

/* Some second of the measured window. */
struct result_second {
	double at_s;     /* its end, counted from the window's begin */
	double mb_per_s;
	uint64_t p99_ns; /* 0: not known */
};

/* Reasons, each a clause for people. */
struct result_reasons {
	char **texts;
	size_t count;
};

/* One measurement. */
struct result_repeat {
	unsigned users;
	char started[32]; /* ISO 8601 */
	unsigned order;   /* its place among all measurements, from 1 */
	unsigned pair;    /* of which pair it is one half, from 1; 0: none */
	/* When the measured window began, in seconds since the epoch; only with
	 * histograms, else 0. */
	double began_s;
	struct result_reasons invalid; /* empty: the repeat is valid */
	struct result_reasons warnings;
	struct result_figures figures;
	struct result_second *per_second;
	size_t second_count;
	/* Only where the settings ask for it. */
	struct result_user *each_user;
	size_t each_user_count;
	struct result_loop *each_loop; /* of the last ones, user by user */
	size_t each_loop_count;
};

/* A user count with its repeats; all but these is what summary.h makes of
 * them. */
struct result_point {
	unsigned users;
	struct result_repeat *repeats; /* as they were measured */
	size_t repeat_count;           /* 1 at the least */

	struct result_reasons invalid; /* empty: all its repeats are valid */
	struct result_reasons warnings;
	struct result_figures figures;
	/* mb_per_s over the repeats; spread is (max - min) / median. */
	double mb_per_s_min, mb_per_s_max, spread;
	/* How much more mb_per_s than the valid point before it: 0.5 is a half
	 * more; NAN: there is none. */
	double gain;
};

/* A figure and the interval that holds it with 95 % confidence. */
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
	double peak_users; /* NAN: none within what was measured */
};

/* The most users with which a condition held, there and at all points below. */
struct result_limit {
	char *condition; /* "p99<50ms" */
	unsigned users;  /* 0: with none */
};

/* A target as it was found. */
struct result_target {
	char *url, *backend, *library, *library_version, *kind;
	char *protection; /* on the wire: "encrypted" ... or "" */
	uint64_t free_bytes; /* UINT64_MAX: not known */
	bool in_memory, answers;
	bool remote; /* the client's system time is its own, too */
};

/* Operations that are not played as the load has them. */
enum result_how { RESULT_SKIPPED, RESULT_DEGRADED, RESULT_EMULATED };
struct result_unsupported {
	char *name; /* the loadfile's own word */
	enum result_how how;
	char *cannot; /* what the target cannot do */
	uint64_t ops; /* a loop */
	double share; /* of the load's operations, 0 to 1 */
};

/* Description of a run, for the header and for provenance. */
struct result_run {
	char *version, *command, *host, *kernel;
	char started[32];
	unsigned cpus;
	uint64_t memory_bytes;
	struct {
		char *name, *dialect, *sha256; /* sha256: NULL: not wanted */
		uint64_t ops, read_bytes, write_bytes, footprint_bytes;
		uint64_t open_reads; /* not in read_bytes: not recorded */
		uint64_t synced; /* operations that wait for the disk */
	} loadfile;
	struct result_target *targets;
	size_t target_count;
	/* Operations of the load that the targets cannot play. */
	struct result_unsupported *unsupported;
	size_t unsupported_count;
	uint64_t seed;
	/* Options as they took effect, name and value in turn. */
	char **options;
	size_t option_count;
	/* The plan: the points, and how each is measured. */
	unsigned *user_counts;
	size_t user_count_count;
	unsigned users_from; /* the number of the first user */
	unsigned repeats;  /* of each point */
	unsigned pairs;    /* the budget of pairs; 0: not measured in pairs */
	bool random_order; /* of the points */
	struct phases phases;
	unsigned measured; /* repeats, so far */
	char *stopped_by;  /* what made it end before its last point, or NULL */
	uint64_t resumed;  /* how often it was, after an interruption */
	/* The share of the processors' time that other things took before the
	 * first point, 0 to 1; the largest where the run was resumed. */
	double busy_before;
};

struct result {
	struct result_run run;
	struct result_point *points; /* those measured, fewest users first */
	size_t point_count;
	/* Derived from the points, see summary.h. */
	size_t peak; /* the valid point with most mb_per_s; SIZE_MAX: none */
	struct result_usl usl;
	struct result_limit *limits;
	size_t limit_count;
};

void result_free(struct result *result);

/*
 * Appends a repeat, begun now, to the point of `users` users, which is made
 * where it is missing. Points may move. Returns NULL: no memory.
 */
struct result_repeat *result_add_repeat(struct result *result, unsigned users);

/* The point of `users` users, or NULL. */
struct result_point *result_find_point(const struct result *result,
				       unsigned users);

/* Remove invalid repeats, and points that have no repeat left. */
void result_drop_invalid(struct result *result);

/* The point's last repeat. */
static inline struct result_repeat *
result_last_repeat(const struct result_point *point)
{
	return &point->repeats[point->repeat_count - 1];
}

void result_free_reasons(struct result_reasons *reasons);
void result_free_figures(struct result_figures *figures);

/* Adds a clause to the reasons. What memory does not allow is left out. */
void result_add_reason(struct result_reasons *reasons, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds an option to the run's provenance. */
void result_add_option(struct result_run *run, const char *name,
		       const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The current time in ISO 8601, UTC. */
void result_time_stamp(char text[32]);

static inline bool result_is_valid(const struct result_point *point)
{
	return point->invalid.count == 0;
}

static inline bool result_repeat_is_valid(const struct result_repeat *repeat)
{
	return repeat->invalid.count == 0;
}

#endif
