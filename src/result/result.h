/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result: what was measured, as plain data. Writers turn it into text or
 * JSON and know nothing else; only fill.c and failure.c read what the engine left.
 */
#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Percentiles that there are too few samples for are 0. */
struct result_latency {
	uint64_t count;
	double mean_ns;
	uint64_t p50_ns, p90_ns, p95_ns, p99_ns, p99_9_ns, max_ns;
};

struct result_operation {
	char *name; /* the loadfile's own word */
	uint64_t count, bytes, errors, mismatches, sum_ns;
	struct result_latency latency;
};

/* What one user did. */
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

struct result_cpu {
	double user_s, system_s;
	double per_op_us; /* both together; 0 when there were no operations */
	double utilisation; /* of all the machine's processors, 0 to 1 */
};

/* Reasons, each a clause for people. */
struct result_reasons {
	char **texts;
	size_t count;
};

struct result_point {
	unsigned users;
	char started[32]; /* ISO 8601 */
	struct result_reasons invalid; /* empty: the point is valid */
	struct result_reasons doubts;
	double seconds; /* the measured window */
	double mb_per_s, ops_per_s; /* of no meaning in an invalid point */
	uint64_t ops, bytes, loops, errors, mismatches, skipped;
	/* What the slowest, the middle and the fastest user played. */
	uint64_t least_user_ops, median_user_ops, most_user_ops;
	double late_ms; /* timed loads: mean lateness; 0 otherwise */
	struct result_cpu client_cpu;
	struct result_latency latency;
	struct result_operation *operations; /* those that were played */
	size_t operation_count;
	/* Only where the settings ask for it. */
	struct result_user *each_user;
	size_t each_user_count;
	struct result_loop *each_loop; /* of the last ones, user by user */
	size_t each_loop_count;
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
enum result_how { RESULT_SKIPPED, RESULT_WEAKENED, RESULT_STAND_IN };
struct result_lack {
	char *name; /* the loadfile's own word */
	enum result_how how;
	const char *cannot; /* what the target lacks; not allocated */
	uint64_t ops; /* a loop */
	double share; /* of the load's operations, 0 to 1 */
};

/* What a run was, for the header and for provenance. */
struct result_run {
	char *version, *command, *host, *kernel;
	char started[32];
	unsigned cpus;
	uint64_t memory_bytes;
	struct {
		char *name, *dialect, *sha256; /* sha256: NULL: not wanted */
		uint64_t ops, read_bytes, write_bytes, footprint_bytes;
		uint64_t synced; /* operations that wait for the disk */
	} loadfile;
	struct result_target *targets;
	size_t target_count;
	/* What of the load the targets cannot play. */
	struct result_lack *lacks;
	size_t lack_count;
	uint64_t seed;
	/* Options as they took effect, name and value in turn. */
	char **options;
	size_t option_count;
	unsigned *user_counts;
	size_t user_count_count;
	uint64_t time_ns, warmup_ns, loops;
	bool from_start;
};

struct result {
	struct result_run run;
	struct result_point *points;
	size_t point_count;
};

void result_free(struct result *result);

/* Appends a point for `users` users, begun now. Returns NULL: no memory. */
struct result_point *result_add_point(struct result *result, unsigned users);

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

#endif
