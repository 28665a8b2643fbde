/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures of a result. This table is the only description of a figure: its
 * name in JSON, CSV and conditions, its unit, its heading in tables, and how the
 * repeats of a point combine.
 */
#ifndef RESULT_FIGURES_H
#define RESULT_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

/* Min number of samples for each percentile. With fewer samples, the percentile
 * would always be the longest one. */
enum { SAMPLES_P90 = 10, SAMPLES_P95 = 20, SAMPLES_P99 = 100, SAMPLES_P99_9 = 10000 };

/* Kinds of figures. The name of a time or share ends with its unit. */
enum figure_form {
	FORM_COUNT,
	FORM_BYTES,
	FORM_MB_PER_S,
	FORM_PER_S,
	FORM_S,     /* a time in seconds: NAME_s */
	FORM_MS,    /* NAME_ms */
	FORM_US,    /* NAME_us */
	FORM_MEAN,  /* the mean of a count */
	FORM_SHARE, /* from 0 to 1, shown in per cent: NAME_share */
};

/* How to combine a figure's known values in the repeats of a point. */
enum figure_combine {
	COMBINE_NOT, /* computed from other figures of the point */
	COMBINE_SUM,
	COMBINE_MEAN,
	COMBINE_MEDIAN,
	COMBINE_MIN,
	COMBINE_MAX,
};

/* clang-format off */

/*
 * The table: an identifier (enum figure has FIGURE_ before it), the name, the
 * form, how to combine, and members of struct figure_info. Operations have only
 * the figures up to MAX_MS, and users those up to PREEMPTIONS.
 */
