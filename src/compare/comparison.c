/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/comparison.h"

#include "compare/comparable.h"
#include "report/describe.h"
#include "result/combine.h"
#include "result/variant.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The context of comparison_make. */
struct making {
	struct comparison *comparison;
	const struct comparison_question *question;
	const char *const *names; /* for messages; never two equal names */
	struct error *error;
};

/* The repeats of a point that are compared. Paired ones with the same index are a
 * pair. */
struct repeats {
	const struct result_repeat **lists[SIDES];
	size_t counts[SIDES];
};

/* Check if all repeats belong to a pair. */
static bool is_paired(const struct result *result)
{
	size_t i, j;

	for (i = 0; i < result->point_count; i++)
		for (j = 0; j < result->points[i].repeat_count; j++)
			if (result->points[i].repeats[j].pair == 0)
				return false;
	return true;
}

static int compare_pairs(const void *one, const void *other)
{
	unsigned pair = (*(const struct result_repeat *const *)one)->pair;
	unsigned like = (*(const struct result_repeat *const *)other)->pair;

	return (pair > like) - (pair < like);
}

/* List one side's repeats of a point; of paired ones, sort them by pair, and check
 * that each is of another pair. */
static int list_repeats(const struct making *making, unsigned side,
			const struct result_point *point, struct repeats *repeats)
{
	const struct result_repeat **list = calloc(point->repeat_count, sizeof(*list));
	char place[VARIANT_TEXT];
	size_t i;

	repeats->lists[side] = list;
	repeats->counts[side] = point->repeat_count;
	if (list == NULL)
		return error_no_memory(making->error);
	for (i = 0; i < point->repeat_count; i++)
		list[i] = &point->repeats[i];
	if (!making->comparison->paired)
		return 0;
	qsort(list, point->repeat_count, sizeof(*list), compare_pairs);
	for (i = 1; i < point->repeat_count; i++)
		if (list[i]->pair == list[i - 1]->pair)
			error_set(making->error,
				  "%s: two measurements with %s have the pair number %u; expected "
				  "a different pair number for each measurement (measure again)",
				  making->names[side], variant_print_point(point, place),
				  list[i]->pair);
	return making->error->set ? -EINVAL : 0;
}

/* Keep only the pairs that were measured on both sides; return their number. */
static size_t keep_pairs(struct repeats *repeats)
{
	const struct result_repeat **base = repeats->lists[BASE], **new = repeats->lists[NEW];
	size_t i = 0, j = 0, count = 0;

	while (i < repeats->counts[BASE] && j < repeats->counts[NEW]) {
		if (base[i]->pair == new[j]->pair) {
			base[count] = base[i++];
			new[count++] = new[j++];
		} else if (base[i]->pair < new[j]->pair) {
			i++;
		} else {
			j++;
		}
	}
	return count;
}

/* Collect both sides' repeats of a point. The lowest number of pairs of any point
 * becomes comparison->pairs. */
static int take_repeats(const struct making *making, const struct result_point *point,
			struct repeats *repeats)
{
	struct comparison *comparison = making->comparison;
	char place[VARIANT_TEXT];
	size_t pairs;

	if (list_repeats(making, BASE, point, repeats) < 0 ||
	    list_repeats(making, NEW, variant_match(comparison->results[NEW], point), repeats) < 0)
		return -EINVAL;
	if (!comparison->paired)
		return 0;
	pairs = keep_pairs(repeats);
	if (pairs == 0)
		error_set(making->error,
			  "cannot compare \"%s\" with \"%s\": with %s, no pair has measurements of "
			  "both base and new (measure again, with more pairs)",
			  making->names[BASE], making->names[NEW],
			  variant_print_point(point, place));
	if (comparison->pairs == 0 || pairs < comparison->pairs)
		comparison->pairs = pairs;
	return pairs > 0 ? 0 : -EINVAL;
}

/* Collect the `count` values of one side of a row, and their median. */
static int take_values(const struct making *making, unsigned side, const struct metric *metric,
		       const struct result_repeat *const *repeats, size_t count,
		       struct comparison_row *row)
{
	double *values = calloc(count, sizeof(*values));
	double *sorted = calloc(count, sizeof(*sorted));
	char place[VARIANT_TEXT];
	size_t i;

	row->values[side] = values;
	if (values == NULL || sorted == NULL)
		error_no_memory(making->error);
	for (i = 0; i < count && !making->error->set; i++) {
		bool known = metric_value(metric, &repeats[i]->records, &values[i]);

		if (!known || !(values[i] > 0))
			error_set(making->error,
				  known ? "%s: with %s, the metric %s is 0, so this metric cannot "
					  "be compared"
					: "%s: with %s, the metric %s is unknown, so this metric "
					  "cannot be compared",
				  making->names[side], variant_print_point(row->point, place),
				  row->metric);
		sorted[i] = values[i];
	}
	if (!making->error->set)
		row->medians[side] = combine_median(sorted, count);
	free(sorted);
	return making->error->set ? -EINVAL : 0;
}

static int add_row(const struct making *making, const struct result_point *point,
		   const struct repeats *repeats, const struct metric *metric)
{
	struct comparison *comparison = making->comparison;
	struct comparison_row *row = &comparison->rows[comparison->row_count++];
	size_t counts[SIDES];
	unsigned side;
	int rc = 0;

	row->point = point;
	row->users = point->users;
	row->set = point->set;
	row->set_count = point->set_count;
	metric_name(metric, row->metric);
	row->unit = metric_unit(metric);
	row->per_second = metric_per_second(metric);
	for (side = 0; side < SIDES && rc == 0; side++) {
		counts[side] = comparison->paired ? comparison->pairs : repeats->counts[side];
		rc = take_values(making, side, metric, repeats->lists[side], counts[side], row);
	}
	if (rc < 0)
		return rc;
	row->judged.more_is_better = metric_more_is_better(metric);
	row->judged.samples = (struct ratio_samples){
		.base = row->values[BASE],
		.new = row->values[NEW],
		.base_count = counts[BASE],
		.new_count = counts[NEW],
		.paired = comparison->paired,
	};
	return 0;
}

