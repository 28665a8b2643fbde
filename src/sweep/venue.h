/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the users of a run play: on this machine, or on other hosts. A sweep
 * measures the same way in either case.
 *
 * plan->side and plan->variant say whose targets and loads are meant.
 */
#ifndef SWEEP_VENUE_H
#define SWEEP_VENUE_H

#include "play/plan.h"
#include "run/point.h"

struct venue {
	void *context;
	/* Claim the targets of a plan, and fill in what they are; clean them up;
	 * free the data. As the functions of run/targets.h. */
	int (*claim)(void *context, struct workers_plan *plan, struct error *error);
	int (*clean_up)(void *context, const struct workers_plan *plan, struct error *error);
	void (*release)(void *context, const struct workers_plan *plan);
	/* Play a point, as point_play() of run/point.h. */
	int (*play)(void *context, struct workers_plan *plan, const struct point_observer *observer,
		    bool early);
};

/* This machine. */
extern const struct venue venue_here;

#endif
