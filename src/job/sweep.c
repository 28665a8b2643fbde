/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "job/sweep.h"

#include "backend/backends.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/units.h"
#include "engine/targets.h"
#include "base/process.h"
#include "job/busy.h"
#include "job/fitting.h"
#include "job/limits.h"
#include "job/order.h"
#include "result/collect.h"
#include "stats/summary.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Round the share to the three decimals that a result file keeps. */
#define BUSY_STEPS 1e3

static unsigned max_users(const struct settings *settings)
{
	unsigned max = 0;
	size_t i;

	for (i = 0; i < settings->user_count_count; i++)
		if (settings->user_counts[i] > max)
			max = settings->user_counts[i];
	return max;
}

/* Warn if a target may not have enough free space for its users' files. */
static void check_space(const struct sweep *sweep,
			const struct workers_plan *plan,
			const struct workers_target *on)
{
	char needed[UNITS_TEXT], there[UNITS_TEXT];
	unsigned users = 0, user;
	uint64_t bytes = 0;

	for (user = 0; user < plan->users_max; user++) {
		if (workers_target_of(plan, user) != on)
			continue;
		bytes += workers_load_of(plan, user)->profile->footprint_bytes;
		users++;
	}
	if (on->target->backend->answers && !sweep->settings->quiet &&
	    bytes > on->facts.free_bytes)
		message_warning("%s: only %s free, but %s files take %s with "
				"%u %s", on->target->url,
				units_print_bytes(on->facts.free_bytes, there),
				plan->loads->count > 1 ? "these loads'"
						       : "this load's",
				units_print_bytes(bytes, needed), users,
				users == 1 ? "user" : "users");
}

/* Update the summary and the limits from the repeats so far. */
static int update_result(const struct sweep *sweep)
{
	const struct settings *settings = sweep->settings;
	struct result *result = sweep->result;
	char text[CONDITION_TEXT];
	struct error error = {0};
	const char *reason;

	if (summary_update(result) < 0 || limits_find(settings, result) < 0) {
		error_no_memory(&error);
		message_error(&error);
		return -1;
	}
	/* Record why the sweep stops only if that leaves out planned points. */
	reason = limits_stop(settings, result, text);
	if (reason != NULL && result->run.stopped_by == NULL &&
	    result->point_count < settings->user_count_count)
		result->run.stopped_by = strdup(reason);
	return 0;
}

/* The context of the callbacks during a repeat. */
struct repeat_watch {
	const struct sweep_observer *observer;
	uint64_t start_at_ns; /* as in struct settings */
	uint64_t late_ns;     /* from start_at_ns until the users were ready */
};

static void on_tick(void *context, const struct workers_view *view)
{
	const struct repeat_watch *watch = context;

	watch->observer->tick(watch->observer->context, view);
}

/*
 * Tell the workers when to start (workers_observer.line). Return the start time
 * if it is less than a second away. If it is further away, return CLOCK_NEVER
 * to be called again, as the wall clock may still be adjusted. If it has
 * passed, return 0: no user starts, and the point is not valid.
 */
static uint64_t on_line(void *context, uint64_t earliest_ns)
{
	struct repeat_watch *watch = context;
	uint64_t start_ns = clock_from_wall_ns(watch->start_at_ns);

	if (start_ns > earliest_ns + NS_PER_S)
		return CLOCK_NEVER;
	if (start_ns >= earliest_ns)
		return start_ns;
	watch->late_ns = earliest_ns - start_ns;
	return 0;
}

