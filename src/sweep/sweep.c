/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/sweep.h"

#include "base/clock.h"
#include "base/message.h"
#include "base/process.h"
#include "play/verification.h"
#include "result/collect.h"
#include "result/variant.h"
#include "stats/summary.h"
#include "sweep/busy.h"
#include "sweep/find_rate.h"
#include "sweep/limits.h"
#include "sweep/order.h"
#include "sweep/stage.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Round the share to the three decimals that a result file keeps. */
#define BUSY_STEPS 1e3

/* Return the place of the reason why a variant's later points are left out. */
static char **stopped_by(const struct sweep *sweep, size_t variant)
{
	struct result_run *run = &sweep->result->run;

	return run->variant_count > 0 ? &run->variants[variant].stopped_by : &run->stopped_by;
}

/* Update the summary and the limits from the repeats so far. */
static int update_result(const struct sweep *sweep)
{
	const struct settings *settings = sweep->settings;
	struct result *result = sweep->result;
	char text[CONDITION_TEXT];
	struct error error = {0};
	size_t i;

	if (summary_update(result) < 0 || limits_find(settings, result) < 0) {
		error_no_memory(&error);
		message_error(&error);
		return -1;
	}
	for (i = 0; i < sweep->variant_count; i++) {
		const struct result part = variant_result(result, i);
		const char *reason = limits_stop(settings, &part, text);
		char **stopped = stopped_by(sweep, i);

		/* Record why the sweep stops only if that leaves out planned
		 * points. */
		if (reason != NULL && *stopped == NULL &&
		    part.point_count < settings->user_count_count)
			*stopped = strdup(reason);
	}
	return 0;
}

/* The context of the callbacks during a repeat. */
struct repeat_watch {
	const struct sweep *sweep;
	const struct sweep_observer *observer;
	const struct workers_plan *plan;
	const struct stats *stats;
	struct result_repeat *repeat;
	bool reported; /* the observer knows the repeat */
	int rc;        /* what the observer said then */
};

static void on_tick(void *context, const struct workers_view *view)
{
	const struct repeat_watch *watch = context;

	if (!watch->reported)
		watch->observer->tick(watch->observer->context, view);
}

static int write_state(const void *state, FILE *stream)
{
	return state_write(state, stream);
}

/* Let the observer save the state of the users' files. */
static int save_state(const struct workers_plan *plan, const struct sweep_observer *observer)
{
	struct error error = {0};
	struct state state;
	int rc = verification_state(plan->verification, plan, &state);

	if (rc == 0) {
		struct sweep_state brief = {
			.users = state.users,
			.must_bytes = state_must_bytes(&state),
		};

		if (brief.must_bytes == 0)
			brief.reason = state_explain_nothing(&state);
		rc = observer->state(observer->context, write_state, &state, &brief);
	} else {
		error_no_memory(&error);
		message_error(&error);
	}
	state_free(&state);
	return rc;
}

/* Report the repeat to the observer. Return 0, or < 0 to stop. */
static int report_repeat(const struct sweep *sweep, const struct sweep_observer *observer,
			 const struct result_repeat *repeat)
{
	if (update_result(sweep) < 0)
		return -1;
	return observer->repeat(observer->context, sweep->result, repeat);
}

/* Fill in the repeat after the users have played. */
static void take(const struct repeat_watch *watch, const struct workers_report *report)
{
	const struct settings *settings = watch->sweep->settings;
	struct result_repeat *repeat = watch->repeat;
	const struct result_run run = variant_run(&watch->sweep->result->run, repeat->variant);
	struct tally tally;

	if (tally_take(&tally, watch->plan, watch->stats, report, settings->each_user) < 0)
		NOTICE_ADD(&repeat->invalid, NOTICE_NO_MEMORY);
	else
		collect_repeat(&run, &tally, repeat);
	if (settings->histograms)
		collect_histograms(&tally, repeat);
	tally_free(&tally);
}

/* Report the repeat before the users remove their files. */
static void on_over(void *context, const struct workers_report *report)
{
	struct repeat_watch *watch = context;

	take(watch, report);
	watch->reported = true;
	watch->rc = report_repeat(watch->sweep, watch->observer, watch->repeat);
}

/* Add the trouble that users have had while they removed their files. If there
 * was any, the repeat must be reported again. */
