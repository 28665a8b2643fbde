/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/live.h"

#include "base/clock.h"
#include "base/message.h"

#include <math.h>
#include <stdlib.h>

void live_open(struct live *live, bool asked_for, bool quiet)
{
	progress_open(&live->progress, stdout);
	live->shown = (live->progress.terminal || asked_for) && !quiet;
}

void live_begin(struct live *live, const struct result_run *run, const struct live_plan *plan)
{
	live->plan = *plan;
	if (run->phases.loops == 0)
		live->planned_ns = phases_total_ns(&run->phases) + run->phases.settle_ns;
	live->measured = 0;
	live->began_ns = live->current_ns = clock_now_ns();
	progress_start(&live->progress);
}

/*
 * Return the estimated time until the end of the plan, or a value < 0 if there
 * is no estimate. Expect each measurement to take the planned time or, if that
 * is longer, the mean time of the earlier ones, which includes set-up and
 * clean-up.
 */
static double find_left_s(const struct live *live)
{
	const struct live_plan *plan = &live->plan;
	uint64_t now_ns = clock_now_ns();
	double each_ns = (double)live->planned_ns, left_ns;
	double rest = (double)(plan->count * plan->each) - (double)(plan->done + live->measured);

	if (live->measured > 0)
		each_ns = fmax(each_ns, (double)(live->current_ns - live->began_ns) /
						(double)live->measured);
	if (each_ns == 0)
		return -1;
	left_ns = fmax(0, rest - 1) * each_ns +
		  fmax(0, each_ns - (double)(now_ns - live->current_ns));
	if (plan->max_ns != CLOCK_NEVER)
		left_ns = fmin(left_ns,
			       plan->max_ns > now_ns ? (double)(plan->max_ns - now_ns) : 0);
	return left_ns / 1e9;
}

void live_clear(struct live *live)
{
	progress_clear(&live->progress);
	fflush(live->progress.stream);
}

void live_warn(struct live *live, const struct workers_view *view)
{
	if (view->warning == NULL)
		return;
	if (live != NULL)
		live_clear(live);
	message_warning("%s", view->warning);
}

void live_tick(struct live *live, const struct workers_view *view)
{
	const struct live_plan *plan = &live->plan;
	const struct progress_run run = {
		.unit = plan->unit,
		.index = (plan->done + live->measured) / plan->each + 1,
		.count = plan->count,
		.left_s = find_left_s(live),
	};

	live_warn(live, view);
	if (live->shown)
		progress_show(&live->progress, &run, view);
}

void live_next(struct live *live)
{
	live->measured++;
	live->current_ns = clock_now_ns();
	progress_start(&live->progress);
}

void live_invalid(const struct result_repeat *repeat, const char *place)
{
	struct error error = {0};
	size_t i;

	for (i = 0; i < repeat->invalid.count; i++) {
		char *text = notice_text(&repeat->invalid.list[i]);

		error.set = false;
		error_set(&error, "%s%s", place, text != NULL ? text : "out of memory");
		message_error(&error);
		free(text);
	}
}
