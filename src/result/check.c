/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/check.h"

#include "base/histogram.h"
#include "result/result.h"
#include "result/variant.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A rate may differ from count / seconds by this much: by one rounding step of
 * the file's numbers, plus a share of the rate. */
#define ROUNDED 1e-6
#define RATE_SLACK 1e-3

void check_facts(const struct json_cursor *facts, void *record)
{
	struct result_target *target = record;

	if (target->protection == NULL)
		target->protection = strdup("");
	if (target->protection == NULL)
		error_no_memory(facts->error);
}

void check_histogram(const struct json_cursor *object, void *record)
{
	const struct result_histogram *histogram = record;
	struct json_cursor part = json_cursor_member(object, "min_ns");
	uint64_t from_ns = 0;
	size_t i;

	json_cursor_count(&part, 0, histogram->max_ns);
	part = json_cursor_member(object, "from_ns");
	for (i = 0; i < histogram->cell_count; i++) {
		struct json_cursor cell = json_cursor_element(&part, i);

		from_ns = json_cursor_count(&cell, from_ns, INT64_MAX);
		if (histogram_from_ns(histogram_cell(from_ns)) != from_ns)
			json_cursor_refuse(&cell, "the start of a histogram cell");
		from_ns++;
	}
}

/* Check that a histogram, if there is one, holds as many durations as were
 * counted. It may hold fewer if `whole` is false (an invalid repeat). */
static void check_sum(const struct json_cursor *parent, const char *key,
		      const struct result_latency *latency, bool whole)
{
	const struct result_histogram *histogram = latency->histogram;
	struct json_cursor object = json_cursor_member(parent, key);
	struct json_cursor part, counts;
	uint64_t sum;
	size_t i;

	if (histogram == NULL)
		return;
	sum = histogram->longer;
	for (i = 0; i < histogram->cell_count; i++)
		if (__builtin_add_overflow(sum, histogram->cells[i].count, &sum))
			sum = UINT64_MAX;
	if (whole ? sum == latency->count : sum <= latency->count)
		return;
	part = json_cursor_member(&object, "histogram");
	counts = json_cursor_member(&part, "count");
	json_cursor_refuse(&counts, "counts that add up to %" PRIu64, latency->count);
}

/*
 * Check that a rate equals count / seconds. Allow for rounding: the file's
 * numbers are rounded, and other programs may round them further.
 */
static void check_rate(const struct json_cursor *repeat, const char *key, double rate, double count,
		       const char *counted, double seconds)
{
	struct json_cursor cursor = json_cursor_member(repeat, key);
	double longest = seconds + ROUNDED, shortest = seconds - ROUNDED;

	if (rate < count / longest * (1 - RATE_SLACK) - ROUNDED ||
	    (shortest > 0 && rate > count / shortest * (1 + RATE_SLACK) + ROUNDED))
		json_cursor_refuse(&cursor, "about %.6g, computed from \"%s\" and \"seconds\"",
				   count / seconds, counted);
}

/* Check that a run or a variant has either one load, or a list of `count` loads
 * with their weights. */
static void check_loadfiles(const struct json_cursor *parent, size_t count)
{
	struct json_cursor list = json_cursor_member(parent, "loadfiles");
	struct json_cursor one = json_cursor_member(parent, "loadfile");
	size_t i;

	if (list.value == NULL && one.value == NULL)
		json_cursor_refuse(&one, "an object");
	if (list.value == NULL)
		return;
	json_cursor_list(&list, 2, CHECK_LOADS_MAX);
	if (one.value != NULL)
		json_cursor_refuse(&one, "nothing, because there is a list \"loadfiles\"");
	for (i = 0; i < count; i++) {
		struct json_cursor load = json_cursor_element(&list, i);
		struct json_cursor weight = json_cursor_member(&load, "weight");

		json_cursor_count(&weight, 1, UINT_MAX);
	}
}

