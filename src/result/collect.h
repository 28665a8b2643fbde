/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the statistics of a repeat to its figures; the only reader of stats.
 */
#ifndef RESULT_COLLECT_H
#define RESULT_COLLECT_H

#include "engine/workers.h"
#include "result/result.h"

/* Fills in all that `repeat` has to say of what was played. */
void collect_repeat(const struct result_run *run,
		    const struct workers_plan *plan, const struct stats *stats,
		    const struct workers_report *report,
		    struct result_repeat *repeat);

/* Fills in what each user did, for whoever wants it. */
void collect_users_of(const struct workers_plan *plan,
		      const struct stats *stats, struct result_repeat *repeat);

#endif
