/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/read.h"

#include "base/histogram.h"
#include "compare/comparison.h"
#include "result/schema.h"
#include "result/json_cursor.h"
#include "stats/summary.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of what is believed. */
enum {
	FILE_BYTES_MAX = 64 << 20,
	LIST_MAX = 10 * 1000 * 1000,
	POINTS_MAX = 10000,
	REPEATS_MAX = 10000,
	OPERATIONS_MAX = 250, /* a load has no more words */
};
#define REAL_MAX 1e15
#define TIME_MAX_NS 1e18

/* A rate may be this far from what its parts give: by a step of the file's
 * numbers, and by a part of it. */
#define ROUNDED 1e-6
#define RATE_SLACK 1e-3

/* The words of the load, as far as they have been met. */
struct words {
	const char *list[OPERATIONS_MAX];
	size_t count;
};

/* --- records -------------------------------------------------------------- */

static void read_stamp(const struct json_cursor *cursor, char stamp[32])
{
	static const char form[] = "0000-00-00T00:00:00Z";
	const char *text = json_string_value(cursor->value);
	size_t i;

	for (i = 0; text != NULL && i < sizeof(form); i++)
		if (form[i] == '0' ? !isdigit((unsigned char)text[i])
				   : text[i] != form[i])
			text = NULL;
	if (text == NULL)
		json_cursor_refuse(cursor, "a time like 2026-01-31T23:59:59Z");
	else
		memcpy(stamp, text, sizeof(form));
}

static void read_field(const struct json_cursor *cursor,
		       const struct field *field, void *record)
{
	void *at = (char *)record + field->offset;

	switch (field->kind) {
	case FIELD_TEXT:
		*(char **)at = json_cursor_text(cursor);
		break;
	case FIELD_STAMP:
		read_stamp(cursor, at);
		break;
	case FIELD_TRUTH:
		*(bool *)at = json_cursor_truth(cursor);
		break;
	case FIELD_COUNT:
		*(uint64_t *)at =
			json_cursor_count(cursor, field->min, INT64_MAX);
		break;
	case FIELD_NUMBER:
		*(unsigned *)at = (unsigned)json_cursor_count(
			cursor, field->min, UINT_MAX);
		break;
	case FIELD_TIME:
		*(uint64_t *)at = (uint64_t)llround(
			json_cursor_real(cursor, 0,
					 TIME_MAX_NS / field->unit_ns) *
			field->unit_ns);
		break;
	case FIELD_MEAN:
		*(double *)at = json_cursor_real(cursor, 0,
						 TIME_MAX_NS / field->unit_ns) *
				field->unit_ns;
		break;
	case FIELD_REAL:
		*(double *)at = json_cursor_real(cursor, 0, REAL_MAX);
		break;
	}
}

/* Reads the fields of a record that is not valid, or is. */
static void read_figures_of(const struct json_cursor *object,
			    const struct field *field, void *record, bool valid)
{
	for (; field->key != NULL; field++) {
		struct json_cursor cursor =
			json_cursor_member(object, field->key);

		if (cursor.value == NULL && field->presence == FIELD_KNOWN)
			continue;
		if (field->presence != FIELD_RATE || valid)
			read_field(&cursor, field, record);
	}
}

static void read_fields(const struct json_cursor *object,
			const struct field *fields, void *record)
{
	read_figures_of(object, fields, record, true);
}

/* Room for the elements of a list; their number goes to `count`. */
static void *read_list(const struct json_cursor *list, size_t max, size_t bytes,
		       size_t *count)
{
	void *elements = calloc(json_cursor_list(list, 0, max) + 1, bytes);

	*count = elements != NULL ? json_array_size(list->value) : 0;
	if (elements == NULL)
		error_no_memory(list->error);
	if (list->error->set)
		*count = 0;
	return elements;
}

/* --- repeats and points --------------------------------------------------- */

