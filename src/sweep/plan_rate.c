/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/plan_rate.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The search ends when the rates that hold and fail are this close. It is
 * below the 5 % that is promised, because a measurement has an error, too. */
#define BRACKET 1.03

/* A rate without an answer is tried this many times. */
enum { TRIES = 3 };

#define LATE_MS 1

/* The backlog of a target that keeps up varies: allow this many operations per
 * user, and this share of the scheduled operations. */
#define GROWTH_PER_USER 2
#define GROWTH_SHARE 0.0025

int rate_check_condition(const struct condition *limit, const char *text, struct error *error)
{
	bool upper = limit->relation == CONDITION_LESS || limit->relation == CONDITION_AT_MOST;
	/* With a lower rate, more of the scheduled operations complete, but the
	 * loops take longer. All other figures become smaller, also throughput.
	 * */
	enum figure figure = limit->metric.figure;
	bool shrinks = figure != FIGURE_COMPLETED_SHARE &&
		       (figure < FIGURE_LOOP_MEAN_S || figure > FIGURE_LOOP_MAX_S);

	if (upper == shrinks)
		return 0;
	error_set(error,
		  shrinks ? "--find-rate %s: expected an upper limit, such as p99<50ms, because a "
			    "lower rate makes the value of the metric smaller"
			  : "--find-rate %s: expected a lower limit, such as completed>99%%, "
			    "because a lower rate makes the value of the metric larger",
		  text);
	return -EINVAL;
}

int rate_check_first(const struct condition *limit, double first, unsigned users, uint64_t time_ns,
		     struct error *error)
{
	double seconds = (double)time_ns / NS_PER_S;
	double due = first * seconds * users;
	unsigned needed = metric_min_samples(&limit->metric);
	char name[METRIC_TEXT], text[UNITS_TEXT];

	/* Allow for rounding: 0.1 s at 10/s is one operation. */
	if (due > needed * (1 - 1e-9))
		return 0;
	error_set(error,
		  "--find-rate: %s needs at least %u %s, but only %.4g are due in %g s (%s/s per "
		  "user, %u %s); use a longer --time or a higher --rate",
		  metric_name(&limit->metric, name), needed,
		  units_plural(needed, "operation", "operations"), due, seconds,
		  units_print_rate(first, text), users, units_plural(users, "user", "users"));
	return -EINVAL;
}

void rate_search_begin(struct rate_search *search, const struct settings *settings, unsigned users)
{
	unsigned needed = metric_min_samples(&settings->rate_limit->metric);
	double seconds = (double)settings->phases.time_ns / NS_PER_S;

	*search = (struct rate_search){
		.rate = settings->transform.rate.per_s,
		/* The lowest rate gives enough operations. If a figure needs
		 * several, allow one more: the number of scheduled operations
		 * is that of the schedule, rounded up or down. */
		.min = fmax(FIND_RATE_MIN, (needed + (needed > 1)) / (seconds * users)),
	};
}

/* Choose a rate between the highest that holds and the lowest that fails, or
 * measure the latter again. */
static bool narrow(struct rate_search *search)
{
	if (search->high > BRACKET * search->low)
		search->rate = sqrt(search->low * search->high);
	else if (search->confirmed != search->high)
		search->rate = search->confirmed = search->high;
	else
		return false;
	return true;
}

bool rate_search_next(struct rate_search *search, enum result_answer answer)
{
	double limit;

	if (answer == RESULT_UNKNOWN) {
		search->gave_up = ++search->tries == TRIES;
		return !search->gave_up;
	}
	search->tries = 0;
	if (answer == RESULT_HOLDS)
		search->low = search->rate;
	else
		search->high = search->rate;
	if (search->low == search->high)
		search->high = 0;
	if (search->low > 0 && search->high > 0)
		return narrow(search);
	limit = search->low > 0 ? FIND_RATE_MAX : search->min;
	if (search->low > 0 ? search->rate >= limit : search->rate <= limit)
		return false;
	search->rate = search->low > 0 ? fmin(2 * search->rate, limit)
				       : fmax(search->rate / 2, limit);
	return true;
}

/* Check if the scheduled operations completed. A user that completed none has
 * shown nothing, so excuse no more operations in flight than completed. */
static bool kept_up(unsigned users, const struct record *total)
{
	return result_kept_up(total, fmin(users, record_count(total, FIGURE_SCHEDULED_COMPLETED)));
}

/* Check if more operations became due than completed. */
static bool backlog_grew(unsigned users, const struct record *total)
{
	double due = record_count(total, FIGURE_SCHEDULED);

	return due - record_count(total, FIGURE_OPS) > GROWTH_PER_USER * users + GROWTH_SHARE * due;
}