#define FIGURES_LIST(X) \
	X(OPS, "ops", FORM_COUNT, COMBINE_MEAN, .added = true) \
	X(BYTES, "bytes", FORM_BYTES, COMBINE_MEAN, .added = true) \
	X(ERRORS, "errors", FORM_COUNT, COMBINE_MEAN, .heading = "errors", .added = true) \
	X(MISMATCHES, "mismatches", FORM_COUNT, COMBINE_MEAN, .heading = "mismatches", \
	  .added = true) \
	/* The sum of the operations' times. */ \
	X(TIME_S, "time_s", FORM_S, COMBINE_MEAN, .decimals = 9, .added = true) \
	X(MB_PER_S, "mb_per_s", FORM_MB_PER_S, COMBINE_MEDIAN, \
	  .heading = "MB/s", .more_is_better = true, .derived = true) \
	X(OPS_PER_S, "ops_per_s", FORM_PER_S, COMBINE_MEDIAN, \
	  .heading = "ops/s", .more_is_better = true, .derived = true) \
	/* Share of time_s of all operations. */ \
	X(TIME_SHARE, "time_share", FORM_SHARE, COMBINE_NOT, .derived = true) \
	/*
	 * Service times or, if operations have due times, response times, and
	 * then together with the times of unfinished operations.
	 */ \
	X(MEAN_MS, "mean_ms", FORM_MS, COMBINE_MEDIAN, .heading = "mean", .decimals = 9) \
	X(P50_MS, "p50_ms", FORM_MS, COMBINE_MEDIAN, .heading = "p50") \
	X(P90_MS, "p90_ms", FORM_MS, COMBINE_MEDIAN, .heading = "p90", .samples = SAMPLES_P90) \
	X(P95_MS, "p95_ms", FORM_MS, COMBINE_MEDIAN, .heading = "p95", .samples = SAMPLES_P95) \
	X(P99_MS, "p99_ms", FORM_MS, COMBINE_MEDIAN, .heading = "p99", .samples = SAMPLES_P99) \
	X(P99_9_MS, "p99_9_ms", FORM_MS, COMBINE_MEDIAN, .heading = "p99_9", .also = "p99.9", \
	  .samples = SAMPLES_P99_9) \
	X(MAX_MS, "max_ms", FORM_MS, COMBINE_MAX, .heading = "max") \
	\
	/* Length of the measured window, without the time in which users waited \
	 * for each other at the phases of a load. */ \
	X(SECONDS, "seconds", FORM_S, COMBINE_MEAN, .decimals = 9) \
	/* The parts of mb_per_s. Unknown if an operation moved data in both \
	 * directions or in an unknown one. */ \
	X(READ_MB_PER_S, "read_mb_per_s", FORM_MB_PER_S, COMBINE_MEDIAN, \
	  .heading = "read MB/s", .more_is_better = true, .derived = true) \
	X(WRITE_MB_PER_S, "write_mb_per_s", FORM_MB_PER_S, COMBINE_MEDIAN, \
	  .heading = "write MB/s", .more_is_better = true, .derived = true) \
	/* Operations that the load names as the items of a phase; of a load, the \
	 * sum of its phases, if all have items. */ \
	X(ITEMS, "items", FORM_COUNT, COMBINE_MEAN, .optional = true) \
	X(ITEMS_PER_S, "items_per_s", FORM_PER_S, COMBINE_MEDIAN, \
	  .heading = "items/s", .more_is_better = true, .derived = true) \
	X(LOOPS, "loops", FORM_COUNT, COMBINE_MEAN) \
	X(SKIPPED, "skipped", FORM_COUNT, COMBINE_MEAN, .heading = "skipped") \
	/* Operations in flight at a time: the sum of their service times divided by \
	 * `seconds`. Of all users, and the mean of a user. */ \
	X(IN_FLIGHT, "in_flight", FORM_MEAN, COMBINE_MEDIAN, \
	  .heading = "in flight", .more_is_better = true, .derived = true) \
	X(USER_IN_FLIGHT, "user_in_flight", FORM_MEAN, COMBINE_MEDIAN, \
	  .heading = "per user", .more_is_better = true, .derived = true) \
	/* CPU time of the users' processes, and its share of the time of all \
	 * processors. */ \
	X(USER_S, "user_s", FORM_S, COMBINE_MEAN) \
	X(SYSTEM_S, "system_s", FORM_S, COMBINE_MEAN) \
	X(CPU_SHARE, "cpu_share", FORM_SHARE, COMBINE_MEDIAN, .heading = "CPU", .derived = true) \
	X(CPU_PER_OP_US, "cpu_per_op_us", FORM_US, COMBINE_MEDIAN, .heading = "CPU/op", \
	  .derived = true) \
	/* Context switches: voluntary and involuntary. */ \
	X(WAITS, "waits", FORM_COUNT, COMBINE_MEAN) \
	X(PREEMPTIONS, "preemptions", FORM_COUNT, COMBINE_MEAN) \
	/* The mean time of a loop of a phase, from the start to the end of the \
	 * slowest user; of their load, the sum with the time before the first one. \
	 * Only of phases: the shortest and longest time of one user in one loop. */ \
	X(ELAPSED_S, "elapsed_s", FORM_S, COMBINE_MEDIAN, .decimals = 9) \
	X(ELAPSED_USER_MIN_S, "elapsed_user_min_s", FORM_S, COMBINE_MIN, .decimals = 9) \
	X(ELAPSED_USER_MAX_S, "elapsed_user_max_s", FORM_S, COMBINE_MAX, .decimals = 9) \
	/* Operations of the slowest, the median and the fastest user. */ \
	X(USER_OPS_MIN, "user_ops_min", FORM_COUNT, COMBINE_MEDIAN) \
	X(USER_OPS_MEDIAN, "user_ops_median", FORM_COUNT, COMBINE_MEDIAN) \
	X(USER_OPS_MAX, "user_ops_max", FORM_COUNT, COMBINE_MEDIAN) \
	\
	/* Operations that were scheduled for the measured window, and those of
	 * \ them that had completed when it closed. */ \
	X(SCHEDULED, "scheduled", FORM_COUNT, COMBINE_MEAN, .open_loop = true, .optional = true) \
	X(SCHEDULED_COMPLETED, "scheduled_completed", FORM_COUNT, COMBINE_MEAN, .open_loop = true, \
	  .optional = true) \
	X(SCHEDULED_PER_S, "scheduled_per_s", FORM_PER_S, COMBINE_MEDIAN, \
	  .heading = "scheduled/s", .open_loop = true, .derived = true) \
	X(COMPLETED_SHARE, "completed_share", FORM_SHARE, COMBINE_MEDIAN, \
	  .heading = "completed", .more_is_better = true, .open_loop = true, .derived = true) \
	/* In an open-loop replay: from the actual start of an operation to its
	 * end; how \ late throng started it; and, of scheduled operations that
	 * had not completed \ when the window closed, the time since they were
	 * due. The last are not in \ `ops`. */ \
	X(SERVICE_COUNT, "service_count", FORM_COUNT, COMBINE_MEAN, .open_loop = true, \
	  .optional = true) \
	X(SERVICE_MEAN_MS, "service_mean_ms", FORM_MS, COMBINE_MEDIAN, .open_loop = true, \
	  .decimals = 9) \
	X(SERVICE_P50_MS, "service_p50_ms", FORM_MS, COMBINE_MEDIAN, \
	  .heading = "service p50", .open_loop = true) \
	X(SERVICE_P90_MS, "service_p90_ms", FORM_MS, COMBINE_MEDIAN, .open_loop = true, \
	  .samples = SAMPLES_P90) \
	X(SERVICE_P95_MS, "service_p95_ms", FORM_MS, COMBINE_MEDIAN, .open_loop = true, \
	  .samples = SAMPLES_P95) \
	X(SERVICE_P99_MS, "service_p99_ms", FORM_MS, COMBINE_MEDIAN, \
	  .heading = "service p99", .open_loop = true, .samples = SAMPLES_P99) \
	X(SERVICE_P99_9_MS, "service_p99_9_ms", FORM_MS, COMBINE_MEDIAN, .open_loop = true, \
	  .samples = SAMPLES_P99_9) \
	X(SERVICE_MAX_MS, "service_max_ms", FORM_MS, COMBINE_MAX, \
	  .heading = "service max", .open_loop = true) \
	X(LATENESS_COUNT, "lateness_count", FORM_COUNT, COMBINE_MEAN, .open_loop = true, \
	  .optional = true) \
	X(LATENESS_MEAN_MS, "lateness_mean_ms", FORM_MS, COMBINE_MEDIAN, .open_loop = true, \
	  .decimals = 9) \
	X(LATENESS_P50_MS, "lateness_p50_ms", FORM_MS, COMBINE_MEDIAN, \
	  .heading = "lateness p50", .open_loop = true) \
	X(LATENESS_P90_MS, "lateness_p90_ms", FORM_MS, COMBINE_MEDIAN, .open_loop = true, \
	  .samples = SAMPLES_P90) \
	X(LATENESS_P95_MS, "lateness_p95_ms", FORM_MS, COMBINE_MEDIAN, .open_loop = true, \
	  .samples = SAMPLES_P95) \
	X(LATENESS_P99_MS, "lateness_p99_ms", FORM_MS, COMBINE_MEDIAN, \
	  .heading = "lateness p99", .open_loop = true, .samples = SAMPLES_P99) \
	X(LATENESS_P99_9_MS, "lateness_p99_9_ms", FORM_MS, COMBINE_MEDIAN, .open_loop = true, \
	  .samples = SAMPLES_P99_9) \
	X(LATENESS_MAX_MS, "lateness_max_ms", FORM_MS, COMBINE_MAX, \
	  .heading = "lateness max", .open_loop = true) \
	X(UNFINISHED, "unfinished", FORM_COUNT, COMBINE_MEAN, \
	  .heading = "unfinished", .open_loop = true, .optional = true) \
	X(UNFINISHED_MEAN_MS, "unfinished_mean_ms", FORM_MS, COMBINE_MEDIAN, .open_loop = true, \
	  .decimals = 9) \
	X(UNFINISHED_MAX_MS, "unfinished_max_ms", FORM_MS, COMBINE_MAX, .open_loop = true) \
	/* Durations of the loops that ended in the measured window, without those \
	 * whose prologue was played before the start (they take less time). */ \
	X(LOOP_COUNT, "loop_count", FORM_COUNT, COMBINE_MEAN, \
	  .optional = true) \
	X(LOOP_MEAN_S, "loop_mean_s", FORM_S, COMBINE_MEDIAN, \
	  .decimals = 9) \
	X(LOOP_S, "loop_s", FORM_S, COMBINE_MEDIAN, .heading = "loop", .decimals = 9) \
	X(LOOP_P90_S, "loop_p90_s", FORM_S, COMBINE_MEDIAN, .decimals = 9) \
	X(LOOP_P95_S, "loop_p95_s", FORM_S, COMBINE_MEDIAN, .decimals = 9) \
	X(LOOP_P99_S, "loop_p99_s", FORM_S, COMBINE_MEDIAN, .decimals = 9) \
	X(LOOP_P99_9_S, "loop_p99_9_s", FORM_S, COMBINE_MEDIAN, .decimals = 9) \
	X(LOOP_MAX_S, "loop_max_s", FORM_S, COMBINE_MAX, .decimals = 9) \
	/* Share of the users' time that went into restoring the set-up. */ \
	X(RESTORE_SHARE, "restore_share", FORM_SHARE, COMBINE_MEDIAN, .optional = true) \
	/* Time that the run was suspended (SIGSTOP). */ \
	X(STOOD_STILL_S, "stood_still_s", FORM_S, COMBINE_SUM, .optional = true) \
	/* Whole seconds without any operation. */ \
	X(SILENT_S, "silent_s", FORM_S, COMBINE_SUM, .optional = true) \
	/* The longest time that one operation blocked its user, if that is at \
	 * least 1 s and unusually long for that operation. */ \
	X(HELD_UP_S, "held_up_s", FORM_S, COMBINE_MAX, .optional = true) \
	/* The number of users that verified (--verify), and bytes: read from files \
	 * in any phase; those of them that were compared; written; read back at the \
	 * end and compared. */ \
	X(VERIFIED_USERS, "verified_users", FORM_COUNT, COMBINE_MAX, .optional = true) \
	X(VERIFIED_READ_BYTES, "verified_read_bytes", FORM_BYTES, COMBINE_SUM) \
	X(VERIFIED_COMPARED_BYTES, "verified_compared_bytes", FORM_BYTES, COMBINE_SUM) \
	X(VERIFIED_WRITTEN_BYTES, "verified_written_bytes", FORM_BYTES, COMBINE_SUM) \
	X(VERIFIED_READ_BACK_BYTES, "verified_read_back_bytes", FORM_BYTES, COMBINE_SUM) \
	/* Files that could not be read back for lack of permission, and the bytes \
	 * written to them. */ \
	X(VERIFIED_UNREADABLE_FILES, "verified_unreadable_files", FORM_COUNT, COMBINE_SUM, \
	  .optional = true) \
	X(VERIFIED_UNREADABLE_BYTES, "verified_unreadable_bytes", FORM_BYTES, COMBINE_SUM, \
	  .optional = true) \
	/* Number of reads with a difference. */ \
	X(VERIFIED_DIFFERENCES, "verified_differences", FORM_COUNT, COMBINE_SUM) \
	/* Number of users with too little memory for the map of their writes: some \
	 * of their files were not compared; and the size of the largest map. */ \
	X(VERIFIED_FULL_MAPS, "verified_full_maps", FORM_COUNT, COMBINE_SUM, .optional = true) \
	X(VERIFIED_MAP_BYTES, "verified_map_bytes", FORM_BYTES, COMBINE_MAX) \
	/* Only of loads: the number of users that play it. */ \
	X(LOAD_USERS, "load_users", FORM_COUNT, COMBINE_MAX) \
	/* Only of hosts: the number of users that play there. */ \
	X(HOST_USERS, "host_users", FORM_COUNT, COMBINE_MAX) \
	/* Only of hosts, and the max of them: the max error of the clock's difference \
	 * to that of the machine that started them, and how long after the start the \
	 * last user began. */ \
	X(CLOCK_ERROR_MS, "clock_error_ms", FORM_MS, COMBINE_MAX, .heading = "clock") \
	X(LATE_MS, "late_ms", FORM_MS, COMBINE_MAX, .heading = "late")

