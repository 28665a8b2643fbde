/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/warning.h"

#include <math.h>

/* Where a warning begins. */
#define UNEVEN_SHARE 0.5       /* of what the fastest user did */
#define MIX_DIFFERENCE 0.05    /* in bytes per operation */
#define GENERATOR_SHARE 0.5    /* of the processors used, in user mode */
#define SHORT_WINDOW_S 1.0
#define LATE_MS 1.0            /* a timed operation, on average */
#define CACHE_SHARE 0.5        /* of the memory */
#define SPREAD 0.25            /* of repeats, by their median */
#define BUSY_SHARE 0.1         /* of the processors' time */
#define HELD_UP_SHARE 0.05     /* of the window, by one operation */
/* One user among many on few processors waits for its turn: that takes every
 * other one's slice, 10 ms where the kernel's clock ticks slowest, and as long
 * again where a server on the same machine serves them. */
#define TURN_S 0.02

/* A point, one of its repeats, and where the warnings about it go. */
struct question {
	const struct result_run *run;
	unsigned users, repeats;
	const struct result_figures *figures;
	struct result_reasons *warnings;
};

static void warn_of_progress(const struct question *question)
{
	const struct result_figures *figures = question->figures;
	struct result_reasons *warnings = question->warnings;

	if (question->users > 1 &&
	    (double)figures->min_user_ops <
		    UNEVEN_SHARE * (double)figures->max_user_ops)
		result_add_reason(warnings,
				  "users progressed unevenly: the slowest "
				  "played %.0f %% of the fastest one's "
				  "operations",
				  100.0 * (double)figures->min_user_ops /
					  (double)figures->max_user_ops);
	if (figures->late_ms > LATE_MS)
		result_add_reason(warnings,
				  "operations began %.1f ms late on average: "
				  "the load's time stamps were not kept",
				  figures->late_ms);
}

/*
 * Were there pauses that the load does not have? Whole seconds without any
 * operation need no bound (see seconds.c). The operation of one user does: it
 * has to be a good part of the window, or it would change nothing, and longer
 * than a user may have to wait for a processor.
 */
static void warn_of_pauses(const struct question *question)
{
	const struct result_figures *figures = question->figures;
	double window_s = figures->seconds / question->repeats;
	double turn_s = TURN_S * question->users / question->run->cpus;
	double silent_s = (double)figures->silent_s;
	double explained_s = figures->stood_still_s;

	if (figures->stood_still_s > 0)
		result_add_reason(question->warnings,
				  "the run stood still for %.1f s",
				  figures->stood_still_s);
	if (silent_s > figures->stood_still_s) {
		result_add_reason(question->warnings,
				  "whole seconds without any operation: %.0f",
				  silent_s);
		/* The seconds at both of its ends are no whole ones. */
		explained_s = silent_s + 2;
	}
	if (figures->held_up_s >
	    explained_s + fmax(HELD_UP_SHARE * window_s, turn_s))
		result_add_reason(question->warnings,
				  "one operation held its user up for %.1f s",
				  figures->held_up_s);
}

/*
 * Did the window see another mix of operations than the whole load has? A loop
 * that no user finished is worth a word only then: it is why.
 */
static void warn_of_mix(const struct question *question)
{
	const struct result_run *run = question->run;
	const struct result_figures *figures = question->figures;
	double load = (double)(run->loadfile.read_bytes +
			       run->loadfile.write_bytes) /
		      (double)run->loadfile.ops;
	/* Operations that could not be played move no bytes. */
	double seen = (double)figures->bytes /
		      (double)(figures->ops + figures->skipped);

	/* Where the load does not say how much its reads return, its bytes
	 * are not known. */
	if (figures->ops > 0 && load > 0 && run->loadfile.open_reads == 0 &&
	    fabs(seen - load) > MIX_DIFFERENCE * load)
		result_add_reason(question->warnings,
				  "the window saw another mix: %.0f bytes per "
				  "operation, the whole load has %.0f%s",
				  seen, load,
				  figures->loops > 0
					  ? "" : "; no user finished a loop");
}

/*
 * Was the client what held it up? What its processes do in the kernel counts
 * where that only serves a connection.
 */