static void take_trouble(struct repeat_watch *watch, const struct workers_report *report)
{
	struct tally tally;

	if (!result_repeat_is_valid(watch->repeat))
		return;
	if (tally_take(&tally, watch->plan, watch->stats, report, false) == 0)
		collect_invalid(&tally, watch->repeat);
	tally_free(&tally);
	watch->reported = result_repeat_is_valid(watch->repeat);
}

/* Play the users in memory that is mapped, and fill in the repeat. Return 0, or
 * -errno with `error` set. */
static int play(struct repeat_watch *watch, struct stats *stats, struct error *error)
{
	const struct settings *settings = watch->sweep->settings;
	bool removes = !settings->keep && settings->rate_limit == NULL;
	const struct workers_observer workers = {
		.context = watch,
		.tick = on_tick,
		.over = removes ? on_over : NULL,
	};
	struct workers_report report;
	int rc = workers_run(watch->plan, stats, &workers, &report, error);

	if (rc < 0)
		NOTICE_ADD(&watch->repeat->invalid, NOTICE_NOT_STARTED, .detail = error->text);
	if (watch->reported)
		take_trouble(watch, &report);
	else
		take(watch, &report);
	seconds_close(&report.seconds);
	return rc < 0 ? rc : watch->rc;
}

/*
 * Measure and fill in the repeat. Return 0, or -errno with `error` set, or what
 * the observer returned. Set *reported if the observer knows the repeat.
 */
static int measure(const struct sweep *sweep, const struct sweep_observer *observer,
		   struct workers_plan *plan, struct result_repeat *repeat, bool *reported,
		   struct error *error)
{
	struct verification verification = {0};
	unsigned phase_counts[LOADS_MAX];
	struct stats stats;
	struct repeat_watch watch = {
		.sweep = sweep,
		.observer = observer,
		.plan = plan,
		.stats = &stats,
		.repeat = repeat,
	};
	int rc;

	loads_count_phases(plan->loads, phase_counts);
	rc = stats_map(&stats, plan->users, plan->loads->count, loads_labels_max(plan->loads),
		       phase_counts, sweep->settings->log_loops);
	if (rc == 0 && plan->verify) {
		rc = verification_open(&verification, plan);
		plan->verification = &verification;
	}
	if (rc < 0) {
		NOTICE_ADD(&repeat->invalid, NOTICE_NO_SHARED_MEMORY, .numbers = {plan->users},
			   .detail = strerror(-rc));
	} else {
		rc = play(&watch, &stats, error);
		if (observer->state != NULL && plan->verification != NULL &&
		    save_state(plan, observer) < 0)
			rc = -1;
	}
	stats_unmap(&stats);
	verification_close(&verification);
	plan->verification = NULL;
	*reported = watch.reported;
	return rc;
}

/* The context of the callbacks of a search for a rate. */
struct rate_steps {
	const struct sweep *sweep;
	const struct sweep_observer *observer;
	struct workers_plan *plan;
	struct error *error;
};

static int measure_rate(void *context, double per_user, struct result_repeat *repeat)
{
	const struct rate_steps *steps = context;
	const struct loads *loads = steps->plan->loads;
	bool reported;
	size_t i;
	int rc;

	for (i = 0; i < loads->count; i++)
		loads->list[i].program->rate.per_s = per_user;
	rc = measure(steps->sweep, steps->observer, steps->plan, repeat, &reported, steps->error);
	return rc < 0 || !result_repeat_is_valid(repeat) ? -1 : 0;
}

static void on_step(void *context, const struct result_repeat *repeat,
		    const struct result_found_rate *found)
{
	const struct rate_steps *steps = context;

	steps->observer->step(steps->observer->context, repeat, found);
}

/* Search the rate that the users of the plan can have, and fill in the repeat.
 * Return 0 or < 0. */
static int find_rate(const struct sweep *sweep, const struct sweep_observer *observer,
		     struct workers_plan *plan, struct result_repeat *repeat, struct error *error)
{
	struct rate_steps steps = {sweep, observer, plan, error};
	const struct find_rate find = {
		.limit = sweep->settings->rate_limit,
		.first = sweep->settings->transform.rate,
		.time_ns = sweep->settings->phases.time_ns,
		.context = &steps,
		.measure = measure_rate,
		.step = on_step,
	};
	struct result_found_rate *found = calloc(1, sizeof(*found));

