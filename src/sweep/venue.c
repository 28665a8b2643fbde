/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/venue.h"

#include "run/targets.h"

static int claim(void *context, struct workers_plan *plan, struct error *error)
{
	(void)context;
	return targets_probe(plan, error);
}

static int clean_up(void *context, const struct workers_plan *plan, struct error *error)
{
	(void)context;
	return targets_clean_up(plan, error);
}

static void release(void *context, const struct workers_plan *plan)
{
	(void)context;
	targets_free(plan);
}

static int play(void *context, struct workers_plan *plan, const struct point_observer *observer,
		bool early)
{
	(void)context;
	return point_play(plan, observer, early);
}

const struct venue venue_here = {NULL, claim, clean_up, release, play};