#define FIGURES_ID(id, ...) FIGURE_##id,
/* clang-format on */

/* FIGURES_OF_OPERATIONS, FIGURES_OF_USERS: number of figures that single
 * operations and single users have. */
enum figure {
	FIGURES_LIST(FIGURES_ID) FIGURES,
	FIGURES_OF_OPERATIONS = FIGURE_MAX_MS + 1,
	FIGURES_OF_USERS = FIGURE_PREEMPTIONS + 1
};

struct figure_info {
	const char *name;
	enum figure_form form;
	enum figure_combine combine;
	const char *heading; /* in tables; NULL: none has it */
	const char *also;    /* another name in conditions, or NULL */
	bool more_is_better;
	bool open_loop;    /* exists only in an open-loop replay */
	bool derived;      /* computed from other figures; not read from files */
	bool added;        /* except for an operation: the sum of its operations */
	bool optional;     /* 0 counts as unknown */
	unsigned samples;  /* min number of operations; 0: 1 */
	unsigned decimals; /* that are kept; 0: 6 */
};

extern const struct figure_info figures[FIGURES];

/* Return the unit of values in files: "ms", "MB/s" ...; "": a count or a
 * share. */
const char *figure_unit(enum figure figure);

/* Return how many of the figure's units are one second: 1000 for ms. Return 0
 * if the figure is not a time. */
double figure_per_second(enum figure figure);

/* Return the length of the figure's name without its unit: that of "p99" in
 * "p99_ms". If an earlier figure has the same, it is that of the whole name. */
size_t figure_stem(enum figure figure);

#endif
