/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/comparison.h"

#include "compare/check.h"
#include "stats/summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The repeats of a point that are compared, in that order. */
struct repeats {
	const struct result_repeat **list;
	size_t count;
};

/* A point on either side; where they are paired, neighbours in the lists are
 * the halves of one pair. */
struct halves {
	unsigned users;
	struct repeats sides[SIDES];
};

/* --- pairs ------------------------------------------------------------------ */

static bool is_paired(const struct result *result)
{
	size_t i, j;

	for (i = 0; i < result->point_count; i++)
		for (j = 0; j < result->points[i].repeat_count; j++)
			if (result->points[i].repeats[j].pair == 0)
				return false;
	return true;
}

static int by_pair(const void *a, const void *b)
{
	const struct result_repeat *one = *(void *const *)a;
	const struct result_repeat *other = *(void *const *)b;

	return (one->pair > other->pair) - (one->pair < other->pair);
}

/* Puts them in the order of their pairs, each of which there is once. */
static int order_pairs(struct making *making, unsigned side, unsigned users,
		       struct repeats *repeats)
{
	size_t i;

	qsort(repeats->list, repeats->count, sizeof(*repeats->list), by_pair);
	for (i = 1; i < repeats->count; i++) {
		unsigned pair = repeats->list[i]->pair;

		if (pair != repeats->list[i - 1]->pair)
			continue;
		error_set(making->error, "%s: at %u %s there are two halves "
			  "of pair %u", making->names[side], users,
			  users_word(users), pair);
		return -EINVAL;
	}
	return 0;
}

/* Leaves those whose other half is there. */
static int match(struct making *making, struct halves *halves)
{
	struct repeats *base = &halves->sides[BASE];
	struct repeats *new = &halves->sides[NEW];
	size_t i = 0, j = 0, pairs = 0;
	int rc = order_pairs(making, BASE, halves->users, base);

	if (rc == 0)
		rc = order_pairs(making, NEW, halves->users, new);
	while (rc == 0 && i < base->count && j < new->count) {
		unsigned one = base->list[i]->pair, other = new->list[j]->pair;

		if (one == other) {
			base->list[pairs] = base->list[i];
			new->list[pairs++] = new->list[j];
		}
		i += one <= other;
		j += other <= one;
	}
	base->count = new->count = pairs;
	if (rc == 0 && pairs == 0) {
		error_set(making->error, "at %u %s there is no pair with both "
			  "halves", halves->users, users_word(halves->users));
		rc = -EINVAL;
	}
	return rc;
}

/* Choose what is compared of each point; `all` has one element per point. */
static int select_repeats(struct making *making, struct halves *all)
{
	struct comparison *comparison = making->comparison;
	size_t count = making->results[BASE]->point_count, i, j;
	unsigned side;

	comparison->pairs = comparison->paired ? SIZE_MAX : 0;
	for (i = 0; i < count; i++) {
		all[i].users = making->results[BASE]->points[i].users;
		for (side = 0; side < SIDES; side++) {
			const struct result_point *point =
				&making->results[side]->points[i];
			struct repeats *repeats = &all[i].sides[side];

			repeats->list = calloc(point->repeat_count,
					       sizeof(*repeats->list));
			if (repeats->list == NULL)
				return error_no_memory(making->error);
			for (j = 0; j < point->repeat_count; j++)
				repeats->list[repeats->count++] =
					&point->repeats[j];
		}
		if (comparison->paired && match(making, &all[i]) < 0)
			return -EINVAL;
		if (all[i].sides[BASE].count < comparison->pairs)
			comparison->pairs = all[i].sides[BASE].count;
	}
	for (i = 0; i < count && comparison->paired; i++)
		for (side = 0; side < SIDES; side++)
			all[i].sides[side].count = comparison->pairs;
	return 0;
}

/* --- rows ------------------------------------------------------------------- */

/* The values of one side, to be freed, and their median. NULL: an error. */
static double *take_values(struct making *making, unsigned side,
			   const struct metric *metric,
			   const struct halves *halves, double *median)
{
	const struct repeats *repeats = &halves->sides[side];
	double *values = calloc(repeats->count, sizeof(*values));
	double *sorted = calloc(repeats->count, sizeof(*sorted));
	char name[METRIC_TEXT];
	size_t i;

	if (values == NULL || sorted == NULL)
		error_no_memory(making->error);
	for (i = 0; i < repeats->count && !making->error->set; i++) {
		bool known = metric_value(metric, &repeats->list[i]->figures,
					  &values[i]);

		if (!known || !(values[i] > 0))
			error_set(making->error, "%s: at %u %s %s is %s, and "
				  "has no ratio", making->names[side],
				  halves->users, users_word(halves->users),
				  metric_name(metric, name),
				  known ? "0" : "not known");
		sorted[i] = values[i];
	}
	if (making->error->set) {
		free(values);
		values = NULL;
	} else {
		*median = summary_median(sorted, repeats->count);
	}
	free(sorted);
	return values;
}

