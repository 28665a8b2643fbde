/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan of a search: find the highest rate per user that a target holds
 * (--find-rate): doubling until a rate fails, or halving until one holds, then
 * bisection. At the end, the lowest rate that failed is measured again, because
 * a disturbance may have been the reason; if it holds now, the search continues
 * above it. A rate that holds is not measured again, so noise biases the result
 * upwards (bench/estimates).
 */
#ifndef SWEEP_PLAN_RATE_H
#define SWEEP_PLAN_RATE_H

#include "result/condition.h"
#include "result/result.h"
#include "sweep/steps.h"

/* The rate of the first step, unless --rate is given; and the limits of the
 * search, in operations per second per user. */
#define FIND_RATE_FIRST 100.0
#define FIND_RATE_MIN 0.01
#define FIND_RATE_MAX 1e6

/*
 * Check that a lower rate can satisfy the condition: it is an upper limit, or
 * the lower limit of a figure that grows with fewer operations. `text` is the
 * condition as typed, for the message. Return 0, or -EINVAL with `error` set.
 */
int rate_check_condition(const struct condition *limit, const char *text, struct error *error);

/*
 * Check that the first rate per user gives the figure of the condition enough
 * operations in the measured time. Return 0, or -EINVAL with `error` set.
 */
int rate_check_first(const struct condition *limit, double first, unsigned users, uint64_t time_ns,
		     struct error *error);

/* The state of a search. All zeros but for `rate`, the rate to try first, and
 * `min`. */
struct rate_search {
	double rate;      /* the rate to try */
	double min;       /* the lowest rate to try, > 0 */
	double low;       /* the highest rate that holds; 0: none */
	double high;      /* the lowest rate that fails; 0: none */
	double confirmed; /* the rate that was measured again; 0: none */
	unsigned tries;   /* number of times that `rate` had no answer */
	bool gave_up;     /* there were too many such tries */
};

/* Note the answer for search->rate, and choose the next rate to try. Return
 * false if the search is over. */
bool rate_search_next(struct rate_search *search, enum result_answer answer);

/*
 * Judge a valid measurement at a rate: it fails if the condition does not hold,
 * if under 99 % of the scheduled operations completed (not counting one per
 * user that is in flight at the end), or if the backlog grew. It is unknown if
 * the condition's figure is, or if throng itself was late; a measurement that
 * holds nevertheless is good. Set *why to an allocated text that says why it
 * does not hold; NULL: it does, or memory is short.
 */
enum result_answer rate_judge(const struct condition *limit, unsigned users,
			      const struct records *records, char **why);

/* Measures each step of another plan at several rates. */
struct plan_rate {
	struct plan plan;
	const struct plan *places; /* the other plan */
	const struct settings *settings;
	struct result *result;
	struct step step; /* the last try */
	struct rate_search search;
	bool searches; /* the search has not ended */
};

/* Plan the tries of settings->rate_limit at the places of the other plan, whose
 * steps are all on one side. */
void plan_rate_open(struct plan_rate *plan, const struct settings *settings, struct result *result,
		    const struct plan *places);

/* Begin to search the rate of the step's users. */
void rate_search_begin(struct rate_search *search, const struct settings *settings, unsigned users);

/*
 * Judge the try of a search, valid or not; it is the last repeat of the point.
 * Leave that of the highest rate that holds, of a rate that fails if none
 * holds, or that which is invalid. Add the try to point->found_rate, unless
 * it is invalid. Return 1 if the search continues, 0 if it is over, or
 * -ENOMEM.
 */
int rate_search_take(struct rate_search *search, const struct condition *limit,
		     struct result_point *point);

#endif