static int play_repeat(const struct sweep *sweep,
		       const struct sweep_observer *observer,
		       const struct workers_plan *plan, struct error *error)
{
	struct result_repeat *repeat =
		result_add_repeat(sweep->result, plan->users);
	const struct settings *settings = sweep->settings;
	struct repeat_watch watch = {
		.observer = observer,
		.start_at_ns = settings->start_at_ns,
	};
	const struct workers_observer workers = {
		.context = &watch,
		.tick = on_tick,
		.line = settings->start_at_ns > 0 ? on_line : NULL,
	};
	struct workers_report report;
	struct stats stats;
	struct tally tally;
	int rc;

	if (repeat == NULL) {
		error_no_memory(error);
		message_error(error);
		return -1;
	}
	repeat->order = ++sweep->result->run.measured;
	repeat->pair = sweep->pair;
	/* Only a single load can have phases. */
	rc = stats_map(&stats, plan->users, plan->loads->count,
		       loads_labels_max(plan->loads),
		       (unsigned)plan->loads->list[0].program->phase_count,
		       settings->log_loops);
	if (rc < 0) {
		result_add_reason(&repeat->invalid, "cannot map the "
				  "shared memory of %u users: %s", plan->users,
				  strerror(-rc));
	} else {
		rc = workers_run(plan, &stats, &workers, &report, error);
		if (rc < 0)
			result_add_reason(&repeat->invalid, "%s", error->text);
		if (watch.late_ns > 0)
			result_add_reason(&repeat->invalid,
					  "the users were ready %.3f s too "
					  "late for --start-at",
					  (double)watch.late_ns / 1e9);
		if (tally_take(&tally, plan, &stats, &report,
			       settings->each_user) < 0)
			result_add_reason(&repeat->invalid, "out of memory");
		else
			collect_repeat(&sweep->result->run, &tally, repeat);
		if (settings->histograms)
			collect_histograms(&tally, repeat);
		tally_free(&tally);
		stats_unmap(&stats);
		seconds_close(&report.seconds);
	}
	/* Call the observer even if the repeat could not be played. */
	if (update_result(sweep) < 0 ||
	    observer->repeat(observer->context, sweep->result, repeat) < 0)
		return -1;
	return rc < 0 || !result_repeat_is_valid(repeat) ? -1 : 0;
}

/*
 * Check if measurement number `index` of the order must still be made: a
 * resumed sweep already has some of the measurements. Once a stop condition
 * holds, points that have been measured are repeated, but no new one begins.
 */
static bool is_due(const struct sweep *sweep, const struct order *order,
		   size_t index)
{
	unsigned users = order->user_counts[index];
	const struct result_point *point =
		result_find_point(sweep->result, users);
	size_t planned = 0, i;

	for (i = 0; i <= index; i++)
		planned += order->user_counts[i] == users;
	if (point == NULL)
		return sweep->result->run.stopped_by == NULL;
	return point->repeat_count < planned;
}

static int make_order(const struct settings *settings, struct order *order)
{
	return order_make(order, settings->user_counts,
			  settings->user_count_count, settings->repeats,
			  settings->random_order, settings->seed);
}