enum result_answer rate_judge(const struct condition *limit, unsigned users,
			      const struct records *records, char **why)
{
	const struct record *total = records_total(records);
	enum condition_answer holds = condition_holds(limit, records);
	enum result_answer answer = RESULT_FAILS;
	double late_ms = record_value(total, FIGURE_LATENESS_P99_MS);
	char text[CONDITION_TEXT];
	int rc;

	*why = NULL;
	if (holds != CONDITION_YES)
		rc = asprintf(why, "%s", condition_explain(limit, records, text));
	else if (!kept_up(users, total))
		rc = asprintf(why, "only %.1f %% of the scheduled operations completed",
			      100 * record_value(total, FIGURE_COMPLETED_SHARE));
	else if (backlog_grew(users, total))
		rc = asprintf(why, "the backlog grew by %.0f operations",
			      record_count(total, FIGURE_SCHEDULED) -
				      record_count(total, FIGURE_OPS));
	else
		return RESULT_HOLDS;
	if (rc < 0)
		*why = NULL;
	if (holds == CONDITION_UNKNOWN)
		answer = RESULT_UNKNOWN;
	if (!(late_ms > LATE_MS))
		return answer;
	free(*why);
	if (asprintf(why, "throng itself started operations late (p99 %.1f ms)", late_ms) < 0)
		*why = NULL;
	return RESULT_UNKNOWN;
}

static int add_step(struct result_found_rate *found, double per_user, enum result_answer answer,
		    char *why, const struct record *total)
{
	struct result_rate_step step = {
		.per_user = per_user,
		.p99_ms = record_count(total, FIGURE_P99_MS),
		.completed_share = record_count(total, FIGURE_COMPLETED_SHARE),
		.answer = answer,
		.why = why,
	};

	if (array_append(&found->steps, &found->step_count, &step, sizeof(step)) == 0)
		return 0;
	free(why);
	return -ENOMEM;
}

/* Keep one of the point's two last repeats. */
static void keep(struct result_point *point, bool last)
{
	struct result_repeat *repeats = &point->repeats[point->repeat_count - 2];
	const struct result_repeat kept = repeats[last];

	result_free_repeat(&repeats[!last]);
	repeats[0] = kept;
	point->repeat_count--;
}

/* Note how a search has ended. */
static void end_search(const struct rate_search *search, struct result_point *point)
{
	struct result_found_rate *found = point->found_rate;
	const char *why = found->steps[found->step_count - 1].why;
	char rate[UNITS_TEXT];

	found->total = found->per_user * point->users;
	if (search->gave_up &&
	    asprintf(&found->gave_up, "%u tries at %s/s per user, then: %s", search->tries,
		     units_print_rate(search->rate, rate), why != NULL ? why : "") < 0)
		found->gave_up = NULL;
}

int rate_search_take(struct rate_search *search, const struct condition *limit,
		     struct result_point *point)
{
	const struct result_repeat *try = result_last_repeat(point);
	struct result_found_rate *found = point->found_rate;
	double per_user = search->rate;
	enum result_answer answer;
	char text[CONDITION_TEXT], *why;

	if (found == NULL)
		found = point->found_rate = calloc(1, sizeof(*found));
	if (found == NULL)
		return -ENOMEM;
	if (found->condition == NULL)
		found->condition = strdup(condition_print(limit, text));
	if (!result_repeat_is_valid(try)) {
		/* It must have no rate that looks like an answer. */
		found->per_user = 0;
		if (point->repeat_count > 1)
			keep(point, true);
		return 0;
	}
	answer = rate_judge(limit, point->users, &try->records, &why);
	if (found->condition == NULL ||
	    add_step(found, per_user, answer, why, records_total(&try->records)) < 0)
		return -ENOMEM;
	/* Each rate that holds is higher than those before. */
	if (point->repeat_count > 1)
		keep(point, answer == RESULT_HOLDS || found->per_user == 0);
	if (answer == RESULT_HOLDS)
		found->per_user = per_user;
	if (rate_search_next(search, answer))
		return 1;
	end_search(search, point);
	return 0;
}

static int next(void *context, struct step *step)
{
	struct plan_rate *plan = context;
	int rc;

	if (plan->searches) {
		*step = plan->step;
	} else {
		rc = plan->places->next(plan->places->context, step);
		if (rc <= 0)
			return rc;
		rate_search_begin(&plan->search, plan->settings, step->users);
		plan->searches = true;
	}
	step->try++;
	step->rate = plan->search.rate;
	plan->step = *step;
	return 1;
}

static int take(void *context, const struct step *step)
{
	struct plan_rate *plan = context;
	int rc = rate_search_take(&plan->search, plan->settings->rate_limit,
				  result_find_point(plan->result, step->variant, step->users));

	plan->searches = rc > 0;
	return rc;
}

void plan_rate_open(struct plan_rate *plan, const struct settings *settings, struct result *result,
		    const struct plan *places)
{
	*plan = (struct plan_rate){
		.plan = {.context = plan, .next = next, .take = take},
		.places = places,
		.settings = settings,
		.result = result,
	};
}
