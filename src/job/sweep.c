/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "job/sweep.h"

#include "base/message.h"
#include "base/units.h"
#include "engine/process.h"
#include "result/fill.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static unsigned most_users(const struct settings *settings)
{
	unsigned most = 0;
	size_t i;

	for (i = 0; i < settings->user_count_count; i++)
		if (settings->user_counts[i] > most)
			most = settings->user_counts[i];
	return most;
}

static void warn_of_space(const struct sweep *sweep,
			  const struct backend_facts *facts)
{
	char needed[UNITS_TEXT], there[UNITS_TEXT];
	unsigned users = most_users(sweep->settings);
	uint64_t bytes = sweep->census->footprint_bytes * users;

	if (sweep->target->backend->answers && bytes > facts->free_bytes)
		message_warning("%s: %s are free, and %u %s of this load "
				"will hold %s", sweep->target->url,
				units_print_bytes(facts->free_bytes, there),
				users, users == 1 ? "user" : "users",
				units_print_bytes(bytes, needed));
}

/* A WAITSP for a user that a point does not have would wait for ever. */
static int check_waits(const struct sweep *sweep, struct error *error)
{
	size_t i;

	for (i = 0; i < sweep->settings->user_count_count; i++) {
		if (sweep->program->user_awaited_max <
		    sweep->settings->user_counts[i])
			continue;
		error_set(error, "%s: WAITSP waits for user %" PRIu32 ", and "
			  "with %u users the last one is user %u",
			  sweep->program->source,
			  sweep->program->user_awaited_max,
			  sweep->settings->user_counts[i],
			  sweep->settings->user_counts[i] - 1);
		return -1;
	}
	return 0;
}

static void describe_target(struct result_run *run,
			    const struct target *target,
			    const struct backend_facts *facts)
{
	run->target.url = strdup(target->url);
	run->target.backend = strdup(target->backend->name);
	run->target.library = strdup(target->backend->library);
	run->target.library_version =
		strdup(target->backend->library_version());
	run->target.kind = strdup(facts->kind);
	run->target.free_bytes = facts->free_bytes;
	run->target.in_memory = facts->in_memory;
	run->target.answers = target->backend->answers;
}

static int play_point(const struct sweep *sweep,
		      const struct sweep_observer *observer,
		      const struct crew_plan *plan, struct error *error)
{
	struct result_point *point =
		result_add_point(sweep->result, plan->users);
	struct crew_report report;
	struct stats stats;
	int rc;

	if (point == NULL) {
		error_set(error, "out of memory");
		message_error(error);
		return -1;
	}
	rc = stats_map(&stats, plan->users, sweep->program->label_count);
	if (rc < 0) {
		result_add_reason(&point->invalid, "map the shared memory of "
				  "%u users: %s", plan->users, strerror(-rc));
		observer->point(observer->context, sweep->result);
		return -1;
	}
	rc = crew_run(plan, &stats, observer->tick, observer->context, &report,
		      error);
	if (rc < 0)
		result_add_reason(&point->invalid, "%s", error->text);
	fill_point(&sweep->result->run, plan, &stats, &report, point);
	stats_unmap(&stats);
	rc = observer->point(observer->context, sweep->result);
	return rc < 0 || !result_is_valid(point) ? -1 : 0;
}

/* Plays the points until one is not valid. */
static enum sweep_end play_points(const struct sweep *sweep,
				  const struct sweep_observer *observer,
				  struct crew_plan *plan, struct error *error)
{
	const struct settings *settings = sweep->settings;
	size_t i;

	for (i = 0; i < settings->user_count_count; i++) {
		plan->users = settings->user_counts[i];
		if (play_point(sweep, observer, plan, error) < 0)
			return SWEEP_INVALID;
	}
	return SWEEP_DONE;
}

static enum sweep_end run_claimed(const struct sweep *sweep,
				  const struct sweep_observer *observer,
				  struct crew_plan *plan, struct error *error)
{
	struct error cleaning = {0};
	enum sweep_end end;

	observer->begin(observer->context, sweep->result);
	end = play_points(sweep, observer, plan, error);
	if (!sweep->settings->keep && crew_clean(plan, &cleaning) < 0) {
		message_error(&cleaning);
		end = SWEEP_INVALID;
	}
	return end;
}

enum sweep_end sweep_run(const struct sweep *sweep,
			 const struct sweep_observer *observer,
			 struct error *error)
{
	const struct settings *settings = sweep->settings;
	bool from_start = settings->from_start || settings->loops > 0;
	struct crew_plan plan = {
		.program = sweep->program,
		.prologue_end = from_start ? 0 : sweep->census->prologue_end,
		.target = sweep->target,
		.warmup_ns = settings->warmup_ns,
		.time_ns = settings->time_ns,
		.loops = settings->loops,
		.seed = settings->seed,
		.mismatches_allowed = settings->mismatches_allowed,
		.keep = settings->keep,
		.use_existing = settings->use_existing,
	};
	struct backend_facts facts = {0};
	struct data_pool *pool;
	enum sweep_end end;

	process_block_signals();
	if (check_waits(sweep, error) < 0 ||
	    crew_probe(&plan, &facts, error) < 0)
		return SWEEP_REFUSED;
	plan.procedures = sweep->target->backend->procedure != NULL &&
			  (facts.lacks & LACKS_PROCEDURES) == 0;
	describe_target(&sweep->result->run, sweep->target, &facts);
	warn_of_space(sweep, &facts);
	pool = data_pool_new(settings->data, sweep->program->io_bytes_max,
			     settings->seed);
	if (pool == NULL) {
		error_set(error, "out of memory");
		crew_clean(&plan, error);
		return SWEEP_REFUSED;
	}
	plan.pool = pool;
	end = run_claimed(sweep, observer, &plan, error);
	data_pool_free(pool);
	return end;
}
