/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/measure.h"

#include "base/message.h"
#include "play/verification.h"
#include "run/workers.h"
#include "stats/summary.h"
#include "sweep/collect.h"
#include "sweep/limits.h"

#include <string.h>

/* The context of the callbacks while users play. */
struct watch {
	struct measurement *measurement;
	const struct stats *stats;
	int rc; /* what the observer said to the repeat */
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

static void on_tick(void *context, const struct workers_view *view)
{
	const struct watch *watch = context;
	struct event event = event_of(watch->measurement, EVENT_TICK);

	event.view = view;
	if (!watch->measurement->reported)
		observe(watch->measurement, &event);
}

/* Let the observer save the state of the users' files. */
static int save_state(const struct measurement *measurement)
{
	const struct workers_plan *plan = measurement->plan;
	struct event event = event_of(measurement, EVENT_STATE);
	struct error error = {0};
	struct state state;
	int rc = verification_state(plan->verification, plan, &state);

	event.state = &state;
	if (rc == 0) {
		rc = observe(measurement, &event);
	} else {
		error_no_memory(&error);
		message_error(&error);
	}
	state_free(&state);
	return rc;
}

/* Fill in the repeat after the users have played. */
static void take(const struct watch *watch, const struct workers_report *report)
{
	const struct measurement *measurement = watch->measurement;
	const struct steps *steps = measurement->steps;
	struct result *result = steps->sides[measurement->step->side].result;
	struct result_repeat *repeat = measurement->repeat;
	struct tally tally;

	if (tally_take(&tally, measurement->plan, watch->stats, report,
		       steps->settings->each_user) < 0)
		NOTICE_ADD(&repeat->invalid, NOTICE_NO_MEMORY);
	else
		collect_repeat(&result->run, &tally, steps->settings->histograms, &result->names,
			       repeat);
	tally_free(&tally);
}

/* Report the repeat before the users remove their files. */
static void on_over(void *context, const struct workers_report *report)
{
	struct watch *watch = context;

	take(watch, report);
	watch->measurement->reported = true;
	watch->rc = measure_report(watch->measurement, EVENT_MEASURED);
}

/* Add the trouble that users have had while they removed their files. If there
 * was any, the repeat must be reported again. */
static void take_trouble(const struct watch *watch, const struct workers_report *report)
{
	struct measurement *measurement = watch->measurement;
	struct tally tally;

	if (!result_repeat_is_valid(measurement->repeat))
		return;
	if (tally_take(&tally, measurement->plan, watch->stats, report, false) == 0)
		collect_invalid(&tally, measurement->repeat);
	tally_free(&tally);
	measurement->reported = result_repeat_is_valid(measurement->repeat);
}

/* Play the users in memory that is mapped, and fill in the repeat. */
static int play(struct watch *watch, struct stats *stats)
{
	struct measurement *measurement = watch->measurement;
	const struct settings *settings = measurement->steps->settings;
	bool removes = !settings->keep && measurement->step->try == 0;
	const struct workers_observer workers = {
		.context = watch,
		.tick = on_tick,
		.over = removes ? on_over : NULL,
	};
	struct workers_report report;
	struct error error = {0};
	int rc = workers_run(measurement->plan, stats, &workers, &report, &error);

	if (rc < 0)
		NOTICE_ADD(&measurement->repeat->invalid, NOTICE_NOT_STARTED, .detail = error.text);
	if (measurement->reported)
		take_trouble(watch, &report);
	else
		take(watch, &report);
	seconds_close(&report.seconds);
	return rc < 0 ? rc : watch->rc;
}

int measure(struct measurement *measurement)
{
	struct workers_plan *plan = measurement->plan;
	struct result_repeat *repeat = measurement->repeat;
	struct verification verification = {0};
	unsigned phase_counts[LOADS_MAX];
	struct stats stats;
	struct watch watch = {
		.measurement = measurement,
		.stats = &stats,
	};
	int rc;

	loads_count_phases(plan->loads, phase_counts);
	rc = stats_map(&stats, plan->users, plan->loads->count, loads_labels_max(plan->loads),
		       phase_counts, measurement->steps->settings->log_loops);
	if (rc == 0 && plan->verify) {
		rc = verification_open(&verification, plan);
		plan->verification = &verification;
	}
	if (rc < 0) {
		NOTICE_ADD(&repeat->invalid, NOTICE_NO_SHARED_MEMORY, .numbers = {plan->users},
			   .detail = strerror(-rc));
	} else {
		rc = play(&watch, &stats);
		if (measurement->steps->saves_state && plan->verification != NULL &&
		    save_state(measurement) < 0)
			rc = -1;
	}
	stats_unmap(&stats);
	verification_close(&verification);
	plan->verification = NULL;
	return rc < 0 || !result_repeat_is_valid(repeat) ? -1 : 0;
}