unsigned sweep_next_users(const struct sweep *sweep)
{
	struct order order;
	unsigned users = 0;
	size_t i;

	if (make_order(sweep->settings, &order) == 0)
		for (i = 0; i < order.count && users == 0; i++)
			if (is_due(sweep, &order, i))
				users = order.user_counts[i];
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
		error_set(error, "interrupted by SIG%s",
			  sigabbrev_np(number));
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
	uint64_t interval_ns = busy_interval_ns(settings->phases.time_ns,
						settings->phases.loops);
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
static enum sweep_end play_points(const struct sweep *sweep,
				  const struct sweep_observer *observer,
				  struct workers_plan *plan,
				  const struct order *order,
				  struct error *error)
{
	const struct settings *settings = sweep->settings;
	struct result *result = sweep->result;
	bool first = !sweep->settle_first;
	unsigned measured = 0;
	size_t i;

	/* Do this even if no repeat follows: a resumed sweep may be
	 * complete. */
	if (update_result(sweep) < 0)
		return SWEEP_INVALID;
	for (i = 0; i < order->count; i++) {
		plan->users = order->user_counts[i];
		plan->users_total = plan->first_user + plan->users;
		if (!is_due(sweep, order, i))
			continue;
		if (first ? !measure_busy(sweep, error)
			  : !settle(settings->phases.settle_ns, error))
			return SWEEP_INVALID;
		result->run.resumed += first && sweep->resumed;
		if (play_repeat(sweep, observer, plan, error) < 0)
			return SWEEP_INVALID;
		first = false;
		if (++measured == sweep->measurements_max)
			break;
	}
	return SWEEP_DONE;
}

/* Measure on the targets, whose work directories this run has claimed
 * (engine/targets.h), then clean them up. */
static enum sweep_end run_claimed(const struct sweep *sweep,
				  const struct sweep_observer *observer,
				  struct workers_plan *plan,
				  struct error *error)
{
	const struct settings *settings = sweep->settings;
	struct data_pool *pool = data_pool_new(settings->data,
					       loads_io_bytes_max(sweep->loads),
					       settings->seed);
	enum sweep_end end = SWEEP_INVALID;
	struct error cleaning = {0};
	struct order order;

	if (pool == NULL) {
		error_no_memory(error);
		targets_clean_up(plan, &cleaning);
		return SWEEP_REFUSED;
	}
	plan->pool = pool;
	observer->begin(observer->context, sweep->result);
	if (make_order(settings, &order) < 0) {
		error_no_memory(error);
		message_error(error);
	} else {
		end = play_points(sweep, observer, plan, &order, error);
	}
	order_free(&order);
	if (!settings->keep && targets_clean_up(plan, &cleaning) < 0) {
		message_error(&cleaning);
		end = SWEEP_INVALID;
	}
	data_pool_free(pool);
	return end;
}

int sweep_check(const struct sweep *sweep, struct error *error)
{
	const unsigned *user_counts = sweep->settings->user_counts;
	size_t count = sweep->settings->user_count_count, i;

	for (i = 0; i < count; i++)
		if (loads_check_users(sweep->loads, sweep->settings->first_user,
				      user_counts[i], error) < 0)
			return -1;
	/* Refuse a point with fewer users than targets. */
	for (i = 0; i < count; i++) {
		if (user_counts[i] >= sweep->target_count)
			continue;
		error_set(error, "%u %s cannot be spread over %u targets: "
			  "each target needs at least one user",
			  user_counts[i],
			  user_counts[i] == 1 ? "user" : "users",
			  sweep->target_count);
		return -1;
	}
	return 0;
}

static int describe_targets(const struct sweep *sweep,
			    const struct workers_plan *plan,
			    struct error *error)
{
	struct result_run *run = &sweep->result->run;
	unsigned i;

	run->targets = calloc(plan->target_count, sizeof(*run->targets));
	if (run->targets == NULL)
		return error_no_memory(error);
	run->target_count = plan->target_count;
	for (i = 0; i < plan->target_count; i++) {
		const struct workers_target *on = &plan->targets[i];
		const struct backend *backend = on->target->backend;

		run->targets[i] = (struct result_target){
			.url = strdup(on->target->url),
			.backend = strdup(on->target->row->name),
			.library = strdup(on->target->row->library),
			.library_version = strdup(backend->library_version()),
			.kind = strdup(on->facts.kind),
			.protection = strdup(on->facts.protection),
			.free_bytes = on->facts.free_bytes,
			.in_memory = on->facts.in_memory,
			.answers = backend->answers,
			.remote = backend->remote,
		};
		check_space(sweep, plan, on);
	}
	return 0;
}

/* Probe the targets and fit the load to them. */
static int prepare(const struct sweep *sweep, struct workers_plan *plan,
		   struct error *error)
{
	struct result_run *run = &sweep->result->run;
	struct error ignored = {0};
	int rc = 0;

	if (sweep_check(sweep, error) < 0 || targets_probe(plan, error) < 0)
		return -1;
	if (run->targets == NULL) {
		rc = describe_targets(sweep, plan, error);
		if (rc == 0)
			rc = fitting_apply(sweep->loads, plan,
					   sweep->settings->strict, run,
					   error);
	}
	fitting_plan(plan);
	if (rc < 0)
		targets_clean_up(plan, &ignored);
	return rc;
}

enum sweep_end sweep_run(const struct sweep *sweep,
			 const struct sweep_observer *observer,
			 struct error *error)
{
	const struct settings *settings = sweep->settings;
	struct workers_plan plan = {
		.loads = sweep->loads,
		.from_start = settings->phases.from_start ||
			      settings->phases.loops > 0,
		.targets = calloc(sweep->target_count,
				  sizeof(struct workers_target)),
		.target_count = sweep->target_count,
		.first_user = settings->first_user,
		.users_max = max_users(settings),
		.phases = settings->phases,
		.seed = settings->seed,
		.mismatches_allowed = settings->mismatches_allowed,
		.keep = settings->keep,
		.use_existing = settings->use_existing,
		.take_over = settings->take_over,
		.dbench_workdir = settings->dbench_workdir,
		.put_off = settings->put_off,
		.bytes_per_s = settings->bytes_per_s,
	};
	enum sweep_end end = SWEEP_REFUSED;
	unsigned i;

	if (plan.targets == NULL) {
		error_no_memory(error);
		return SWEEP_REFUSED;
	}
	for (i = 0; i < plan.target_count; i++) {
		plan.targets[i].target = &sweep->targets[i];
		plan.targets[i].lock_fd = -1;
	}
	process_block_signals();
	if (identity_make(&plan.run) < 0)
		error_set(error, "cannot get random bytes for the run's id");
	else if (prepare(sweep, &plan, error) == 0)
		end = run_claimed(sweep, observer, &plan, error);
	targets_free(&plan);
	free(plan.targets);
	return end;
}
