/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The live line of subcommands that measure, with the progress of the whole
 * run.
 */
#ifndef CLI_LIVE_H
#define CLI_LIVE_H

#include "job/sweep.h"
#include "report/progress.h"
#include "result/result.h"

/* How much there is to measure. */
struct live_plan {
	const char *unit; /* what is counted, such as "point" */
	uint64_t count;   /* how many of these */
	unsigned each;    /* measurements in each */
	uint64_t done;    /* measurements, by a run that is resumed */
	uint64_t max_ns;  /* it ends by then at the latest, by clock_now_ns */
};

struct live {
	struct progress progress;
	bool shown; /* otherwise only warnings are */
	struct live_plan plan;
	uint64_t planned_ns; /* a measurement, without set-up; 0: not known */
	uint64_t measured;   /* since the plan was set ... */
	uint64_t began_ns;   /* ... then */
	uint64_t current_ns; /* when the last one ended */
};

/*
 * Show live lines on standard output if it is a terminal, or if they are asked
 * for, unless it has to be quiet.
 */
void live_open(struct live *live, bool asked_for, bool quiet);

/* All is known, and the first measurement of the plan begins. */
void live_begin(struct live *live, const struct result_run *run,
		const struct live_plan *plan);

/* Show a look at a running point, after its warning on stderr. */
void live_tick(struct live *live, const struct workers_view *view);

/* A measurement has ended, and the next one begins. */
void live_next(struct live *live);

/* Clear the live line, before anything else is printed. */
void live_clear(struct live *live);

/* Report on stderr what a look found. NULL: there is no live line. */
void live_warn(struct live *live, const struct workers_view *view);

/* Report on stderr what voids a repeat. */
void live_invalid(const struct result_repeat *repeat);

#endif