static void read_reasons(const struct json_cursor *repeat, const char *key,
			 struct result_reasons *reasons)
{
	struct json_cursor list = json_cursor_member(repeat, key);
	size_t i, count;

	reasons->texts = read_list(&list, LIST_MAX, sizeof(*reasons->texts),
				   &count);
	for (i = 0; i < count; i++) {
		struct json_cursor cursor = json_cursor_element(&list, i);

		reasons->texts[i] = json_cursor_text(&cursor);
		if (reasons->texts[i] == NULL)
			return;
		reasons->count++;
	}
}

static void check_word(const struct json_cursor *operation, const char *name,
		       struct words *words)
{
	struct json_cursor cursor = json_cursor_member(operation, "name");
	size_t i;

	for (i = 0; i < words->count; i++)
		if (strcmp(words->list[i], name) == 0)
			return;
	if (words->count == OPERATIONS_MAX)
		json_cursor_refuse(&cursor, "no more than %d operations",
				   OPERATIONS_MAX);
	else
		words->list[words->count++] = name;
}

/* Read a cell, which begins where one of base/histogram.h does. */
static void read_cell(const struct json_cursor *froms,
		      const struct json_cursor *counts, size_t i,
		      struct result_histogram *histogram)
{
	struct result_cell *cell = &histogram->cells[i];
	struct json_cursor cursor = json_cursor_element(froms, i);

	cell->from_ns = json_cursor_count(
		&cursor, i > 0 ? histogram->cells[i - 1].from_ns + 1 : 0,
		(UINT64_C(1) << HISTOGRAM_RANGE_BITS) - 1);
	if (histogram_from_ns(histogram_cell(cell->from_ns)) != cell->from_ns)
		json_cursor_refuse(&cursor, "the begin of a cell");
	cursor = json_cursor_element(counts, i);
	cell->count = json_cursor_count(&cursor, 1, INT64_MAX);
}

/* Read a histogram, which holds latency->count durations if it is `whole`. */
static void read_histogram(const struct json_cursor *object, bool whole,
			   struct result_latency *latency)
{
	struct json_cursor froms = json_cursor_member(object, "from_ns");
	struct json_cursor counts = json_cursor_member(object, "count"), part;
	size_t count = json_cursor_list(&froms, 0, HISTOGRAM_CELLS), i;
	struct result_histogram *histogram =
		calloc(1, sizeof(*histogram) +
				  count * sizeof(histogram->cells[0]));
	uint64_t sum;

	latency->histogram = histogram;
	if (histogram == NULL) {
		error_set(object->error, "out of memory");
		return;
	}
	json_cursor_list(&counts, count, count);
	part = json_cursor_member(object, "max_ns");
	histogram->max_ns = json_cursor_count(&part, 0, INT64_MAX);
	part = json_cursor_member(object, "min_ns");
	histogram->min_ns = json_cursor_count(&part, 0, histogram->max_ns);
	part = json_cursor_member(object, "longer");
	sum = histogram->longer = json_cursor_count(&part, 0, INT64_MAX);
	for (i = 0; i < count && !object->error->set; i++) {
		read_cell(&froms, &counts, i, histogram);
		histogram->cell_count++;
		if (__builtin_add_overflow(sum, histogram->cells[i].count,
					   &sum))
			sum = UINT64_MAX;
	}
	if (!object->error->set &&
	    (whole ? sum != latency->count : sum > latency->count))
		json_cursor_refuse(&counts, "%" PRIu64 " in all",
				   latency->count);
}

/* `count`: of how many operations; of loops the fields have it. */
static void read_latency(const struct json_cursor *object,
			 const struct field *fields, uint64_t count, bool whole,
			 struct result_latency *latency)
{
	struct json_cursor part = json_cursor_member(object, "histogram");

	latency->count = count;
	read_fields(object, fields, latency);
	if (part.value != NULL && !object->error->set)
		read_histogram(&part, whole, latency);
}