static void warn_of_client(const struct question *question)
{
	const struct result_run *run = question->run;
	const struct result_figures *figures = question->figures;
	/* The processors that the users can keep busy. */
	unsigned usable = question->users < run->cpus ? question->users
						      : run->cpus;
	double processors_s = figures->seconds * usable;
	double spent_s = figures->client_cpu.user_s;
	size_t i;

	for (i = 0; i < run->target_count; i++) {
		if (run->targets[i].remote) {
			spent_s += figures->client_cpu.system_s;
			break;
		}
	}
	if (processors_s > 0 && spent_s > GENERATOR_SHARE * processors_s)
		result_add_reason(question->warnings,
				  "the client itself took %.0f %% of its "
				  "processors' time",
				  100.0 * spent_s / processors_s);
}

static void warn_of_window(const struct question *question)
{
	double window_s = question->figures->seconds / question->repeats;

	/* Whole loops are enough, however short they are. */
	if (question->run->phases.loops == 0 && window_s < SHORT_WINDOW_S)
		result_add_reason(question->warnings,
				  "the window was short: %.2f s", window_s);
}

/*
 * Was something cheaper than the load has it, such as a flush that was left
 * out? What was skipped is missing from the figures instead, and in the header.
 */
static void warn_of_degraded(const struct question *question)
{
	const struct result_run *run = question->run;
	size_t i;

	for (i = 0; i < run->unsupported_count; i++)
		if (run->unsupported[i].how == RESULT_DEGRADED)
			result_add_reason(question->warnings,
					  "%s was played without %s",
					  run->unsupported[i].name,
					  run->unsupported[i].cannot);
}

/* Could it all have been played from memory? */
static bool is_cached(const struct question *question)
{
	const struct result_run *run = question->run;
	size_t i;

	if (run->loadfile.synced > 0 ||
	    (double)run->loadfile.footprint_bytes * question->users >=
		    CACHE_SHARE * (double)run->memory_bytes)
		return false;
	/* A server's memory is not known. */
	for (i = 0; i < run->target_count; i++)
		if (run->targets[i].answers && !run->targets[i].in_memory &&
		    !run->targets[i].remote)
			return true;
	return false;
}

static void ask(const struct question *question)
{
	warn_of_progress(question);
	warn_of_pauses(question);
	warn_of_mix(question);
	warn_of_client(question);
	warn_of_window(question);
	warn_of_degraded(question);
	if (is_cached(question))
		result_add_reason(question->warnings,
				  "everything fits in the page cache and "
				  "nothing was synced");
}

void warn_of_figures(const struct result_run *run, unsigned users,
		     const struct result_figures *figures,
		     struct result_reasons *warnings)
{
	const struct question question = {
		.run = run,
		.users = users,
		.repeats = 1,
		.figures = figures,
		.warnings = warnings,
	};

	ask(&question);
}

/* How far the repeats are apart; a load that moves no bytes has ops/s only. */
static double spread_of(const struct result_point *point)
{
	double min = INFINITY, max = 0;
	size_t i;

	if (point->figures.bytes > 0 || point->repeat_count == 1)
		return point->spread;
	for (i = 0; i < point->repeat_count; i++) {
		double ops_per_s = point->repeats[i].figures.ops_per_s;

		min = fmin(min, ops_per_s);
		max = fmax(max, ops_per_s);
	}
	return point->figures.ops_per_s > 0
		       ? (max - min) / point->figures.ops_per_s : 0;
}

/*
 * Was there something else on the machine? The texts are the same for all
 * points, so that they are shown once.
 */
static void warn_of_machine(const struct result_run *run,
			    struct result_point *point)
{
	if (spread_of(point) > SPREAD)
		result_add_reason(&point->warnings,
				  "repeats spread by more than %.0f %%",
				  100 * SPREAD);
	if (run->busy_before > BUSY_SHARE)
		result_add_reason(&point->warnings,
				  "the machine was busy with something else: "
				  "%.0f %% of its processors' time before the "
				  "first point",
				  100 * run->busy_before);
}

void warn_of_point(const struct result_run *run, struct result_point *point)
{
	const struct question question = {
		.run = run,
		.users = point->users,
		.repeats = (unsigned)point->repeat_count,
		.figures = &point->figures,
		.warnings = &point->warnings,
	};

	ask(&question);
	warn_of_machine(run, point);
	if (run->repeats > 1 && run->user_count_count > 1 &&
	    !run->random_order)
		result_add_reason(&point->warnings,
				  "repeats were not interleaved at random: "
				  "drift would look like scaling");
}
