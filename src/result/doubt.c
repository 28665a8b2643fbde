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
	    (double)evidence->slowest_user_ops <
		    UNEVEN_SHARE * (double)evidence->fastest_user_ops)
		result_add_reason(&point->doubts,
				  "users progressed unevenly: the slowest "
				  "played %.0f %% of what the fastest did",
				  100.0 * (double)evidence->slowest_user_ops /
					  (double)evidence->fastest_user_ops);
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
	double seen = (double)point->bytes / (double)point->ops;

	if (point->ops > 0 && load > 0 &&
	    fabs(seen - load) > MIX_DIFFERENCE * load)
		result_add_reason(&point->doubts,
				  "the window saw another mix: %.0f bytes an "
				  "operation, the whole load has %.0f", seen,
				  load);
}

void doubt_point(const struct result_run *run, struct result_point *point,
		 const struct doubt_evidence *evidence)
{
	/* So many processors can the users keep busy. */
	unsigned usable = point->users < run->cpus ? point->users : run->cpus;
	double processors = point->seconds * usable;

	doubt_progress(point, evidence);
	doubt_mix(run, point);
	if (processors > 0 &&
	    point->client_cpu.user_s > GENERATOR_SHARE * processors)
		result_add_reason(&point->doubts,
				  "throng itself took %.0f %% of its "
				  "processors' time",
				  100.0 * point->client_cpu.user_s /
					  processors);
	if (point->seconds < SHORT_WINDOW_S && !evidence->fixed_loops)
		result_add_reason(&point->doubts,
				  "the window was short: %.2f s",
				  point->seconds);
	if (point->skipped > 0)
		result_add_reason(&point->doubts,
				  "%llu operations were skipped",
				  (unsigned long long)point->skipped);
	if (run->target.answers && !run->target.in_memory &&
	    run->loadfile.synced == 0 &&
	    (double)run->loadfile.footprint_bytes * point->users <
		    CACHE_SHARE * (double)run->memory_bytes)
		result_add_reason(&point->doubts,
				  "everything fits in the page cache and "
				  "nothing was synced");
}