static void read_operations(const struct json_cursor *repeat,
			    bool valid, struct words *words,
			    struct result_figures *figures)
{
	struct json_cursor list = json_cursor_member(repeat, "operations");
	size_t count, i;

	figures->operations = read_list(&list, OPERATIONS_MAX,
					sizeof(*figures->operations), &count);
	for (i = 0; i < count && !list.error->set; i++) {
		struct json_cursor cursor = json_cursor_element(&list, i),
				   latency;
		struct result_operation *operation =
			&figures->operations[figures->operation_count++];

		read_fields(&cursor, schema_operation, operation);
		latency = json_cursor_member(&cursor, "latency_ms");
		read_latency(&latency, schema_latency, operation->count, valid,
			     &operation->latency);
		if (!list.error->set)
			check_word(&cursor, operation->name, words);
	}
}

/*
 * Check that a rate is what its count and the seconds give. The file has both
 * rounded; programs other than this one may round further.
 */
static void check_rate(const struct json_cursor *repeat, const char *key,
		       double rate, double count, const char *counted,
		       double seconds)
{
	struct json_cursor cursor = json_cursor_member(repeat, key);
	double longest = seconds + ROUNDED, shortest = seconds - ROUNDED;

	if (rate < count / longest * (1 - RATE_SLACK) - ROUNDED ||
	    (shortest > 0 &&
	     rate > count / shortest * (1 + RATE_SLACK) + ROUNDED))
		json_cursor_refuse(&cursor, "about %.6g, from %s and seconds",
				   count / seconds, counted);
}

static void check_rates(const struct json_cursor *repeat,
			const struct result_figures *figures)
{
	/* Too short a time to be written, or none. */
	if (figures->seconds <= 0)
		return;
	check_rate(repeat, "mb_per_s", figures->mb_per_s,
		   (double)figures->bytes / 1e6, "bytes", figures->seconds);
	check_rate(repeat, "ops_per_s", figures->ops_per_s,
		   (double)figures->ops, "ops", figures->seconds);
}

static void read_user_ops(const struct json_cursor *list,
			  struct result_figures *figures)
{
	size_t i;

	figures->user_ops = read_list(list, LIST_MAX,
				      sizeof(*figures->user_ops),
				      &figures->user_ops_count);
	for (i = 0; i < figures->user_ops_count; i++) {
		struct json_cursor cursor = json_cursor_element(list, i);

		figures->user_ops[i] = json_cursor_count(&cursor, 0, INT64_MAX);
	}
}

static void read_figures(const struct json_cursor *repeat, bool valid,
			 struct words *words, struct result_figures *figures)
{
	struct json_cursor part;

	read_figures_of(repeat, schema_figures, figures, valid);
	part = json_cursor_member(repeat, "user_ops");
	read_fields(&part, schema_progress, figures);
	part = json_cursor_member(&part, "each");
	if (part.value != NULL)
		read_user_ops(&part, figures);
	part = json_cursor_member(repeat, "client_cpu");
	read_fields(&part, schema_cpu, &figures->client_cpu);
	part = json_cursor_member(repeat, "latency_ms");
	read_latency(&part, schema_latency, figures->ops, valid,
		     &figures->latency);
	part = json_cursor_member(repeat, "loop_s");
	if (part.value != NULL)
		read_latency(&part, schema_loop, 0, valid, &figures->loop);
	read_operations(repeat, valid, words, figures);
}

/* The list of that name, which has to be as long as the others. */
static struct json_cursor second_list(const struct json_cursor *seconds,
				      const char *key, size_t count)
{
	struct json_cursor list = json_cursor_member(seconds, key);

	json_cursor_list(&list, count, count);
	return list;
}

static void read_seconds(const struct json_cursor *object, bool valid,
			 struct result_repeat *repeat)
{
	struct json_cursor ends = json_cursor_member(object, "at_s"), rates,
			   p99s;
	size_t count, i;

