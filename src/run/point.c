/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/point.h"

#include "play/lanes.h"
#include "play/verification.h"
#include "run/workers.h"

#include <string.h>

/* A point that is played. */
struct point {
	const struct workers_plan *plan;
	const struct point_observer *observer;
	struct stats stats;
	struct error error; /* why users could not be started */
	bool was_over;
};

static void on_over(void *context, const struct workers_report *report)
{
	struct point *point = context;
	struct tally tally;
	int rc = tally_take(&tally, point->plan, &point->stats, report);

	point->observer->over(point->observer->context,
			      &(const struct point_end){
				      .tally = rc == 0 ? &tally : NULL,
				      .again = point->was_over,
				      .not_started = point->error.set ? point->error.text : NULL,
				      .window_ns = report->end_ns > report->start_ns
							   ? report->end_ns - report->start_ns
							   : 0,
			      });
	point->was_over = true;
	tally_free(&tally);
}

static uint64_t on_start(void *context)
{
	const struct point *point = context;

	return point->observer->start(point->observer->context);
}

static bool on_share(void *context)
{
	const struct point *point = context;

	return point->observer->share(point->observer->context);
}

static bool on_meet(void *context, size_t load, const struct stats_barrier *barrier,
		    struct barrier_go *go)
{
	const struct point *point = context;

	return point->observer->meet(point->observer->context, load, barrier, go);
}

static void on_tick(void *context, const struct workers_view *view)
{
	const struct point *point = context;

	if (!point->was_over)
		point->observer->tick(point->observer->context, view);
}

/* Play the users in the memory that is mapped. */
static int play(struct point *point, bool early)
{
	const struct workers_observer workers = {
		.context = point,
		.tick = on_tick,
		.start = point->observer->start != NULL ? on_start : NULL,
		.share = point->observer->share != NULL ? on_share : NULL,
		.meet = point->observer->meet != NULL ? on_meet : NULL,
		.over = early ? on_over : NULL,
	};
	struct workers_report report;
	int rc;

	if (point->observer->begin != NULL)
		point->observer->begin(point->observer->context, point->stats.run);
	rc = workers_run(point->plan, &point->stats, &workers, &report, &point->error);

	on_over(point, &report);
	seconds_close(&report.seconds);
	if (point->observer->end != NULL)
		point->observer->end(point->observer->context);
	return rc;
}

/* Say that users have no memory to share. */
static void refuse(const struct point *point, int rc)
{
	struct error error = {0};

	error_set(&error, "cannot allocate the memory that %u users share: %s", point->plan->users,
		  strerror(-rc));
	point->observer->over(point->observer->context,
			      &(const struct point_end){.not_started = error.text});
}

/* Return the max number of lanes of a user. */
static unsigned count_lanes(const struct workers_plan *plan)
{
	unsigned max = 1;
	size_t i;

	for (i = 0; i < plan->loads->count; i++) {
		const struct load *load = &plan->loads->list[i];

		if (lanes_refused(plan, load) == NULL && load->streams->lanes > max)
			max = load->streams->lanes;
	}
	return max;
}

int point_play(struct workers_plan *plan, const struct point_observer *observer, bool early)
{
	struct point point = {.plan = plan, .observer = observer};
	struct verification verification = {0};
	unsigned phase_counts[LOADS_MAX];
	int rc;

	loads_count_phases(plan->loads, phase_counts);
	rc = stats_map(&point.stats, plan->users, count_lanes(plan), plan->loads->count,
		       loads_labels_max(plan->loads), phase_counts, plan->log_loops);
	if (rc == 0 && plan->verify) {
		rc = verification_open(&verification, plan);
		plan->verification = &verification;
	}
	if (rc == 0)
		rc = play(&point, early);
	else
		refuse(&point, rc);
	stats_unmap(&point.stats);
	verification_close(&verification);
	plan->verification = NULL;
	return rc;
}
