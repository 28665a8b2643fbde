/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/comparison.h"

#include "base/units.h"
#include "compare/comparable.h"
#include "report/describe.h"
#include "stats/summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A comparison as it is made. */
struct making {
	struct comparison *comparison;
	const struct comparison_question *question;
	const char *names[SIDES]; /* for messages: never the same */
	struct error *error;
};

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

/* Sort repeats by their pairs, each of which there is once. */
static int order_pairs(struct making *making, unsigned side,
		       struct halves *halves)
{
	struct repeats *repeats = &halves->sides[side];
	size_t i;

	qsort(repeats->list, repeats->count, sizeof(*repeats->list), by_pair);
	for (i = 1; i < repeats->count; i++) {
		unsigned pair = repeats->list[i]->pair;

		if (pair != repeats->list[i - 1]->pair)
			continue;
		error_set(making->error, "%s: at %u %s there are two halves "
			  "of pair %u", making->names[side], halves->users,
			  units_plural(halves->users, "user", "users"), pair);
		return -EINVAL;
	}
	return 0;
}

/* Keep the repeats whose other half is there. */
static int match(struct making *making, struct halves *halves)
{
	struct repeats *base = &halves->sides[BASE];
	struct repeats *new = &halves->sides[NEW];
	size_t i = 0, j = 0, pairs = 0;
	int rc = order_pairs(making, BASE, halves);

	if (rc == 0)
		rc = order_pairs(making, NEW, halves);
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
			  "halves", halves->users,
			  units_plural(halves->users, "user", "users"));
		rc = -EINVAL;
	}
	return rc;
}

/* Choose what is compared of each point; `all` has one element per point. */
static int select_repeats(struct making *making, struct halves *all)
{
	struct comparison *comparison = making->comparison;
	const struct result *const *results = comparison->results;
	size_t count = results[BASE]->point_count, i, j;
	unsigned side;

	comparison->pairs = comparison->paired ? SIZE_MAX : 0;
	for (i = 0; i < count; i++) {
		all[i].users = results[BASE]->points[i].users;
		for (side = 0; side < SIDES; side++) {
			const struct result_point *point =
				&results[side]->points[i];
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

/* Take a row's values of one side, and their median. */
static int take_values(struct making *making, unsigned side,
		       const struct metric *metric,
		       const struct halves *halves, struct comparison_row *row)
{
	const struct repeats *repeats = &halves->sides[side];
	double *values = calloc(repeats->count, sizeof(*values));
	double *sorted = calloc(repeats->count, sizeof(*sorted));
	size_t i;

	row->values[side] = values;
	if (values == NULL || sorted == NULL)
		error_no_memory(making->error);
	for (i = 0; i < repeats->count && !making->error->set; i++) {
		bool known = metric_value(metric, &repeats->list[i]->figures,
					  &values[i]);

		if (!known || !(values[i] > 0))
			error_set(making->error, "%s: at %u %s %s is %s, and "
				  "has no ratio", making->names[side],
				  row->users,
				  units_plural(row->users, "user", "users"),
				  row->metric, known ? "0" : "not known");
		sorted[i] = values[i];
	}
	if (!making->error->set)
		row->medians[side] = summary_median(sorted, repeats->count);
	free(sorted);
	return making->error->set ? -EINVAL : 0;
}

static int make_row(struct making *making, const struct metric *metric,
		    const struct halves *halves)
{
	struct comparison *comparison = making->comparison;
	struct comparison_row *row =
		&comparison->rows[comparison->row_count++];
	unsigned side;
	int rc = 0;

	row->users = halves->users;
	metric_name(metric, row->metric);
	row->unit = metric_unit(metric);
	for (side = 0; side < SIDES && rc == 0; side++)
		rc = take_values(making, side, metric, halves, row);
	row->judged.more_is_better = metric_more_is_better(metric);
	row->judged.samples = (struct ratio_samples){
		.base = row->values[BASE],
		.new = row->values[NEW],
		.base_count = halves->sides[BASE].count,
		.new_count = halves->sides[NEW].count,
		.paired = comparison->paired,
	};
	return rc;
}

/* Choose what is compared, and make a row per point and metric of it. */
static int take_samples(struct making *making)
{
	const struct comparison_question *question = making->question;
	struct comparison *comparison = making->comparison;
	size_t points = comparison->results[BASE]->point_count, i, j;
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
	const struct result *const *results = comparison->results;
	size_t pairs = results[BASE]->run.pairs;
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
	if (comparison->paired && results[NEW]->run.pairs == pairs &&
	    comparison->pairs <= pairs)
		comparison->budget = pairs;
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

static void add_warning(void *context, const char *name, const char *text)
{
	(void)name;
	result_add_reason(context, "%s", text);
}

static int make(struct making *making)
{
	struct comparison *comparison = making->comparison;
	const struct result *const *results = comparison->results;
	struct result_reasons *warnings = &comparison->warnings;
	int rc = comparable_results(comparison, making->names,
				    making->question->same_host,
				    making->error);

	if (rc < 0)
		return rc;
	describe_reasons(results, side_names, SIDES, describe_warnings,
			 "warning", add_warning, warnings);
	comparison->paired = is_paired(results[BASE]) &&
			     is_paired(results[NEW]);
	if (!comparison->paired)
		result_add_reason(warnings, "drift not excluded: the two were "
				  "not measured in pairs");
	rc = take_samples(making);
	return rc < 0 ? rc : judge(making);
}

/* Return a side's name for messages; two of the same name are told apart. */
static char *name_for_messages(const char *const names[SIDES], unsigned side)
{
	char *name;

	if (strcmp(names[BASE], names[NEW]) != 0)
		return strdup(names[side]);
	if (asprintf(&name, "%s (%s)", names[side], side_names[side]) < 0)
		return NULL;
	return name;
}

int comparison_make(struct comparison *comparison,
		    const struct result results[SIDES],
		    const char *const names[SIDES],
		    const struct comparison_question *question,
		    struct error *error)
{
	char *told[SIDES] = {name_for_messages(names, BASE),
			     name_for_messages(names, NEW)};
	struct making making = {
		.comparison = comparison,
		.question = question,
		.names = {told[BASE], told[NEW]},
		.error = error,
	};
	const char *option;
	int rc;

	*comparison = (struct comparison){
		.results = {&results[BASE], &results[NEW]},
		.names = {strdup(names[BASE]), strdup(names[NEW])},
		.margin = question->margin,
		.alpha = question->alpha,
	};
	if (told[BASE] == NULL || told[NEW] == NULL ||
	    comparison->names[BASE] == NULL || comparison->names[NEW] == NULL)
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
	unsigned side;
	size_t i;

	for (side = 0; side < SIDES; side++) {
		for (i = 0; i < comparison->row_count; i++)
			free(comparison->rows[i].values[side]);
		free(comparison->names[side]);
	}
	free(comparison->rows);
	result_free_reasons(&comparison->warnings);
	result_free_reasons(&comparison->failures);
	*comparison = (struct comparison){0};
}