	repeat->per_second = read_list(&ends, LIST_MAX,
				       sizeof(*repeat->per_second), &count);
	p99s = second_list(object, "p99_ms", count);
	if (valid)
		rates = second_list(object, "mb_per_s", count);
	for (i = 0; i < count && !ends.error->set; i++) {
		struct result_second *second = &repeat->per_second[i];
		struct json_cursor cursor = json_cursor_element(&ends, i);

		second->at_s = json_cursor_real(&cursor, 0, REAL_MAX);
		if (valid) {
			cursor = json_cursor_element(&rates, i);
			second->mb_per_s =
				json_cursor_real(&cursor, 0, REAL_MAX);
		}
		cursor = json_cursor_element(&p99s, i);
		if (!json_is_null(cursor.value))
			second->p99_ns = (uint64_t)llround(
				json_cursor_real(&cursor, 0,
						 TIME_MAX_NS / 1e6) *
				1e6);
		repeat->second_count++;
	}
}

static void read_repeat(const struct json_cursor *cursor, struct words *words,
			struct result_repeat *repeat)
{
	struct json_cursor part;
	bool valid;

	read_fields(cursor, schema_repeat, repeat);
	read_reasons(cursor, "invalid", &repeat->invalid);
	read_reasons(cursor, "warnings", &repeat->warnings);
	valid = result_repeat_is_valid(repeat);
	part = json_cursor_member(cursor, "valid");
	if (json_cursor_truth(&part) != valid)
		json_cursor_refuse(&part, "%s, as invalid has %s reason",
				   valid ? "true" : "false",
				   valid ? "no" : "a");
	read_figures(cursor, valid, words, &repeat->figures);
	if (valid && !cursor->error->set)
		check_rates(cursor, &repeat->figures);
	part = json_cursor_member(cursor, "per_second");
	if (part.value != NULL)
		read_seconds(&part, valid, repeat);
}

static void read_point(const struct json_cursor *point, uint64_t *users,
		       struct result *result)
{
	struct json_cursor cursor = json_cursor_member(point, "users");
	struct json_cursor repeats = json_cursor_member(point, "repeats");
	size_t count = json_cursor_list(&repeats, 1, REPEATS_MAX), i;
	struct words words = {.count = 0};

	/* Fewest users first, and no number twice. */
	*users = json_cursor_count(&cursor, *users + 1, UINT_MAX);
	for (i = 0; i < count && !point->error->set; i++) {
		struct result_repeat *repeat =
			result_add_repeat(result, (unsigned)*users);

		if (repeat == NULL) {
			error_no_memory(point->error);
			return;
		}
		cursor = json_cursor_element(&repeats, i);
		read_repeat(&cursor, &words, repeat);
		result->run.measured++;
	}
}

static void read_points(const struct json_cursor *root, struct result *result)
{
	struct json_cursor list = json_cursor_member(root, "points");
	size_t count = json_cursor_list(&list, 0, POINTS_MAX), i;
	uint64_t users = 0;

	for (i = 0; i < count && !root->error->set; i++) {
		struct json_cursor cursor = json_cursor_element(&list, i);

		read_point(&cursor, &users, result);
	}
}

/* --- the run -------------------------------------------------------------- */

static void read_targets(const struct json_cursor *object,
			 struct result_run *run)
{
	struct json_cursor list = json_cursor_member(object, "targets");
	size_t count, i;

	run->targets = read_list(&list, LIST_MAX, sizeof(*run->targets),
				 &count);
	for (i = 0; i < count && !object->error->set; i++) {
		struct result_target *target =
			&run->targets[run->target_count++];
		struct json_cursor cursor = json_cursor_element(&list, i),
				   facts, free_bytes;

		read_fields(&cursor, schema_target, target);
		facts = json_cursor_member(&cursor, "facts");
		read_fields(&facts, schema_facts, target);
		if (target->protection == NULL)
			target->protection = strdup("");
		free_bytes = json_cursor_member(&facts, "free_bytes");
		target->free_bytes = UINT64_MAX;
		if (free_bytes.value != NULL)
			target->free_bytes =
				json_cursor_count(&free_bytes, 0, INT64_MAX);
	}
}

