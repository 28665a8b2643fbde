/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of dbench and tbench, for the scripts that read it: one line per
 * second, a table of the operations, and a last line with the throughput.
 * Scripts search for words such as "Throughput", so no other line may contain
 * them.
 */
#ifndef CLI_DROPIN_DBENCH_OUTPUT_H
#define CLI_DROPIN_DBENCH_OUTPUT_H

#include "result/result.h"

#include <stdio.h>

struct dbench_writer {
	FILE *stream;
	unsigned clients, procs;
	bool sync_open, sync_dirs; /* printed in the last line */
	bool machine_readable;
	/* Name operations as the loadfile does, like dbench 5. If false, use
	 * dbench 4.0's names. */
	bool own_words;
	bool show_loops; /* print the time of each loop */
	bool show_users; /* print the operations of each user */
};

enum dbench_stage { DBENCH_WARMUP, DBENCH_EXECUTE, DBENCH_CLEANUP };

/* The state of a running point, once per second. */
struct dbench_tick {
	enum dbench_stage stage;
	unsigned clients; /* number of clients in this stage */
	uint64_t ops;     /* of all clients, since they were started */
	uint64_t bytes;   /* moved in this stage */
	/* Time since the start of the warm-up or, after the warm-up, since its
	 * end. */
	double elapsed_s;
	double latency_ms; /* of the longest operation since the last tick */
};

/* Print the first line: the version of dbench that throng imitates, and
 * throng's own version. */
void dbench_banner(FILE *stream);

/* Print the name of the load, on one line. */
void dbench_load(const char *name, FILE *stream);

/* Print the line that dbench prints once per second. */
void dbench_tick(const struct dbench_writer *writer, const struct dbench_tick *tick);

/* Print the results of a valid repeat. */
void dbench_repeat(const struct dbench_writer *writer, const struct result_repeat *repeat);

#endif