	if (found == NULL)
		return -ENOMEM;
	result_find_point(sweep->result, repeat->variant, repeat->users)->found_rate = found;
	return find_rate_run(&find, repeat, found);
}

static int play_repeat(const struct sweep *sweep, const struct sweep_observer *observer,
		       size_t variant, struct workers_plan *plan, struct error *error)
{
	struct result_repeat *repeat = result_add_repeat(sweep->result, variant, plan->users);
	bool reported = false;
	int rc;

	if (repeat == NULL) {
		error_no_memory(error);
		message_error(error);
		return -1;
	}
	repeat->order = ++sweep->result->run.measured;
	repeat->pair = sweep->pair;
	rc = sweep->settings->rate_limit != NULL
		     ? find_rate(sweep, observer, plan, repeat, error)
		     : measure(sweep, observer, plan, repeat, &reported, error);
	/* Report the repeat even if it could not be played. */
	if (!reported && report_repeat(sweep, observer, repeat) < 0)
		return -1;
	return rc < 0 || !result_repeat_is_valid(repeat) ? -1 : 0;
}

/* The place of a point in a sweep. */
struct place {
	size_t variant;
	unsigned users;
};

/* Return the place of a point that the order has as a number. In the given
 * order, the user counts of a variant follow each other. */
static struct place place_of(const struct sweep *sweep, size_t point)
{
	size_t counts = sweep->settings->user_count_count;

	return (struct place){
		.variant = point / counts,
		.users = sweep->settings->user_counts[point % counts],
	};
}

/*
 * Check if measurement number `index` of the order must still be made: a
 * resumed sweep already has some of the measurements. Once a stop condition
 * holds, points that have been measured are repeated, but no new one begins.
 */
static bool is_due(const struct sweep *sweep, const struct order *order, size_t index)
{
	const struct place place = place_of(sweep, order->points[index]);
	const struct result_point *point = result_find_point(sweep->result, place.variant,
							     place.users);
	size_t planned = 0, i;

	for (i = 0; i <= index; i++)
		planned += order->points[i] == order->points[index];
	if (point == NULL)
		return *stopped_by(sweep, place.variant) == NULL;
	return point->repeat_count < planned;
}

static int make_order(const struct settings *settings, size_t variants, struct order *order)
{
	return order_make(order, variants * settings->user_count_count, settings->repeats,
			  settings->random_order, settings->seed);
}

unsigned sweep_next_users(const struct sweep *sweep)
{
	struct order order;
	unsigned users = 0;
	size_t i;

	if (make_order(sweep->settings, sweep->variant_count, &order) == 0)
		for (i = 0; i < order.count && users == 0; i++)
			if (is_due(sweep, &order, i))
				users = place_of(sweep, order.points[i]).users;
	order_free(&order);
	return users;
}

/* Pause, so that the target becomes idle. Return false on an interrupt. */
static bool settle(uint64_t settle_ns, struct error *error)
{
	uint64_t end_ns = clock_now_ns() + settle_ns, now_ns;

	while ((now_ns = clock_now_ns()) < end_ns) {
		int number = process_wait_signal(end_ns - now_ns);

		if (!process_is_interrupt(number))
			continue;
		error_set(error, "interrupted by SIG%s", sigabbrev_np(number));
		message_error(error);
		return false;
	}
	return true;
}

/*
 * Measure how busy the machine is before the first point. Return false on an
 * interrupt.
 */
static bool measure_busy(const struct sweep *sweep, struct error *error)
{
	const struct settings *settings = sweep->settings;
	struct result_run *run = &sweep->result->run;
	uint64_t interval_ns = busy_interval_ns(settings->phases.time_ns, settings->phases.loops);
	struct busy_times before, after;
	double share;

	/* The share is of no use without warnings, as only a warning shows
	 * it. */
	if (settings->quiet || interval_ns == 0 || busy_read(&before) < 0)
		return true;
	if (!settle(interval_ns, error))
		return false;
	if (busy_read(&after) < 0)
		return true;
	share = busy_share(&before, &after, run->cpus);
	share = round(share * BUSY_STEPS) / BUSY_STEPS;
	if (share > run->busy_before)
		run->busy_before = share;
	return true;
}