void check_run(const struct json_cursor *run, void *record)
{
	const struct result_run *read = record;

	check_loadfiles(run, read->loadfile_count);
}

static void check_rates(const struct json_cursor *repeat, const struct result_figures *figures)
{
	/* Without a window, or with one that the file rounds to 0 s, there are
	 * no rates to check. */
	if (figures->seconds <= 0)
		return;
	check_rate(repeat, "mb_per_s", figures->mb_per_s, (double)figures->bytes / 1e6, "bytes",
		   figures->seconds);
	check_rate(repeat, "ops_per_s", figures->ops_per_s, (double)figures->ops, "ops",
		   figures->seconds);
}

/* Check that no more operations ended than were due. */
static void check_due(const struct json_cursor *parent, const struct result_figures *figures)
{
	struct json_cursor due = json_cursor_member(parent, "due");
	struct json_cursor ended;

	if (figures->due.count == 0)
		return;
	ended = json_cursor_member(&due, "ended");
	json_cursor_count(&ended, 0, figures->due.count);
}

/* Check the figures of a repeat, or of one load or phase in it, without those
 * of its loads and phases. */
static void check_figures(const struct json_cursor *parent, struct result_figures *figures,
			  bool valid)
{
	struct json_cursor part = json_cursor_member(parent, "operations");
	size_t i;

	check_due(parent, figures);
	if (__builtin_add_overflow(figures->ops, figures->unfinished.count,
				   &figures->latency.count))
		figures->latency.count = UINT64_MAX;
	check_sum(parent, "latency_ms", &figures->latency, valid);
	check_sum(parent, "service_ms", &figures->service, valid);
	check_sum(parent, "lateness_ms", &figures->lateness, valid);
	check_sum(parent, "unfinished_ms", &figures->unfinished, valid);
	check_sum(parent, "loop_s", &figures->loop, valid);
	for (i = 0; i < figures->operation_count; i++) {
		struct json_cursor cursor = json_cursor_element(&part, i);
		struct result_operation *operation = &figures->operations[i];

		operation->latency.count = operation->count;
		check_sum(&cursor, "latency_ms", &operation->latency, valid);
	}
	if (valid)
		check_rates(parent, figures);
}

/* Check the figures of a repeat, or of one load in it, and of the phases. */
static void check_phased(const struct json_cursor *parent, struct result_figures *figures,
			 bool valid)
{
	struct json_cursor list = json_cursor_member(parent, "phases");
	size_t i;

	check_figures(parent, figures, valid);
	for (i = 0; i < figures->phase_count; i++) {
		struct json_cursor phase = json_cursor_element(&list, i);

		check_figures(&phase, &figures->phases[i].figures, valid);
	}
}

/* Check that the counts of all loads add up to those of all users. */
static void check_load_sums(const struct json_cursor *list, const struct result_figures *figures)
{
	uint64_t ops = 0, bytes = 0;
	size_t i;

	for (i = 0; i < figures->load_count; i++) {
		const struct result_figures *own = &figures->loads[i].figures;

		if (__builtin_add_overflow(ops, own->ops, &ops) ||
		    __builtin_add_overflow(bytes, own->bytes, &bytes))
			break;
	}
	if (i < figures->load_count || ops != figures->ops || bytes != figures->bytes)
		json_cursor_refuse(
			list, "counts that add up to %" PRIu64 " operations and %" PRIu64 " bytes",
			figures->ops, figures->bytes);
}

void check_repeat(const struct json_cursor *repeat, void *record)
{
	struct result_repeat *read = record;
	struct result_figures *figures = &read->figures;
	struct json_cursor part = json_cursor_member(repeat, "valid");
	bool valid = result_repeat_is_valid(read);
	size_t i;

	if (json_cursor_truth(&part) != valid)
		json_cursor_refuse(&part, "%s, because \"invalid\" is %s", valid ? "true" : "false",
				   valid ? "empty" : "not empty");
	check_phased(repeat, figures, valid);
	part = json_cursor_member(repeat, "loads");
	for (i = 0; i < figures->load_count; i++) {
		struct json_cursor load = json_cursor_element(&part, i);

		check_phased(&load, &figures->loads[i].figures, valid);
	}
	if (figures->load_count > 0)
		check_load_sums(&part, figures);
}

