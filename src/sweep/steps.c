/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/steps.h"

#include "base/clock.h"
#include "base/message.h"
#include "base/process.h"
#include "base/units.h"
#include "stats/summary.h"
#include "sweep/busy.h"
#include "sweep/commands.h"
#include "sweep/fitting.h"
#include "sweep/limits.h"
#include "sweep/measure.h"
#include "sweep/stage.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Round the share to the three decimals that a result file keeps. */
#define BUSY_STEPS 1e3

char *steps_place(const struct steps_side *side, unsigned users, unsigned pair,
		  char text[STEPS_PLACE])
{
	text[0] = '\0';
	if (pair > 0)
		snprintf(text, STEPS_PLACE, "%sat %u %s, pair %u: ", side->name, users,
			 units_plural(users, "user", "users"), pair);
	return text;
}

/* A run in progress. */
struct loop {
	const struct steps *steps;
	const struct observer *observer;
	struct stage stages[STEPS_SIDES];
	bool begun[STEPS_SIDES]; /* EVENT_BEGIN was sent */
	struct commands commands, samples;
	struct identity run; /* of the turn, if there are commands */
	bool in_turn;
	bool measured; /* a measurement was made */
	bool refused;  /* a side could not begin */
	struct error *error;
};

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
		  "--workdir .: the load would change \"%s\", which is outside the directories of "
		  "its users; use --use-existing to allow this change",
		  name);
	return -EINVAL;
}

static int check_variant(const struct settings *settings, const struct steps_variant *variant,
			 struct error *error)
{
	const unsigned *user_counts = settings->user_counts;
	size_t count = settings->user_count_count, i;

	if (check_workdir(settings, variant->loads, error) < 0)
		return -1;
	for (i = 0; i < count; i++) {
		if (loads_check_users(variant->loads, user_counts[i], error) < 0)
			return -1;
		if (user_counts[i] >= variant->target_count)
			continue;
		error_set(error,
			  "%u %s cannot be spread over %u targets: each target needs at least one "
			  "user (to compare targets, use --sweep target=A,B or throng compare)",
			  user_counts[i], user_counts[i] == 1 ? "user" : "users",
			  variant->target_count);
		return -1;
	}
	return 0;
}

int steps_check(const struct settings *settings, const struct steps_side *side, struct error *error)
{
	size_t i;

	for (i = 0; i < side->result->run.variant_count; i++)
		if (check_variant(settings, &side->variants[i], error) < 0)
			return -1;
	return stage_describe(side, error);
}

uint64_t steps_hash(const struct steps_side *sides, unsigned count)
{
	uint64_t hash = 0;
	unsigned side;
	size_t i;

	for (side = 0; side < count; side++)
		for (i = 0; i < sides[side].result->run.variant_count; i++)
			hash = hash * 31 + fitting_hash(sides[side].variants[i].loads);
	return hash;
}

/* Pause, so that the target becomes idle. Return 0, or -EINTR with `error`
 * set. */
static int settle(uint64_t settle_ns, struct error *error)
{
	uint64_t end_ns = clock_now_ns() + settle_ns, now_ns;

	while ((now_ns = clock_now_ns()) < end_ns) {
		int number = process_wait_signal(end_ns - now_ns);

		if (!process_is_interrupt(number))
			continue;
		error_set(error, "interrupted by SIG%s", sigabbrev_np(number));
		return -EINTR;
	}
	return 0;
}

/* Measure how busy the machine is before the first step. Return 0, or -EINTR
 * with `error` set. */
static int measure_busy(const struct settings *settings, struct result_run *run,
			struct error *error)
{
	uint64_t interval_ns = busy_interval_ns(settings->phases.time_ns, settings->phases.loops);
	struct busy_times before, after;
	double share;

	/* The share is of no use without warnings, as only a warning shows
	 * it; nor if users play on other machines. */
	if (settings->quiet || run->host_count > 0 || interval_ns == 0 || busy_read(&before) < 0)
		return 0;
	if (settle(interval_ns, error) < 0)
		return -EINTR;
	if (busy_read(&after) < 0)
		return 0;
	share = busy_share(&before, &after, run->cpus);
	share = round(share * BUSY_STEPS) / BUSY_STEPS;
	if (share > run->busy_before)
		run->busy_before = share;
	return 0;
}

