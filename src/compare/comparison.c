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

/* Return a point of one side. `index` is the index of the same point in the
 * base result. */
static const struct result_point *point_of(const struct comparison *comparison, unsigned side,
					   size_t index)
{
	const struct result_point *point = &comparison->results[BASE]->points[index];

	return side == BASE ? point : variant_match(comparison->results[side], point);
}

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

/* Check that a point of one side has no two repeats of the same pair. */
static void check_halves(const struct making *making, unsigned side,
			 const struct result_point *point)
{
	const struct result_repeat *repeats = point->repeats;
	char place[VARIANT_TEXT];
	size_t i, j;

	for (i = 0; i < point->repeat_count; i++)
		for (j = 0; j < i; j++)
			if (repeats[i].pair == repeats[j].pair)
				error_set(making->error, "%s: pair %u was measured twice at %s",
					  making->names[side], repeats[i].pair,
					  variant_print_point(point, place));
}

/* Return the point's repeat that has the lowest pair number above `pair`, or
 * NULL if there is none. */
static const struct result_repeat *next_half(const struct result_point *point, unsigned pair)
{
	const struct result_repeat *next = NULL;
	size_t i;

	for (i = 0; i < point->repeat_count; i++) {
		const struct result_repeat *repeat = &point->repeats[i];

		if (repeat->pair > pair && (next == NULL || repeat->pair < next->pair))
			next = repeat;
	}
	return next;
}

/*
 * Find the next pair after `pair` that was measured on both sides. Return its
 * number and its repeats, or 0 if there is none.
 */
static unsigned next_pair(const struct comparison *comparison, size_t point, unsigned pair,
			  const struct result_repeat *halves[SIDES])
{
	unsigned side;

	do {
		for (side = 0; side < SIDES; side++) {
			halves[side] = next_half(point_of(comparison, side, point), pair);
			if (halves[side] == NULL)
				return 0;
		}
		pair = halves[BASE]->pair < halves[NEW]->pair ? halves[BASE]->pair
							      : halves[NEW]->pair;
	} while (halves[BASE]->pair != halves[NEW]->pair);
	return pair;
}

/* Count the complete pairs of each point, and set comparison->pairs to the
 * lowest of these numbers. */
static int count_pairs(const struct making *making)
{
	struct comparison *comparison = making->comparison;
	const struct result_repeat *halves[SIDES];
	char place[VARIANT_TEXT];
	size_t i, pairs;

	comparison->pairs = SIZE_MAX;
	for (i = 0; i < comparison->results[BASE]->point_count; i++) {
		const struct result_point *point = point_of(comparison, BASE, i);
		unsigned pair;

		check_halves(making, BASE, point);
		check_halves(making, NEW, point_of(comparison, NEW, i));
		pair = next_pair(comparison, i, 0, halves);
		for (pairs = 0; pair > 0; pairs++)
			pair = next_pair(comparison, i, pair, halves);
		if (pairs == 0)
			error_set(making->error,
				  "cannot compare \"%s\" with \"%s\" at %s: no pair was measured "
				  "on both sides (measure more pairs)",
				  making->names[BASE], making->names[NEW],
				  variant_print_point(point, place));
		if (pairs < comparison->pairs)
			comparison->pairs = pairs;
	}
	return making->error->set ? -EINVAL : 0;
}

static size_t count_values(const struct comparison *comparison, unsigned side, size_t point)
{
	return comparison->paired ? comparison->pairs
				  : point_of(comparison, side, point)->repeat_count;
}

/* Collect one side's values for a row, sorted by pair, and their median. */
static int take_values(const struct making *making, unsigned side, size_t point,
		       const struct metric *metric, struct comparison_row *row)
{
	const struct comparison *comparison = making->comparison;
	const struct result_point *at = point_of(comparison, side, point);
	size_t count = count_values(comparison, side, point), i;
	double *values = calloc(count, sizeof(*values));
	double *sorted = calloc(count, sizeof(*sorted));
	const struct result_repeat *halves[SIDES];
	char place[VARIANT_TEXT];
	unsigned pair = 0;

	row->values[side] = values;
	if (values == NULL || sorted == NULL)
		error_no_memory(making->error);
	for (i = 0; i < count && !making->error->set; i++) {
		bool known;

		if (comparison->paired)
			pair = next_pair(comparison, point, pair, halves);
		else
			halves[side] = &at->repeats[i];
		known = metric_value(metric, &halves[side]->records, &values[i]);
		if (!known || !(values[i] > 0))
			error_set(making->error, "%s: %s at %s is %s, so it cannot be compared",
				  making->names[side], row->metric, variant_print_point(at, place),
				  known ? "0" : "not known");
		sorted[i] = values[i];
	}
	if (!making->error->set)
		row->medians[side] = combine_median(sorted, count);
	free(sorted);
	return making->error->set ? -EINVAL : 0;
}

static int add_row(const struct making *making, size_t point, const struct metric *metric)
{
	struct comparison *comparison = making->comparison;
	const struct result_point *at = point_of(comparison, BASE, point);
	struct comparison_row *row = &comparison->rows[comparison->row_count++];
	unsigned side;
	int rc = 0;

	row->point = at;
	row->users = at->users;
	row->set = at->set;
	row->set_count = at->set_count;
	metric_name(metric, row->metric);
	row->unit = metric_unit(metric);
	row->per_second = metric_per_second(metric);
	for (side = 0; side < SIDES && rc == 0; side++)
		rc = take_values(making, side, point, metric, row);
	row->judged.more_is_better = metric_more_is_better(metric);
	row->judged.samples = (struct ratio_samples){
		.base = row->values[BASE],
		.new = row->values[NEW],
		.base_count = count_values(comparison, BASE, point),
		.new_count = count_values(comparison, NEW, point),
		.paired = comparison->paired,
	};
	return rc;
}

/* Add a row for each metric at each point. */
static int add_rows(const struct making *making)
{
	const struct comparison_question *question = making->question;
	struct comparison *comparison = making->comparison;
	size_t points = comparison->results[BASE]->point_count, i, j;
	int rc = comparison->paired ? count_pairs(making) : 0;

	if (rc < 0)
		return rc;
	comparison->rows = calloc(points * question->metric_count, sizeof(*comparison->rows));
	if (comparison->rows == NULL)
		return error_no_memory(making->error);
	for (i = 0; i < points; i++)
		for (j = 0; j < question->metric_count && rc == 0; j++)
			rc = add_row(making, i, &question->metrics[j]);
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