/* Add a row for each metric at each point. */
static int add_rows(const struct making *making)
{
	const struct comparison_question *question = making->question;
	struct comparison *comparison = making->comparison;
	const struct result *base = comparison->results[BASE];
	struct repeats *repeats = calloc(base->point_count, sizeof(*repeats));
	size_t i, j;
	int rc = 0;

	comparison->rows = calloc(base->point_count * question->metric_count,
				  sizeof(*comparison->rows));
	if (repeats == NULL || comparison->rows == NULL)
		rc = error_no_memory(making->error);
	for (i = 0; i < base->point_count && rc == 0; i++)
		rc = take_repeats(making, &base->points[i], &repeats[i]);
	for (i = 0; i < base->point_count; i++)
		for (j = 0; j < question->metric_count && rc == 0; j++)
			rc = add_row(making, &base->points[i], &repeats[i], &question->metrics[j]);
	for (i = 0; repeats != NULL && i < base->point_count; i++) {
		free(repeats[i].lists[BASE]);
		free(repeats[i].lists[NEW]);
	}
	free(repeats);
	return rc;
}

static int judge(const struct making *making)
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
	if (comparison->paired && results[NEW]->run.pairs == pairs && comparison->pairs <= pairs)
		comparison->budget = pairs;
	rule.budget = comparison->budget;
	if (comparison->budget > 0) {
		comparison->min = sequential_min_pairs(&rule);
		rc = sequential_compare(judged, count, &rule, &comparison->answer);
	} else {
		rc = ratio_compare(judged, count, rule.margin, rule.alpha);
		comparison->answer = ratio_answer(judged, count);
	}
	/* If there is no budget, or if it is too small for any verdict, suggest
	 * the smallest budget that can decide. It equals the min number of
	 * pairs without the sequential rule. */
	if (comparison->min == 0)
		comparison->min = ratio_min_repeats(comparison->paired, rule.alpha, 1);
	for (i = 0; rc == 0 && i < count; i++)
		comparison->rows[i].judged = judged[i];
	free(judged);
	return rc < 0 ? error_no_memory(making->error) : 0;
}

static void copy_reasons(const struct result_reasons *from, struct result_reasons *to)
{
	size_t i;

	for (i = 0; i < from->count; i++)
		result_add_reason(to, "%s", from->texts[i]);
}

static int make(const struct making *making)
{
	struct comparison *comparison = making->comparison;
	const struct result *const *results = comparison->results;
	const struct view_side sides[SIDES] = {
		{.result = results[BASE], .name = comparison->sides[BASE]},
		{.result = results[NEW], .name = comparison->sides[NEW]},
	};
	struct notices *warnings = &comparison->warnings;
	int rc = comparable_results(comparison, making->names, making->question, making->error);

	if (rc < 0)
		return rc;
	copy_reasons(&making->question->allowed, &comparison->allowed);
	copy_reasons(&making->question->failures, &comparison->failures);
	describe_notices(sides, SIDES, describe_warnings, warnings);
	comparison->paired = is_paired(results[BASE]) && is_paired(results[NEW]);
	if (!comparison->paired)
		NOTICE_ADD(warnings, NOTICE_NOT_PAIRED);
	rc = add_rows(making);
	return rc < 0 ? rc : judge(making);
}

static char *copy_name(const struct result *result, const char *name)
{
	const char *label = result->run.label;

	return strdup(label[0] != '\0' ? label : name);
}

/* Name the sides by their labels or, if a label is missing or both are equal, "base"
 * and "new". */
static void choose_sides(struct comparison *comparison)
{
	unsigned side;

	for (side = 0; side < SIDES; side++) {
		const char *label = comparison->results[side]->run.label;

		comparison->sides[side] = label[0] != '\0' ? label : side_names[side];
	}
	if (strcmp(comparison->sides[BASE], comparison->sides[NEW]) == 0)
		memcpy(comparison->sides, side_names, sizeof(comparison->sides));
}

int comparison_make(struct comparison *comparison, const struct result results[SIDES],
		    const char *const names[SIDES], const struct comparison_question *question,
		    struct error *error)
{
	bool same = strcmp(names[BASE], names[NEW]) == 0;
	const struct making making = {
		.comparison = comparison,
		.question = question,
		.names = same ? side_names : names,
		.error = error,
	};
	int rc;

	*comparison = (struct comparison){
		.results = {&results[BASE], &results[NEW]},
		.names = {copy_name(&results[BASE], names[BASE]),
			  copy_name(&results[NEW], names[NEW])},
		.margin = question->margin,
		.alpha = question->alpha,
		.out_of_time = question->out_of_time,
	};
	choose_sides(comparison);
	if (comparison->names[BASE] == NULL || comparison->names[NEW] == NULL)
		rc = error_no_memory(error);
	else
		rc = make(&making);
	if (rc < 0)
		comparison_free(comparison);
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
	notices_free(&comparison->warnings);
	result_free_reasons(&comparison->allowed);
	result_free_reasons(&comparison->failures);
	*comparison = (struct comparison){0};
}