/* Send EVENT_BEGIN for a side. */
static int begin_side(struct loop *loop, unsigned side)
{
	struct result *result = loop->steps->sides[side].result;
	const struct event event = {.type = EVENT_BEGIN, .side = side, .result = result};

	loop->begun[side] = true;
	return loop->observer->observe(loop->observer->context, &event);
}

/* Run the command of the side. Without commands, contact all targets of the
 * side first; with them, a command prepares the targets of its own turn only. */
static int begin_turn(struct loop *loop, const struct step *step)
{
	const struct steps_side *side = &loop->steps->sides[step->side];
	struct stage *stage = &loop->stages[step->side];
	size_t i;

	loop->in_turn = true;
	if (side->before == NULL && loop->steps->after == NULL) {
		for (i = 0; !loop->begun[step->side] && i < side->result->run.variant_count; i++)
			if (stage_claim(stage, i, loop->error) == NULL)
				return -1;
		return 0;
	}
	if (identity_make(&loop->run) < 0) {
		error_set(loop->error, "cannot get random bytes from the system for the run's id");
		return -1;
	}
	stage->run = &loop->run;
	if (commands_set(&loop->commands, loop->steps, step, &loop->run, loop->error) < 0)
		return -1;
	return commands_run(&loop->commands, side->before, side->option, loop->error);
}

/* Say which measurement of a pair an error is about, if it is set. */
static void place_error(const struct loop *loop, const struct step *step, struct error *error)
{
	char place[STEPS_PLACE];

	error_prefix(error,
		     steps_place(&loop->steps->sides[step->side], step->users, step->pair, place));
}

/* Clean up the targets, and run the command --after: it may have to stop what
 * another one has started, so do this after any error. `step` is the last one of
 * the turn. Return 0, or < 0 after a message. */
static int end_turn(struct loop *loop, const struct step *step)
{
	struct error cleaning = {0}, after = {0};
	unsigned side;

	if (!loop->in_turn)
		return 0;
	loop->in_turn = false;
	for (side = 0; side < loop->steps->side_count; side++)
		stage_release(&loop->stages[side], &cleaning);
	place_error(loop, step, &cleaning);
	if (cleaning.set)
		message_error(&cleaning);
	commands_run(&loop->commands, loop->steps->after, "--after", &after);
	place_error(loop, step, &after);
	if (after.set && !loop->error->set)
		message_error(&after);
	return cleaning.set || after.set ? -1 : 0;
}

/* Set the variables for the commands of --sample: those that --before has, and in any
 * case THRONG_USERS. */
static int set_samples(struct loop *loop, const struct step *step, const struct workers_plan *plan)
{
	struct step alone = *step;

	alone.ends_turn = true;
	if (loop->steps->sides[step->side].result->run.sample_count == 0)
		return 0;
	return commands_set(&loop->samples, loop->steps, &alone, &plan->run, loop->error);
}

/* Get ready to measure: begin a turn, claim the targets, pause. Return the plan
 * of the users, or NULL with the error set. */
static struct workers_plan *prepare(struct loop *loop, const struct step *step)
{
	const struct settings *settings = loop->steps->settings;
	struct result_run *run = &loop->steps->sides[step->side].result->run;
	struct workers_plan *plan;
	size_t i;

	loop->refused = !loop->begun[step->side];
	if (!loop->in_turn && begin_turn(loop, step) < 0)
		return NULL;
	plan = stage_claim(&loop->stages[step->side], step->variant, loop->error);
	if (plan == NULL || set_samples(loop, step, plan) < 0)
		return NULL;
	loop->refused = false;
	if (!loop->begun[step->side] && begin_side(loop, step->side) < 0)
		return NULL;
	if (step->try <= 1 && (loop->measured ? settle(settings->phases.settle_ns, loop->error)
					      : measure_busy(settings, run, loop->error)) < 0)
		return NULL;
	run->resumed += !loop->measured && loop->steps->resumed;
	loop->measured = true;
	loop->stages[step->side].played = true;
	plan->users = step->users;
	plan->users_total = plan->first_user + plan->users;
	for (i = 0; step->try > 0 && i < plan->loads->count; i++)
		plan->loads->list[i].program->rate.per_s = step->rate;
	return plan;
}

