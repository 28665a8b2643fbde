/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The live line of run and compare, which shows the running point and the
 * progress of the whole run.
 */
#ifndef CLI_MEASURE_LIVE_H
#define CLI_MEASURE_LIVE_H

#include "cli/measure/progress.h"
#include "result/result.h"

/* The measurements that a run is going to make. */
struct live_plan {
	const char *unit; /* what a step of the plan is called: "point" */
	uint64_t count;   /* number of steps */
	unsigned each;    /* measurements per step */
	uint64_t done;    /* measurements already made, if the run is resumed */
	/* The deadline of the run, on the clock of clock_now_ns. CLOCK_NEVER:
	 * none. */
	uint64_t max_ns;
};

struct live {
	struct progress progress;
	bool shown; /* false: show only warnings */
	struct live_plan plan;
	/* Planned time of each measurement, without set-up; 0: unknown. */
	uint64_t planned_ns;
	uint64_t measured;   /* number of measurements since live_begin */
	uint64_t began_ns;   /* time of live_begin */
	uint64_t current_ns; /* start of the running measurement */
};

/* Decide whether to show live lines on standard output. With `quiet`, don't.
 * Otherwise show them if it is a terminal or `asked_for` is set. */
void live_open(struct live *live, bool asked_for, bool quiet);

/* Set the plan, and begin its first measurement. */
void live_begin(struct live *live, const struct result_run *run, const struct live_plan *plan);

/* Show the state of the running point; print its warning, if any, to stderr. */
void live_tick(struct live *live, const struct workers_view *view);

/* Note that a measurement has ended and the next one begins. */
void live_next(struct live *live);

/* Clear the live line. Call this before printing anything else. */
void live_clear(struct live *live);

/* Print the warning of `view`, if any, to stderr. `live` may be NULL. */
void live_warn(struct live *live, const struct workers_view *view);

/* Print to stderr why a repeat is invalid, with this text before each reason. */
void live_invalid(const struct result_repeat *repeat, const char *place);

#endif
