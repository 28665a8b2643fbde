/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/doubt.h"

#include <math.h>

/* Where a doubt begins. */
#define UNEVEN_SHARE 0.5       /* of what the fastest user did */
#define MIX_DIFFERENCE 0.05    /* in bytes an operation */
#define GENERATOR_SHARE 0.5    /* of the processors used, in user mode */
#define SHORT_WINDOW_S 1.0
#define LATE_MS 1.0            /* a timed operation, on average */
#define CACHE_SHARE 0.5        /* of the memory */

static void doubt_progress(struct result_point *point,
			   const struct doubt_evidence *evidence)
{
	if (point->users > 1 &&
	    (double)point->least_user_ops <
		    UNEVEN_SHARE * (double)point->most_user_ops)
		result_add_reason(&point->doubts,
				  "users progressed unevenly: the slowest "
				  "played %.0f %% of what the fastest did",
				  100.0 * (double)point->least_user_ops /
					  (double)point->most_user_ops);
	if (point->loops == 0)
		result_add_reason(&point->doubts,
				  "no user finished a loop of the load");
	if (evidence->stood_still_ns > 0)
		result_add_reason(&point->doubts,
				  "the run stood still for %.1f s",
				  (double)evidence->stood_still_ns / 1e9);
	if (point->late_ms > LATE_MS)
		result_add_reason(&point->doubts,
				  "operations began %.1f ms late on average: "
				  "the load's time stamps were not kept",
				  point->late_ms);
}

/* Did the window see another mix of operations than the whole load has? */
static void doubt_mix(const struct result_run *run, struct result_point *point)
{
	double load = (double)(run->loadfile.read_bytes +
			       run->loadfile.write_bytes) /
		      (double)run->loadfile.ops;
	/* Beside the operations that could not be played. */
	double seen = (double)point->bytes /
		      (double)(point->ops + point->skipped);

	if (point->ops > 0 && load > 0 &&
	    fabs(seen - load) > MIX_DIFFERENCE * load)
		result_add_reason(&point->doubts,
				  "the window saw another mix: %.0f bytes an "
				  "operation, the whole load has %.0f", seen,
				  load);
}

/*
 * Was the client what held it up? What its processes do in the kernel counts
 * where that only serves a connection.
 */
static void doubt_client(const struct result_run *run,
			 struct result_point *point)
{
	/* So many processors can the users keep busy. */
	unsigned usable = point->users < run->cpus ? point->users : run->cpus;
	double processors = point->seconds * usable;
	double spent_s = point->client_cpu.user_s;
	size_t i;

	for (i = 0; i < run->target_count; i++) {
		if (run->targets[i].remote) {
			spent_s += point->client_cpu.system_s;
			break;
		}
	}
	if (processors > 0 && spent_s > GENERATOR_SHARE * processors)
		result_add_reason(&point->doubts,
				  "the client itself took %.0f %% of its "
				  "processors' time",
				  100.0 * spent_s / processors);
}

static void doubt_lacks(const struct result_run *run,
			struct result_point *point)
{
	size_t i;

	if (point->skipped > 0)
		result_add_reason(&point->doubts,
				  "%.1f %% of the operations were skipped",
				  100.0 * (double)point->skipped /
					  (double)(point->ops +
						   point->skipped));
	for (i = 0; i < run->lack_count; i++)
		if (run->lacks[i].how == RESULT_WEAKENED)
			result_add_reason(&point->doubts,
					  "%s was played without %s",
					  run->lacks[i].name,
					  run->lacks[i].cannot);
}

/* Could it all have been played from memory? */
static bool is_cached(const struct result_run *run,
		      const struct result_point *point)
{
	size_t i;

	if (run->loadfile.synced > 0 ||
	    (double)run->loadfile.footprint_bytes * point->users >=
		    CACHE_SHARE * (double)run->memory_bytes)
		return false;
	/* Of a server's memory nothing is known. */
	for (i = 0; i < run->target_count; i++)
		if (run->targets[i].answers && !run->targets[i].in_memory &&
		    !run->targets[i].remote)
			return true;
	return false;
}

void doubt_point(const struct result_run *run, struct result_point *point,
		 const struct doubt_evidence *evidence)
{
	doubt_progress(point, evidence);
	doubt_mix(run, point);
	doubt_client(run, point);
	if (point->seconds < SHORT_WINDOW_S && !evidence->fixed_loops)
		result_add_reason(&point->doubts,
				  "the window was short: %.2f s",
				  point->seconds);
	doubt_lacks(run, point);
	if (is_cached(run, point))
		result_add_reason(&point->doubts,
				  "everything fits in the page cache and "
				  "nothing was synced");
}