/* Play the points until a repeat is not valid. */
static enum sweep_end play_points(const struct sweep *sweep, const struct sweep_observer *observer,
				  struct stage *stage, const struct order *order,
				  struct error *error)
{
	const struct settings *settings = sweep->settings;
	struct result *result = sweep->result;
	bool first = !sweep->settle_first;
	struct workers_plan *plan;
	unsigned measured = 0;
	size_t i;

	/* Do this even if no repeat follows: a resumed sweep may be
	 * complete. */
	if (update_result(sweep) < 0)
		return SWEEP_INVALID;
	for (i = 0; i < order->count; i++) {
		const struct place place = place_of(sweep, order->points[i]);

		if (!is_due(sweep, order, i))
			continue;
		if (first ? !measure_busy(sweep, error)
			  : !settle(settings->phases.settle_ns, error))
			return SWEEP_INVALID;
		plan = stage_claim(stage, place.variant, error);
		if (plan == NULL) {
			message_error(error);
			return SWEEP_INVALID;
		}
		stage->played = true;
		plan->users = place.users;
		plan->users_total = plan->first_user + plan->users;
		result->run.resumed += first && sweep->resumed;
		if (play_repeat(sweep, observer, place.variant, plan, error) < 0)
			return SWEEP_INVALID;
		first = false;
		if (++measured == sweep->measurements_max)
			break;
	}
	return SWEEP_DONE;
}

/* Measure on the targets, which have been prepared, then clean them up. */
static enum sweep_end run_prepared(const struct sweep *sweep, const struct sweep_observer *observer,
				   struct stage *stage, struct error *error)
{
	enum sweep_end end = SWEEP_INVALID;
	struct error cleaning = {0};
	struct order order;

	if (observer->begin != NULL)
		observer->begin(observer->context, sweep->result);
	if (make_order(sweep->settings, sweep->variant_count, &order) < 0) {
		error_no_memory(error);
		message_error(error);
	} else {
		end = play_points(sweep, observer, stage, &order, error);
	}
	order_free(&order);
	if (stage_release(stage, &cleaning) < 0) {
		message_error(&cleaning);
		end = SWEEP_INVALID;
	}
	return end;
}

/*
 * Refuse a load that would change the target itself outside its users'
 * directories, where nothing removes what it makes.
 */
static int check_workdir(const struct settings *settings, const struct loads *loads,
			 struct error *error)
{
	const char *name = shared_first_changed(&loads->shared);

	if (settings->workdir == NULL || strcmp(settings->workdir, ".") != 0 || name == NULL ||
	    settings->use_existing)
		return 0;
	error_set(error,
		  "--workdir .: the load would change \"%s\", which is not in a directory of its "
		  "users; use --use-existing to allow it",
		  name);
	return -EINVAL;
}

/* Check one variant. */
static int check_variant(const struct sweep *sweep, const struct sweep_variant *variant,
			 struct error *error)
{
	const unsigned *user_counts = sweep->settings->user_counts;
	size_t count = sweep->settings->user_count_count, i;

	if (check_workdir(sweep->settings, variant->loads, error) < 0)
		return -1;
	for (i = 0; i < count; i++)
		if (loads_check_users(variant->loads, user_counts[i], error) < 0)
			return -1;
	/* Refuse a point with fewer users than targets. */
	for (i = 0; i < count; i++) {
		if (user_counts[i] >= variant->target_count)
			continue;
		error_set(error,
			  "%u %s cannot be spread over %u targets: each target needs at least one "
			  "user",
			  user_counts[i], user_counts[i] == 1 ? "user" : "users",
			  variant->target_count);
		return -1;
	}
	return 0;
}

int sweep_check(const struct sweep *sweep, struct error *error)
{
	size_t i;

	for (i = 0; i < sweep->variant_count; i++)
		if (check_variant(sweep, &sweep->variants[i], error) < 0)
			return -1;
	return 0;
}

enum sweep_end sweep_run(const struct sweep *sweep, const struct sweep_observer *observer,
			 struct error *error)
{
	enum sweep_end end = SWEEP_REFUSED;
	struct stage stage;

	process_block_signals();
	/* Users must be able to use their own directories. */
	umask(umask(0) & ~(mode_t)S_IRWXU);
	if (stage_open(&stage, sweep, error) == 0 && sweep_check(sweep, error) == 0 &&
	    stage_prepare(&stage, error) == 0)
		end = run_prepared(sweep, observer, &stage, error);
	stage_close(&stage);
	return end;
}
