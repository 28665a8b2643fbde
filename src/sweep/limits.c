/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/limits.h"

#include "result/combine.h"
#include "result/variant.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Throughput is flat if none of the last FLAT_POINTS points is better by more
 * than FLAT_GAIN than the best point before them. */
enum { FLAT_POINTS = 3 };
#define FLAT_GAIN 0.02

/* Set the condition and the values of a limit, if this is not yet done. */
static int name_limit(struct result_limit *limit, const struct condition *condition,
		      const struct result_variant *variant)
{
	char text[CONDITION_TEXT];

	if (limit->condition != NULL)
		return 0;
	limit->condition = strdup(condition_print(condition, text));
	if (limit->condition == NULL)
		return -ENOMEM;
	return variant_copy_set(variant, &limit->set, &limit->set_count);
}

int limits_find(const struct settings *settings, struct result *result)
{
	struct result_run *run = &result->run;
	size_t variants = run->variant_count, i;

	if (result->limits == NULL && settings->limit_count > 0) {
		result->limits = calloc(settings->limit_count * variants, sizeof(*result->limits));
		if (result->limits == NULL)
			return -ENOMEM;
		result->limit_count = settings->limit_count * variants;
	}
	for (i = 0; i < result->limit_count; i++) {
		const struct condition *condition = &settings->limits[i / variants];
		const struct result part = variant_result(result, i % variants);

		if (name_limit(&result->limits[i], condition, &run->variants[i % variants]) < 0)
			return -ENOMEM;
		result->limits[i].users = condition_max_users(condition, &part);
	}
	return 0;
}

static bool is_flat(const struct result *result)
{
	size_t last = result->point_count, i;
	enum figure rate;
	double best = 0;

	if (last <= FLAT_POINTS)
		return false;
	rate = combine_throughput(records_total(&result->points[0].records));
	for (i = 0; i < last; i++) {
		double value = record_count(records_total(&result->points[i].records), rate);

		if (i < last - FLAT_POINTS)
			best = fmax(best, value);
		else if (value > best * (1 + FLAT_GAIN))
			return false;
	}
	return true;
}

const char *limits_stop(const struct settings *settings, const struct result *result,
			char text[CONDITION_TEXT])
{
	size_t i, j;

	for (i = 0; i < settings->stop_count; i++)
		for (j = 0; j < result->point_count; j++)
			if (condition_holds(&settings->stops[i], &result->points[j].records) ==
			    CONDITION_YES)
				return condition_print(&settings->stops[i], text);
	return settings->stop_when_flat && is_flat(result) ? "flat" : NULL;
}

int limits_update(const struct settings *settings, struct result *result)
{
	struct result_run *run = &result->run;
	char text[CONDITION_TEXT];
	size_t i;

	if (limits_find(settings, result) < 0)
		return -ENOMEM;
	for (i = 0; i < run->variant_count; i++) {
		const struct result part = variant_result(result, i);
		const char *reason = limits_stop(settings, &part, text);
		char **stopped = &run->variants[i].stopped_by;

		/* Record why the sweep stops only if that leaves out planned
		 * points. */
		if (reason != NULL && *stopped == NULL &&
		    part.point_count < settings->user_count_count)
			*stopped = strdup(reason);
	}
	return 0;
}

size_t limits_failed(const struct settings *settings, const struct result *result,
		     void (*report)(void *context, const char *clause), void *context)
{
	char figure[CONDITION_TEXT], place[VARIANT_TEXT];
	char clause[CONDITION_TEXT + VARIANT_TEXT + 64];
	enum condition_answer holds;
	size_t failed = 0, i, j;

	for (i = 0; i < settings->failure_count; i++) {
		const struct condition *failure = &settings->failures[i];

		for (j = 0; j < result->point_count; j++) {
			const struct result_point *point = &result->points[j];

			holds = condition_holds(failure, &point->records);
			if (holds == CONDITION_NO)
				continue;
			snprintf(clause, sizeof(clause), "at %s, %s%s",
				 variant_print_point(point, place),
				 condition_explain(failure, &point->records, figure),
				 holds == CONDITION_YES ? "" : ", which counts as a failure");
			report(context, clause);
			failed++;
		}
	}
	return failed;
}