static void read_unsupported(const struct json_cursor *object,
			     struct result_run *run)
{
	struct json_cursor list = json_cursor_member(object, "unsupported");
	size_t count, i;

	run->unsupported =
		read_list(&list, LIST_MAX, sizeof(*run->unsupported), &count);
	for (i = 0; i < count && !object->error->set; i++) {
		struct result_unsupported *item =
			&run->unsupported[run->unsupported_count++];
		struct json_cursor cursor = json_cursor_element(&list, i), how;

		read_fields(&cursor, schema_unsupported, item);
		how = json_cursor_member(&cursor, "how");
		item->how =
			(enum result_how)json_cursor_word(&how, schema_hows);
	}
}

static void read_plan(const struct json_cursor *plan, struct result_run *run)
{
	struct json_cursor users = json_cursor_member(plan, "users");
	struct json_cursor cursor = json_cursor_member(plan, "order");
	size_t i;

	run->random_order = json_cursor_word(&cursor, schema_orders) == 1;
	read_fields(plan,
		    json_cursor_member(plan, "loops").value != NULL
			    ? schema_looped
			    : schema_timed,
		    run);
	read_fields(plan, schema_planned, run);
	run->user_counts = read_list(&users, LIST_MAX,
				     sizeof(*run->user_counts),
				     &run->user_count_count);
	for (i = 0; i < run->user_count_count; i++) {
		cursor = json_cursor_element(&users, i);
		run->user_counts[i] =
			(unsigned)json_cursor_count(&cursor, 1, UINT_MAX);
	}
}

static void read_options(const struct json_cursor *options,
			 struct result_run *run)
{
	const char *key;
	json_t *value;

	if (!json_is_object(options->value))
		json_cursor_refuse(options, "an object");
	json_object_foreach(options->value, key, value) {
		struct json_cursor cursor = json_cursor_member(options, key);
		char *text = json_cursor_text(&cursor);

		if (text != NULL)
			result_add_option(run, key, "%s", text);
		free(text);
	}
}

static void read_run(const struct json_cursor *object, struct result_run *run)
{
	struct json_cursor part;

	read_fields(object, schema_run, run);
	part = json_cursor_member(object, "loadfile");
	read_fields(&part, schema_loadfile, run);
	read_targets(object, run);
	read_unsupported(object, run);
	part = json_cursor_member(object, "plan");
	read_plan(&part, run);
	part = json_cursor_member(object, "options");
	read_options(&part, run);
}

/* --- the rest ------------------------------------------------------------- */

static void read_limits(const struct json_cursor *root, struct result *result)
{
	struct json_cursor list = json_cursor_member(root, "limits");
	size_t count, i;

	result->limits = read_list(&list, LIST_MAX, sizeof(*result->limits),
				   &count);
	for (i = 0; i < count && !root->error->set; i++) {
		struct result_limit *limit =
			&result->limits[result->limit_count++];
		struct json_cursor cursor = json_cursor_element(&list, i), part;

		part = json_cursor_member(&cursor, "condition");
		limit->condition = json_cursor_text(&part);
		part = json_cursor_member(&cursor, "users");
		limit->users = (unsigned)json_cursor_count(&part, 0, UINT_MAX);
	}
}

/* Of another schema nothing else would be understood. */
static bool is_schema(const struct json_cursor *object, const char *schema)
{
	struct json_cursor cursor = json_cursor_member(object, "schema");
	const char *name = json_string_value(cursor.value);

	if (name != NULL && strcmp(name, schema) == 0)
		return true;
	json_cursor_refuse(&cursor, "\"%s\"", schema);
	return false;
}