/* The different names of operations or phases that were found so far. */
struct names {
	const char *what;
	const char *list[CHECK_OPERATIONS_MAX];
	size_t count, max;
};

/* Add the name of an operation or phase, unless it is in the list. */
static void add_name(const struct json_cursor *object, const char *name, struct names *names)
{
	struct json_cursor cursor = json_cursor_member(object, "name");
	size_t i;

	for (i = 0; i < names->count; i++)
		if (strcmp(names->list[i], name) == 0)
			return;
	if (names->count == names->max)
		json_cursor_refuse(&cursor, "at most %zu different %s", names->max, names->what);
	else
		names->list[names->count++] = name;
}

static void add_operations(const struct json_cursor *parent, const struct result_figures *figures,
			   struct names *operations)
{
	struct json_cursor list = json_cursor_member(parent, "operations");
	size_t i;

	for (i = 0; i < figures->operation_count; i++) {
		struct json_cursor cursor = json_cursor_element(&list, i);

		add_name(&cursor, figures->operations[i].name, operations);
	}
}

/* Add the names in the figures of a repeat, or of one load in it. */
static void add_names(const struct json_cursor *parent, const struct result_figures *figures,
		      struct names *operations, struct names *phases)
{
	struct json_cursor list = json_cursor_member(parent, "phases");
	size_t i;

	add_operations(parent, figures, operations);
	for (i = 0; i < figures->phase_count; i++) {
		struct json_cursor cursor = json_cursor_element(&list, i);
		const struct result_phase *phase = &figures->phases[i];

		add_name(&cursor, phase->name, phases);
		add_operations(&cursor, &phase->figures, operations);
	}
}

/* Add the names in the figures of load number `load` in all repeats, or those
 * of all loads together if it is SIZE_MAX. */
static void add_repeats(const struct json_cursor *repeats, const struct result_point *point,
			size_t load, struct names *operations)
{
	struct names phases = {.what = "phases", .max = CHECK_PHASES_MAX};
	size_t i;

	for (i = 0; i < point->repeat_count; i++) {
		const struct result_figures *figures = &point->repeats[i].figures;
		struct json_cursor repeat = json_cursor_element(repeats, i);
		struct json_cursor list = json_cursor_member(&repeat, "loads");
		struct json_cursor cursor = json_cursor_element(&list, load);

		if (load == SIZE_MAX)
			add_names(&repeat, figures, operations, &phases);
		else if (load < figures->load_count)
			add_names(&cursor, &figures->loads[load].figures, operations, &phases);
	}
}

void check_point(const struct json_cursor *point, void *record)
{
	struct result_point *read = record;
	struct json_cursor list = json_cursor_member(point, "repeats");
	struct names operations = {.what = "operations", .max = CHECK_OPERATIONS_MAX};
	size_t loads = 0, i;

	for (i = 0; i < read->repeat_count; i++) {
		read->repeats[i].users = read->users;
		if (read->repeats[i].figures.load_count > loads)
			loads = read->repeats[i].figures.load_count;
	}
	add_repeats(&list, read, SIZE_MAX, &operations);
	for (i = 0; i < loads; i++)
		add_repeats(&list, read, i, &operations);
}

/* Check that a repeat has the figures of each load of the run. An invalid
 * repeat may have none. */
static void check_loads(const struct json_cursor *repeat, const struct result_run *run,
			const struct result_repeat *read)
{
	struct json_cursor list = json_cursor_member(repeat, "loads");
	const struct result_figures *figures = &read->figures;
	uint64_t users = 0;
	size_t i;

	if (figures->load_count == 0 && (run->loadfile_count == 0 || !result_repeat_is_valid(read)))
		return;
	json_cursor_list(&list, run->loadfile_count, run->loadfile_count);
	for (i = 0; i < figures->load_count; i++)
		users += figures->loads[i].users;
	if (users != read->users)
		json_cursor_refuse(&list, "loads of %u users together", read->users);
}

