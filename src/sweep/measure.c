/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/measure.h"

#include "base/message.h"
#include "play/verification.h"
#include "stats/summary.h"
#include "sweep/collect.h"
#include "sweep/limits.h"
#include "sweep/samples.h"

#include <string.h>

/* The context of the callbacks while users play. */
struct watch {
	struct measurement *measurement;
	struct sampler sampler;
	bool early; /* report the repeat before the users remove their files */
	int rc;     /* what the observer said */
};

/* Return an event of the side that is measured. */
static struct event event_of(const struct measurement *measurement, enum event_type type)
{
	const struct steps_side *side = &measurement->steps->sides[measurement->step->side];

	return (struct event){
		.type = type,
		.side = measurement->step->side,
		.result = side->result,
		.repeat = measurement->repeat,
	};
}

static int observe(const struct measurement *measurement, const struct event *event)
{
	return measurement->observer->observe(measurement->observer->context, event);
}

int measure_report(const struct measurement *measurement, enum event_type type)
{
	const struct event event = event_of(measurement, type);
	const struct steps *steps = measurement->steps;
	struct result *result = steps->sides[event.side].result;
	struct error error = {0};

	if (type == EVENT_MEASURED && (summary_repeat(result, measurement->repeat) < 0 ||
				       limits_update(steps->settings, result) < 0)) {
		error_no_memory(&error);
		message_error(&error);
		return -1;
	}
	return observe(measurement, &event);
}

/* Start the commands of --sample. */
static void on_begin(void *context, const struct stats_run *run)
{
	struct watch *watch = context;
	const struct measurement *measurement = watch->measurement;
	const struct steps_side *side = &measurement->steps->sides[measurement->step->side];

	samples_start(&watch->sampler, &side->result->run, measurement->variables, run,
		      measurement->plan->users);
}

static void on_tick(void *context, const struct workers_view *view)
{
	const struct watch *watch = context;
	struct event event = event_of(watch->measurement, EVENT_TICK);

	event.view = view;
	observe(watch->measurement, &event);
}

/* Note why the users were not started, or which host has failed. */
static void note_failure(const struct point_end *end, struct result_repeat *repeat)
{
	if (end->lost_host != NULL)
		NOTICE_ADD(&repeat->invalid, NOTICE_HOST_LOST, .subject = end->lost_host,
			   .detail = end->not_started);
	else if (end->not_started != NULL)
		NOTICE_ADD(&repeat->invalid, NOTICE_NOT_STARTED, .detail = end->not_started);
}

/* Fill in the repeat. */
static void take(struct watch *watch, const struct point_end *end)
{
	const struct measurement *measurement = watch->measurement;
	const struct steps *steps = measurement->steps;
	struct result *result = steps->sides[measurement->step->side].result;
	struct result_repeat *repeat = measurement->repeat;
	char ended[sizeof(result->run.ended)];
	unsigned i;

	result_time_stamp(ended);
	for (i = 0; i < steps->side_count; i++) /* the sides are measured in turn */
		memcpy(steps->sides[i].result->run.ended, ended, sizeof(ended));
	note_failure(end, repeat);
	if (end->tally != NULL)
		collect_repeat(&result->run, end->tally, steps->settings->histograms,
			       steps->settings->user_operations, &result->names, repeat);
	else if (end->not_started == NULL)
		NOTICE_ADD(&repeat->invalid, NOTICE_NO_MEMORY);
	if (end->host != NULL)
		NOTICE_ADD(&repeat->invalid, NOTICE_ON_HOST, .detail = end->host);
	samples_take(&watch->sampler, &result->run, end->window_ns, repeat);
}

/* Fill in the repeat and, unless that is for the caller, report it. Then add the
 * trouble that users have had while they removed their files: if there was any, the
 * repeat must be reported again. */
static void on_over(void *context, const struct point_end *end)
{
	struct watch *watch = context;
	struct measurement *measurement = watch->measurement;

	if (!end->again) {
		take(watch, end);
		measurement->reported = watch->early;
		if (watch->early)
			watch->rc = measure_report(measurement, EVENT_MEASURED);
	} else if (result_repeat_is_valid(measurement->repeat)) {
		note_failure(end, measurement->repeat);
		if (end->tally != NULL)
			collect_invalid(end->tally, measurement->repeat);
		measurement->reported &= result_repeat_is_valid(measurement->repeat);
	}
}

/* Let the observer save the state of the users' files. */
static void on_end(void *context)
{
	struct watch *watch = context;
	const struct workers_plan *plan = watch->measurement->plan;
	struct event event = event_of(watch->measurement, EVENT_STATE);
	struct error error = {0};
	struct state state;

	if (!watch->measurement->steps->saves_state || plan->verification == NULL)
		return;
	event.state = &state;
	if (verification_state(plan->verification, plan, &state) == 0) {
		watch->rc = observe(watch->measurement, &event);
	} else {
		error_no_memory(&error);
		message_error(&error);
		watch->rc = -1;
	}
	state_free(&state);
}

int measure(struct measurement *measurement)
{
	struct watch watch = {
		.measurement = measurement,
		.early = !measurement->steps->settings->keep && measurement->step->try == 0,
	};
	const struct point_observer observer = {
		.context = &watch,
		.begin = on_begin,
		.tick = on_tick,
		.over = on_over,
		.end = on_end,
	};
	const struct venue *venue = measurement->steps->venue;
	int rc = venue->play(venue->context, measurement->plan, &observer, watch.early);

	sampler_close(&watch.sampler);
	return rc < 0 || watch.rc < 0 || !result_repeat_is_valid(measurement->repeat) ? -1 : 0;
}
