/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of dbench and tbench, for the scripts that read it: a line per
 * second, the operations under dbench's names, and last the line with the
 * figures. Scripts look for some words of it, which no other line may have.
 */
#ifndef REPORT_DBENCH_H
#define REPORT_DBENCH_H

#include "result/result.h"

#include <stdio.h>

struct dbench_writer {
	FILE *stream;
	unsigned clients, procs;
	bool sync_open, sync_dirs; /* the last line tells */
	bool machine_readable;
	bool own_words; /* operations as the loadfile has them, as dbench 5
			 * prints them; otherwise under dbench 4.0's names */
	bool show_loops; /* how long each took */
	bool show_users; /* what each did */
};

enum dbench_stage { DBENCH_WARMUP, DBENCH_EXECUTE, DBENCH_CLEANUP };

/* One look at a running point. */
struct dbench_tick {
	enum dbench_stage stage;
	unsigned clients; /* in this stage */
	uint64_t ops;     /* since the start line, of all clients */
	uint64_t bytes;   /* in this stage */
	double elapsed_s; /* so far in the warm-up, else since it ended */
	double latency_ms; /* the longest operation since the last look */
};

/* Which dbench it stands for, and what it is: the first line. */
void dbench_banner(FILE *stream);

/* Print the name of the load, on one line. */
void dbench_load(const char *name, FILE *stream);

void dbench_tick(const struct dbench_writer *writer,
		 const struct dbench_tick *tick);

/* All that is told of a valid repeat at its end. */
void dbench_repeat(const struct dbench_writer *writer,
		   const struct result_repeat *repeat);

#endif
