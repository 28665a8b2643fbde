/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The progress line: throughput of the running point and progress of the whole
 * run, once per second. On a terminal, each line overwrites the last one;
 * otherwise each is printed on a line of its own.
 */
#ifndef CLI_MEASURE_PROGRESS_H
#define CLI_MEASURE_PROGRESS_H

#include "sweep/steps.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *stream;
	bool terminal;
	bool drawn;               /* a line is on the screen: clear it before other output */
	struct workers_view last; /* at the last line of this point */
};

/* How far the run is. */
struct progress_run {
	const char *unit;      /* name of a step of the run: "point" */
	uint64_t index, count; /* step `index`, from 1, of `count` */
	double left_s;         /* time left for the whole run; < 0: unknown */
};

void progress_open(struct progress *progress, FILE *stream);

/* Begin a point, whose sums are 0. */
void progress_start(struct progress *progress);

/* Print or redraw the line. */
void progress_show(struct progress *progress, const struct progress_run *run,
		   const struct workers_view *view);

/* Clear the line, before anything else is written to the stream. */
void progress_clear(struct progress *progress);

#endif