static int make_row(struct making *making, const struct metric *metric,
		    const struct halves *halves)
{
	struct comparison *comparison = making->comparison;
	struct comparison_row *row =
		&comparison->rows[comparison->row_count++];

	row->users = halves->users;
	metric_name(metric, row->metric);
	row->unit = metric_unit(metric);
	row->base_values = take_values(making, BASE, metric, halves,
				       &row->base);
	row->new_values = take_values(making, NEW, metric, halves, &row->new);
	row->judged.more_is_better = metric_more_is_better(metric);
	row->judged.samples = (struct ratio_samples){
		.base = row->base_values,
		.new = row->new_values,
		.base_count = halves->sides[BASE].count,
		.new_count = halves->sides[NEW].count,
		.paired = comparison->paired,
	};
	return making->error->set ? -EINVAL : 0;
}

/* Choose what is compared, and make a row per point and metric of it. */
static int take_samples(struct making *making)
{
	const struct comparison_question *question = making->question;
	struct comparison *comparison = making->comparison;
	size_t points = making->results[BASE]->point_count, i, j;
	struct halves *all = calloc(points, sizeof(*all));
	unsigned side;
	int rc;

	comparison->rows = calloc(points * question->metric_count,
				  sizeof(*comparison->rows));
	if (all == NULL || comparison->rows == NULL)
		rc = error_no_memory(making->error);
	else
		rc = select_repeats(making, all);
	for (i = 0; i < points; i++)
		for (j = 0; j < question->metric_count && rc == 0; j++)
			rc = make_row(making, &question->metrics[j], &all[i]);
	for (i = 0; all != NULL && i < points; i++)
		for (side = 0; side < SIDES; side++)
			free(all[i].sides[side].list);
	free(all);
	return rc;
}

/* --- the answer ------------------------------------------------------------- */

static int judge(struct making *making)
{
	struct comparison *comparison = making->comparison;
	const struct result_run *base = &comparison->base->run;
	size_t count = comparison->row_count, i;
	struct ratio_comparison *judged = calloc(count, sizeof(*judged));
	struct sequential_rule rule = {
		.margin = comparison->margin,
		.alpha = comparison->alpha,
		.final = making->question->final,
	};
	int rc;

	if (judged == NULL)
		return error_no_memory(making->error);
	for (i = 0; i < count; i++)
		judged[i] = comparison->rows[i].judged;
	if (comparison->paired && base->pairs == comparison->new->run.pairs &&
	    comparison->pairs <= base->pairs)
		comparison->budget = base->pairs;
	rule.budget = comparison->budget;
	if (comparison->budget > 0) {
		comparison->min = sequential_min_pairs(&rule, count);
		rc = sequential_compare(judged, count, &rule,
					&comparison->answer);
	} else {
		rc = ratio_compare(judged, count, rule.margin, rule.alpha);
		comparison->answer = ratio_answer(judged, count);
	}
	/* The greatest budget that never decides is one less than this. */
	if (comparison->min == 0)
		comparison->min = ratio_min_repeats(comparison->paired,
						    rule.alpha, count);
	for (i = 0; rc == 0 && i < count; i++)
		comparison->rows[i].judged = judged[i];
	free(judged);
	return rc < 0 ? error_no_memory(making->error) : 0;
}

/* --- all of it -------------------------------------------------------------- */

/* Two of the same name are told apart. */
static char *name_for_messages(const char *const names[SIDES], unsigned side)
{
	char *name;

	if (strcmp(names[BASE], names[NEW]) != 0)
		return strdup(names[side]);
	if (asprintf(&name, "%s (%s)", names[side],
		     side == BASE ? "base" : "new") < 0)
		return NULL;
	return name;
}

static int make(struct making *making)
{
	struct comparison *comparison = making->comparison;
	int rc = comparison_check(making);

	if (rc < 0)
		return rc;
	comparison->paired = is_paired(comparison->base) &&
			     is_paired(comparison->new);
	if (!comparison->paired)
		result_add_reason(&comparison->warnings,
				  "drift not excluded: "
				  "the two were not measured in pairs");
	rc = take_samples(making);
	return rc < 0 ? rc : judge(making);
}

int comparison_make(struct comparison *comparison, const struct result *base,
		    const char *base_name, const struct result *new,
		    const char *new_name,
		    const struct comparison_question *question,
		    struct error *error)
{
	const char *const names[SIDES] = {base_name, new_name};
	char *told[SIDES] = {name_for_messages(names, BASE),
			     name_for_messages(names, NEW)};
	struct making making = {
		.comparison = comparison,
		.question = question,
		.results = {base, new},
		.names = {told[BASE], told[NEW]},
		.error = error,
	};
	const char *option;
	int rc;

	*comparison = (struct comparison){
		.base = base,
		.new = new,
		.base_name = strdup(base_name),
		.new_name = strdup(new_name),
		.margin = question->margin,
		.alpha = question->alpha,
	};
	if (told[BASE] == NULL || told[NEW] == NULL ||
	    comparison->base_name == NULL || comparison->new_name == NULL)
		rc = error_no_memory(error);
	else
		rc = make(&making);
	free(told[BASE]);
	free(told[NEW]);
	if (rc < 0) {
		option = comparison->option;
		comparison_free(comparison);
		comparison->option = option;
	}
	return rc;
}

void comparison_free(struct comparison *comparison)
{
	size_t i;

	for (i = 0; i < comparison->row_count; i++) {
		free(comparison->rows[i].base_values);
		free(comparison->rows[i].new_values);
	}
	free(comparison->rows);
	free(comparison->base_name);
	free(comparison->new_name);
	result_free_reasons(&comparison->warnings);
	result_free_reasons(&comparison->failures);
	*comparison = (struct comparison){0};
}