/* Measure. Return 0, 1 if another try of the same search follows, or < 0. */
static int take_step(struct loop *loop, const struct step *step)
{
	const struct plan *plan = loop->steps->plan;
	struct result *result = loop->steps->sides[step->side].result;
	struct measurement measurement = {
		.steps = loop->steps,
		.observer = loop->observer,
		.step = step,
		.plan = prepare(loop, step),
	};
	struct result_repeat *repeat;
	int rc, more = 0;

	if (measurement.plan == NULL)
		return -1;
	measurement.variables = (const char *const *)loop->samples.variables;
	repeat = result_add_repeat(result, step->variant, step->users);
	if (repeat == NULL)
		return error_no_memory(loop->error);
	result->run.measured += step->try <= 1;
	repeat->order = result->run.measured;
	repeat->pair = step->pair;
	measurement.repeat = repeat;
	rc = measure(&measurement);
	if (step->try > 0) {
		more = plan->take(plan->context, step);
		if (more < 0)
			return error_no_memory(loop->error);
		measurement.repeat = result_last_repeat(
			result_find_point(result, step->variant, step->users));
		if (rc == 0 && measure_report(&measurement, EVENT_TRY) < 0)
			return -1;
	}
	if (rc == 0 && more > 0)
		return more;
	/* Report the repeat even if it could not be played. */
	if (!measurement.reported && measure_report(&measurement, EVENT_MEASURED) < 0)
		return -1;
	return rc;
}

/* Take the steps. Return 0 or < 0. */
static int take_all(struct loop *loop)
{
	const struct plan *plan = loop->steps->plan;
	struct step step = {0}, last = {0};
	int rc, ended;

	while ((rc = plan->next(plan->context, &step)) > 0) {
		rc = take_step(loop, &step);
		place_error(loop, &step, loop->error);
		ended = rc < 0 || (rc == 0 && step.ends_turn) ? end_turn(loop, &step) : 0;
		if (rc < 0 || ended < 0)
			return -1;
		last = step;
		step = (struct step){0};
	}
	ended = end_turn(loop, &last);
	/* A resumed sweep may be complete. */
	if (rc == 0 && !loop->begun[0])
		rc = begin_side(loop, 0);
	return rc < 0 ? rc : ended;
}

enum steps_end steps_run(const struct steps *steps, const struct observer *observer,
			 struct error *error)
{
	enum steps_end end = STEPS_REFUSED;
	struct loop loop = {
		.steps = steps,
		.observer = observer,
		.commands = {.begin_ns = clock_now_ns(), .time_max_ns = steps->time_max_ns},
		.error = error,
	};
	unsigned side;
	int rc = 0;

	process_block_signals();
	/* Users must be able to use their own directories. */
	umask(umask(0) & ~(mode_t)S_IRWXU);
	for (side = 0; side < steps->side_count; side++) {
		if (rc == 0)
			rc = steps_check(steps->settings, &steps->sides[side], error);
		/* A resumed sweep may have reached a limit. */
		if (rc == 0 && (summary_update(steps->sides[side].result) < 0 ||
				limits_update(steps->settings, steps->sides[side].result) < 0))
			rc = error_no_memory(error);
		if (stage_open(&loop.stages[side], steps, side, error) < 0)
			rc = -1;
	}
	if (rc == 0)
		end = take_all(&loop) == 0 ? STEPS_DONE
		      : loop.refused       ? STEPS_REFUSED
					   : STEPS_INVALID;
	/* Report the error, but keep what was measured. */
	if (end == STEPS_INVALID && error->set)
		message_error(error);
	for (side = 0; side < steps->side_count; side++)
		stage_close(&loop.stages[side]);
	commands_free(&loop.commands);
	commands_free(&loop.samples);
	return end;
}