static void read_root(const struct json_cursor *root, struct result *result)
{
	struct json_cursor run = json_cursor_member(root, "run");

	if (!is_schema(root, SCHEMA_SCHEMA))
		return;
	read_run(&run, &result->run);
	read_points(root, result);
	read_limits(root, result);
}

/* Makes what follows from what was read; after an error frees all. */
static int finish(struct result *results, size_t count, struct error *error)
{
	size_t i;

	for (i = 0; i < count && !error->set; i++)
		if (summary_update(&results[i]) < 0)
			error_no_memory(error);
	for (i = 0; i < count && error->set; i++)
		result_free(&results[i]);
	return error->set ? -EINVAL : 0;
}

int read_result(const char *path, struct result *result, struct error *error)
{
	struct json_cursor root = json_cursor_open(path, FILE_BYTES_MAX, error);

	*result = (struct result){.peak = SIZE_MAX};
	if (!error->set)
		read_root(&root, result);
	json_cursor_close(&root);
	return finish(result, 1, error);
}

/* A share from `least` to below `limit`. */
static double read_share(const struct json_cursor *root, const char *key,
			 double min, double limit)
{
	struct json_cursor cursor = json_cursor_member(root, key);
	double share = json_cursor_real(&cursor, min, limit);

	if (!(share < limit))
		json_cursor_refuse(&cursor, "a number below %g", limit);
	return share;
}

/* Read the metrics of the first user count: the other points have the same. */
static void read_metrics(const struct json_cursor *root,
			 struct read_question *question)
{
	struct json_cursor list = json_cursor_member(root, "points");
	uint64_t users, first = 0;
	size_t count = json_cursor_list(&list, 1, LIST_MAX), i;

	question->metrics = calloc(count + 1, sizeof(*question->metrics));
	if (question->metrics == NULL)
		error_no_memory(root->error);
	for (i = 0; i < count && !root->error->set; i++) {
		struct json_cursor point = json_cursor_element(&list, i);
		struct json_cursor cursor = json_cursor_member(&point, "users");
		struct error reason = {0};
		const char *text;

		users = json_cursor_count(&cursor, 1, UINT_MAX);
		if (i == 0)
			first = users;
		if (users != first)
			break;
		cursor = json_cursor_member(&point, "metric");
		text = json_string_value(cursor.value);
		if (text == NULL ||
		    metric_parse(text, strlen(text), "", &question->metrics[i],
				 &reason) < 0)
			json_cursor_refuse(&cursor, "the name of a metric");
		question->metric_count++;
	}
}

static void read_asked(const struct json_cursor *root,
		       struct read_question *question)
{
	question->margin = read_share(root, "margin", 0, 1);
	question->alpha = read_share(root, "alpha", COMPARISON_ALPHA_MIN,
				     COMPARISON_ALPHA_LIMIT);
	read_metrics(root, question);
	read_reasons(root, "failures", &question->failures);
}

void read_question_free(struct read_question *question)
{
	free(question->metrics);
	result_free_reasons(&question->failures);
	*question = (struct read_question){0};
}

int read_comparison(const char *path, struct result results[2],
		    struct read_question *question, struct error *error)
{
	static const char *const sides[] = {"base", "new"};
	struct json_cursor root = json_cursor_open(path, FILE_BYTES_MAX, error);
	size_t i;
	int rc;

	*question = (struct read_question){0};
	for (i = 0; i < 2; i++) {
		struct json_cursor cursor = json_cursor_member(&root, sides[i]);

		results[i] = (struct result){.peak = SIZE_MAX};
		if (!error->set && is_schema(&root, SCHEMA_COMPARISON_SCHEMA))
			read_root(&cursor, &results[i]);
	}
	if (!error->set)
		read_asked(&root, question);
	json_cursor_close(&root);
	rc = finish(results, 2, error);
	if (rc < 0)
		read_question_free(question);
	return rc;
}
