/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The live line: once a second what a running point does, and how far all of it
 * has come; on a terminal one line that is drawn over, otherwise a plain line
 * each.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *stream;
	bool terminal;
	bool drawn; /* a line stands that must be cleared */
	uint64_t ops, bytes, sum_ns; /* at the last tick */
};

/* One look at a running point; sums count from its beginning. */
struct progress_tick {
	const char *unit;      /* of the plan, such as "point" */
	uint64_t index, count; /* which one it is, from 1, of how many */
	double left_s;         /* of all of them; < 0: not known */
	const char *stage;
	bool measures;    /* it is the one that counts */
	double elapsed_s; /* in this stage */
	unsigned users;
	uint64_t ops, bytes, sum_ns, errors;
	uint64_t p99_ns; /* of the last second; 0: not known */
};

void progress_open(struct progress *progress, FILE *stream);

/* A point begins. */
void progress_start(struct progress *progress);
void progress_show(struct progress *progress,
		   const struct progress_tick *tick);

/* Clear the line, before anything else is written to the stream. */
void progress_clear(struct progress *progress);

#endif