/* Check if a list of texts has one twice. */
static bool has_twice(char *const *texts, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < i; j++)
			if (strcmp(texts[i], texts[j]) == 0)
				return true;
	return false;
}

void check_variants(const struct json_cursor *variants, void *record)
{
	struct result_run *run = record;
	size_t count = variant_count(run), i, j;
	bool twice = false;

	for (i = 0; i < run->axis_count; i++) {
		twice |= has_twice(run->axes[i].values, run->axes[i].value_count);
		for (j = 0; j < i; j++)
			twice |= strcmp(run->axes[i].name, run->axes[j].name) == 0;
	}
	if (twice || run->axis_count == 0 || run->variant_count != count) {
		json_cursor_refuse(variants, "one variant for each combination of the values in "
					     "\"sweep\", all different");
		return;
	}
	for (i = 0; i < count; i++) {
		struct json_cursor cursor = json_cursor_element(variants, i);
		struct json_cursor set = json_cursor_member(&cursor, "set");
		const struct result_variant *variant = &run->variants[i];
		bool same = variant->set_count == run->axis_count;

		for (j = 0; same && j < run->axis_count; j++) {
			const char *value = variant_set_value(variant->set, variant->set_count,
							      run->axes[j].name);

			same = value != NULL && strcmp(value, variant_value(run, i, j)) == 0;
		}
		if (!same)
			json_cursor_refuse(&set, "combination %zu of the values in \"sweep\"",
					   i + 1);
		check_loadfiles(&cursor, variant->loadfile_count);
		if (variant->loadfile_count != run->loadfile_count)
			json_cursor_refuse(&cursor, "as many loads as \"run\" has");
	}
}

/* Find a point's variant, and set it in the point and its repeats. Return
 * false after an error. */
static bool find_variant(const struct json_cursor *cursor, const struct result_run *run,
			 struct result_point *point)
{
	struct json_cursor set = json_cursor_member(cursor, "set");
	size_t i;

	point->variant = variant_find(run, point->set, point->set_count);
	if (point->variant == SIZE_MAX) {
		json_cursor_refuse(set.value != NULL ? &set : cursor,
				   "the \"set\" of a variant of the run");
		return false;
	}
	for (i = 0; i < point->repeat_count; i++)
		point->repeats[i].variant = point->variant;
	return true;
}

void check_points(const struct json_cursor *points, void *record)
{
	struct result *result = record;
	size_t variant = 0, i, j;
	uint64_t users = 0;

	/* A file with axes but no variants would have no check_variants. */
	if (result->run.axis_count > 0 && result->run.variant_count == 0)
		json_cursor_refuse(points, "\"variants\" in \"run\"");
	for (i = 0; i < result->point_count; i++) {
		struct json_cursor point = json_cursor_element(points, i);
		struct json_cursor cursor = json_cursor_member(&point, "users");
		struct json_cursor list = json_cursor_member(&point, "repeats");

		if (!find_variant(&point, &result->run, &result->points[i]))
			return;
		if (result->points[i].variant < variant) {
			json_cursor_refuse(
				&point,
				"a point of the same variant as the one before, or of a later one");
			return;
		}
		if (result->points[i].variant > variant)
			users = 0;
		variant = result->points[i].variant;
		/* Each point must have more users than the one before it. */
		users = json_cursor_count(&cursor, users + 1, UINT_MAX);
		for (j = 0; j < result->points[i].repeat_count; j++) {
			cursor = json_cursor_element(&list, j);
			check_loads(&cursor, &result->run, &result->points[i].repeats[j]);
		}
		result->run.measured += (unsigned)result->points[i].repeat_count;
	}
}
