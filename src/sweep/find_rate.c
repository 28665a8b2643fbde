/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/find_rate.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/units.h"
#include "result/schema.h"

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

#define LATE_NS NS_PER_MS

/* The backlog of a target that keeps up varies: allow this many operations per
 * user, and this share of the due operations. */
#define GROWTH_PER_USER 2
#define GROWTH_SHARE 0.0025

int rate_check_condition(const struct condition *limit, const char *text, struct error *error)
{
	bool upper = limit->relation == CONDITION_LESS || limit->relation == CONDITION_AT_MOST;
	/* With a lower rate, more of the due operations end, but the loops
	 * take longer. All other figures become smaller, also throughput. */
	bool shrinks = limit->metric.figure != metric_named("ended").figure &&
		       limit->metric.figure != metric_named("loop").figure;

	if (upper == shrinks)
		return 0;
	error_set(error, "--find-rate %s: a lower rate makes it %s; expected %s limit, such as %s",
		  text, shrinks ? "smaller" : "larger", shrinks ? "an upper" : "a lower",
		  shrinks ? "p99<50ms" : "ended>99%");
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
		  "--find-rate: %s needs %u %s; %s/s for %g s with %u %s gives %.4g; use a longer "
		  "--time or a higher --rate",
		  metric_name(&limit->metric, name), needed,
		  units_plural(needed, "operation", "operations"), units_print_rate(first, text),
		  seconds, users, units_plural(users, "user", "users"), due);
	return -EINVAL;
}

/*
 * Return the lowest rate to try, which gives enough operations. If a figure
 * needs several, allow one more: the number of due operations is that of the
 * schedule, rounded up or down.
 */
static double lowest_rate(const struct find_rate *find, unsigned users)
{
	unsigned needed = metric_min_samples(&find->limit->metric);

	return fmax(FIND_RATE_MIN,
		    (needed + (needed > 1)) / ((double)find->time_ns / NS_PER_S * users));
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

/* Check if the due operations ended. A user that ended none has shown nothing,
 * so excuse no more operations in flight than ended. */
static bool kept_up(unsigned users, const struct result_due *due)
{
	return result_kept_up(due, due->ended < users ? due->ended : users);
}

/* Check if more operations became due than ended. */
static bool backlog_grew(unsigned users, const struct result_figures *figures)
{
	double due = (double)figures->due.count;

	return due - (double)figures->ops > GROWTH_PER_USER * users + GROWTH_SHARE * due;
}

enum result_answer rate_judge(const struct condition *limit, unsigned users,
			      const struct result_figures *figures, char **why)
{
	const struct result_due *due = &figures->due;
	enum condition_answer holds = condition_holds(limit, figures);
	enum result_answer answer = RESULT_FAILS;
	char text[CONDITION_TEXT];
	int rc;

	*why = NULL;
	if (holds != CONDITION_YES)
		rc = asprintf(why, "%s", condition_explain(limit, figures, text));
	else if (!kept_up(users, due))
		rc = asprintf(why, "only %.1f %% of the due operations ended",
			      100 * (double)due->ended / (double)due->count);
	else if (backlog_grew(users, figures))
		rc = asprintf(why, "the backlog grew by %.0f operations",
			      (double)due->count - (double)figures->ops);
	else
		return RESULT_HOLDS;
	if (rc < 0)
		*why = NULL;
	if (holds == CONDITION_UNKNOWN)
		answer = RESULT_UNKNOWN;
	if (figures->lateness.p99_ns <= LATE_NS)
		return answer;
	free(*why);
	if (asprintf(why, "throng itself was late: p99 of the lateness is %.1f ms",
		     (double)figures->lateness.p99_ns / 1e6) < 0)
		*why = NULL;
	return RESULT_UNKNOWN;
}

static int add_step(struct result_found_rate *found, double per_user, enum result_answer answer,
		    char *why, const struct result_figures *figures)
{
	struct result_rate_step step = {
		.per_user = per_user,
		.p99_ns = figures->latency.p99_ns,
		.ended_share = (double)figures->due.ended / fmax(1, (double)figures->due.count),
		.answer = answer,
		.why = why,
	};

	if (array_append(&found->steps, &found->step_count, &step, sizeof(step)) == 0)
		return 0;
	free(why);
	return -ENOMEM;
}

/* Keep the better one of two repeats in *best, and free the other one. */
static void keep(struct result_repeat *best, struct result_repeat *repeat, bool better)
{
	struct result_repeat *worse = better ? best : repeat;

	schema_free(schema_repeat, worse);
	if (better)
		*best = *repeat;
}

/* Measure at the rate, and judge it. Return 0 or < 0. */
static int take_step(const struct find_rate *find, double per_user, struct result_repeat *best,
		     struct result_found_rate *found)
{
	struct result_repeat repeat = {
		.users = best->users,
		.variant = best->variant,
		.order = best->order,
		.pair = best->pair,
	};
	enum result_answer answer;
	char *why;
	int rc;

	result_time_stamp(repeat.started);
	rc = find->measure(find->context, per_user, &repeat);
	if (rc < 0) {
		keep(best, &repeat, true);
		return rc;
	}
	answer = rate_judge(find->limit, repeat.users, &repeat.figures, &why);
	rc = add_step(found, per_user, answer, why, &repeat.figures);
	if (rc == 0)
		find->step(find->context, &repeat, found);
	/* Each rate that holds is higher than those before. */
	keep(best, &repeat, answer == RESULT_HOLDS || found->per_user == 0);
	if (answer == RESULT_HOLDS)
		found->per_user = per_user;
	return rc;
}

int find_rate_run(const struct find_rate *find, struct result_repeat *repeat,
		  struct result_found_rate *found)
{
	struct rate_search search = {
		.rate = find->first,
		.min = lowest_rate(find, repeat->users),
	};
	char text[CONDITION_TEXT];
	int rc;

	*found = (struct result_found_rate){
		.condition = strdup(condition_print(find->limit, text)),
	};
	do
		rc = take_step(find, search.rate, repeat, found);
	while (rc == 0 && rate_search_next(&search, found->steps[found->step_count - 1].answer));
	/* An invalid point must have no rate that looks like an answer. */
	if (rc < 0)
		found->per_user = 0;
	found->total = found->per_user * repeat->users;
	if (rc == 0 && search.gave_up) {
		const char *why = found->steps[found->step_count - 1].why;
		char rate[UNITS_TEXT];

		if (asprintf(&found->gave_up, "%u tries at %s/s per user, then: %s", search.tries,
			     units_print_rate(search.rate, rate), why != NULL ? why : "") < 0)
			found->gave_up = NULL;
	}
	return rc == 0 && found->condition == NULL ? -ENOMEM : rc;
}
