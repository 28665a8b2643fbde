/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/read.h"

#include "compare/comparison.h"
#include "result/schema.h"
#include "result/json_cursor.h"
#include "stats/summary.h"

#include <ctype.h>
#include <errno.h>
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

static void read_stamp(const struct place *place, char stamp[32])
{
	static const char form[] = "0000-00-00T00:00:00Z";
	const char *text = json_string_value(place->value);
	size_t i;

	for (i = 0; text != NULL && i < sizeof(form); i++)
		if (form[i] == '0' ? !isdigit((unsigned char)text[i])
				   : text[i] != form[i])
			text = NULL;
	if (text == NULL)
		place_refuse(place, "a time like 2026-01-31T23:59:59Z");
	else
		memcpy(stamp, text, sizeof(form));
}

static void read_field(const struct place *place, const struct field *field,
		       void *record)
{
	void *at = (char *)record + field->offset;

	switch (field->kind) {
	case FIELD_TEXT:
		*(char **)at = place_text(place);
		break;
	case FIELD_STAMP:
		read_stamp(place, at);
		break;
	case FIELD_TRUTH:
		*(bool *)at = place_truth(place);
		break;
	case FIELD_COUNT:
		*(uint64_t *)at = place_count(place, field->least, INT64_MAX);
		break;
	case FIELD_NUMBER:
		*(unsigned *)at = (unsigned)place_count(place, field->least,
							UINT_MAX);
		break;
	case FIELD_TIME:
		*(uint64_t *)at = (uint64_t)llround(
			place_real(place, 0, TIME_MAX_NS / field->unit_ns) *
			field->unit_ns);
		break;
	case FIELD_MEAN:
		*(double *)at =
			place_real(place, 0, TIME_MAX_NS / field->unit_ns) *
			field->unit_ns;
		break;
	case FIELD_REAL:
		*(double *)at = place_real(place, 0, REAL_MAX);
		break;
	}
}

/* Reads the fields of a record that is not valid, or is. */
static void read_figures_of(const struct place *object,
			    const struct field *field, void *record,
			    bool valid)
{
	for (; field->key != NULL; field++) {
		struct place place = place_member(object, field->key);

		if (place.value == NULL && field->presence == FIELD_KNOWN)
			continue;
		if (field->presence != FIELD_RATE || valid)
			read_field(&place, field, record);
	}
}

static void read_fields(const struct place *object, const struct field *fields,
			void *record)
{
	read_figures_of(object, fields, record, true);
}

/* Room for the elements of a list; their number goes to `count`. */
static void *read_list(const struct place *list, size_t most, size_t bytes,
		       size_t *count)
{
	void *elements = calloc(place_list(list, 0, most) + 1, bytes);

	*count = elements != NULL ? json_array_size(list->value) : 0;
	if (elements == NULL)
		error_set(list->error, "out of memory");
	if (list->error->set)
		*count = 0;
	return elements;
}

/* --- repeats and points --------------------------------------------------- */

static void read_reasons(const struct place *repeat, const char *key,
			 struct result_reasons *reasons)
{
	struct place list = place_member(repeat, key);
	size_t i, count;

	reasons->texts = read_list(&list, LIST_MAX, sizeof(*reasons->texts),
				   &count);
	for (i = 0; i < count; i++) {
		struct place place = place_element(&list, i);

		reasons->texts[i] = place_text(&place);
		if (reasons->texts[i] == NULL)
			return;
		reasons->count++;
	}
}

static void check_word(const struct place *operation, const char *name,
		       struct words *words)
{
	struct place place = place_member(operation, "name");
	size_t i;

	for (i = 0; i < words->count; i++)
		if (strcmp(words->list[i], name) == 0)
			return;
	if (words->count == OPERATIONS_MAX)
		place_refuse(&place, "no more than %d operations",
			     OPERATIONS_MAX);
	else
		words->list[words->count++] = name;
}

static void read_operations(const struct place *repeat, struct words *words,
			    struct result_figures *figures)
{
	struct place list = place_member(repeat, "operations");
	size_t count, i;

	figures->operations = read_list(&list, OPERATIONS_MAX,
					sizeof(*figures->operations), &count);
	for (i = 0; i < count && !list.error->set; i++) {
		struct place place = place_element(&list, i), latency;
		struct result_operation *operation =
			&figures->operations[figures->operation_count++];

		read_fields(&place, fields_operation, operation);
		latency = place_member(&place, "latency_ms");
		read_fields(&latency, fields_latency, &operation->latency);
		operation->latency.count = operation->count;
		if (!list.error->set)
			check_word(&place, operation->name, words);
	}
}

/*
 * Check that a rate is what its count and the seconds give. The file has both
 * rounded; programs other than this one may round further.
 */
static void check_rate(const struct place *repeat, const char *key,
		       double rate, double count, const char *counted,
		       double seconds)
{
	struct place place = place_member(repeat, key);
	double longest = seconds + ROUNDED, shortest = seconds - ROUNDED;

	if (rate < count / longest * (1 - RATE_SLACK) - ROUNDED ||
	    (shortest > 0 &&
	     rate > count / shortest * (1 + RATE_SLACK) + ROUNDED))
		place_refuse(&place, "about %.6g, from %s and seconds",
			     count / seconds, counted);
}

static void check_rates(const struct place *repeat,
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

static void read_figures(const struct place *repeat, bool valid,
			 struct words *words, struct result_figures *figures)
{
	struct place part;

	read_figures_of(repeat, fields_figures, figures, valid);
	part = place_member(repeat, "user_ops");
	read_fields(&part, fields_progress, figures);
	part = place_member(repeat, "client_cpu");
	read_fields(&part, fields_cpu, &figures->client_cpu);
	part = place_member(repeat, "latency_ms");
	read_fields(&part, fields_latency, &figures->latency);
	figures->latency.count = figures->ops;
	part = place_member(repeat, "loop_s");
	if (part.value != NULL)
		read_fields(&part, fields_loop, &figures->loop);
	read_operations(repeat, words, figures);
}

/* The list of that name, which has to be as long as the others. */
static struct place second_list(const struct place *seconds, const char *key,
				size_t count)
{
	struct place list = place_member(seconds, key);

	place_list(&list, count, count);
	return list;
}

static void read_seconds(const struct place *object, bool valid,
			 struct result_repeat *repeat)
{
	struct place ends = place_member(object, "at_s"), rates, p99s;
	size_t count, i;

	repeat->per_second = read_list(&ends, LIST_MAX,
				       sizeof(*repeat->per_second), &count);
	p99s = second_list(object, "p99_ms", count);
	if (valid)
		rates = second_list(object, "mb_per_s", count);
	for (i = 0; i < count && !ends.error->set; i++) {
		struct result_second *second = &repeat->per_second[i];
		struct place place = place_element(&ends, i);

		second->at_s = place_real(&place, 0, REAL_MAX);
		if (valid) {
			place = place_element(&rates, i);
			second->mb_per_s = place_real(&place, 0, REAL_MAX);
		}
		place = place_element(&p99s, i);
		if (!json_is_null(place.value))
			second->p99_ns = (uint64_t)llround(
				place_real(&place, 0, TIME_MAX_NS / 1e6) *
				1e6);
		repeat->second_count++;
	}
}

static void read_repeat(const struct place *place, struct words *words,
			struct result_repeat *repeat)
{
	struct place part;
	bool valid;

	read_fields(place, fields_repeat, repeat);
	read_reasons(place, "invalid", &repeat->invalid);
	read_reasons(place, "doubts", &repeat->doubts);
	valid = result_repeat_is_valid(repeat);
	part = place_member(place, "valid");
	if (place_truth(&part) != valid)
		place_refuse(&part, "%s, as invalid has %s reason",
			     valid ? "true" : "false", valid ? "no" : "a");
	read_figures(place, valid, words, &repeat->figures);
	if (valid && !place->error->set)
		check_rates(place, &repeat->figures);
	part = place_member(place, "per_second");
	if (part.value != NULL)
		read_seconds(&part, valid, repeat);
}

static void read_point(const struct place *point, uint64_t *users,
		       struct result *result)
{
	struct place place = place_member(point, "users");
	struct place repeats = place_member(point, "repeats");
	size_t count = place_list(&repeats, 1, REPEATS_MAX), i;
	struct words words = {.count = 0};

	/* Fewest users first, and no number twice. */
	*users = place_count(&place, *users + 1, UINT_MAX);
	for (i = 0; i < count && !point->error->set; i++) {
		struct result_repeat *repeat =
			result_add_repeat(result, (unsigned)*users);

		if (repeat == NULL) {
			error_set(point->error, "out of memory");
			return;
		}
		place = place_element(&repeats, i);
		read_repeat(&place, &words, repeat);
		result->run.measured++;
	}
}

static void read_points(const struct place *root, struct result *result)
{
	struct place list = place_member(root, "points");
	size_t count = place_list(&list, 0, POINTS_MAX), i;
	uint64_t users = 0;

	for (i = 0; i < count && !root->error->set; i++) {
		struct place place = place_element(&list, i);

		read_point(&place, &users, result);
	}
}

/* --- the run -------------------------------------------------------------- */

static void read_targets(const struct place *object, struct result_run *run)
{
	struct place list = place_member(object, "targets");
	size_t count, i;

	run->targets = read_list(&list, LIST_MAX, sizeof(*run->targets),
				 &count);
	for (i = 0; i < count && !object->error->set; i++) {
		struct result_target *target =
			&run->targets[run->target_count++];
		struct place place = place_element(&list, i), facts, free_bytes;

		read_fields(&place, fields_target, target);
		facts = place_member(&place, "facts");
		read_fields(&facts, fields_facts, target);
		if (target->protection == NULL)
			target->protection = strdup("");
		free_bytes = place_member(&facts, "free_bytes");
		target->free_bytes = UINT64_MAX;
		if (free_bytes.value != NULL)
			target->free_bytes = place_count(&free_bytes, 0,
							 INT64_MAX);
	}
}

static void read_lacks(const struct place *object, struct result_run *run)
{
	struct place list = place_member(object, "lacks");
	size_t count, i;

	run->lacks = read_list(&list, LIST_MAX, sizeof(*run->lacks), &count);
	for (i = 0; i < count && !object->error->set; i++) {
		struct result_lack *lack = &run->lacks[run->lack_count++];
		struct place place = place_element(&list, i), how;

		read_fields(&place, fields_lack, lack);
		how = place_member(&place, "how");
		lack->how = (enum result_how)place_word(&how, fields_hows);
	}
}

static void read_plan(const struct place *plan, struct result_run *run)
{
	struct place users = place_member(plan, "users");
	struct place place = place_member(plan, "order");
	size_t i;

	run->random_order = place_word(&place, fields_orders) == 1;
	read_fields(plan,
		    place_member(plan, "loops").value != NULL ? fields_looped
							      : fields_timed,
		    run);
	read_fields(plan, fields_planned, run);
	run->user_counts = read_list(&users, LIST_MAX,
				     sizeof(*run->user_counts),
				     &run->user_count_count);
	for (i = 0; i < run->user_count_count; i++) {
		place = place_element(&users, i);
		run->user_counts[i] =
			(unsigned)place_count(&place, 1, UINT_MAX);
	}
}

static void read_options(const struct place *options, struct result_run *run)
{
	const char *key;
	json_t *value;

	if (!json_is_object(options->value))
		place_refuse(options, "an object");
	json_object_foreach(options->value, key, value) {
		struct place place = place_member(options, key);
		char *text = place_text(&place);

		if (text != NULL)
			result_add_option(run, key, "%s", text);
		free(text);
	}
}

static void read_run(const struct place *object, struct result_run *run)
{
	struct place part;

	read_fields(object, fields_run, run);
	part = place_member(object, "loadfile");
	read_fields(&part, fields_loadfile, run);
	read_targets(object, run);
	read_lacks(object, run);
	part = place_member(object, "plan");
	read_plan(&part, run);
	part = place_member(object, "options");
	read_options(&part, run);
}

/* --- the rest ------------------------------------------------------------- */

static void read_limits(const struct place *root, struct result *result)
{
	struct place list = place_member(root, "limits");
	size_t count, i;

	result->limits = read_list(&list, LIST_MAX, sizeof(*result->limits),
				   &count);
	for (i = 0; i < count && !root->error->set; i++) {
		struct result_limit *limit =
			&result->limits[result->limit_count++];
		struct place place = place_element(&list, i), part;

		part = place_member(&place, "condition");
		limit->condition = place_text(&part);
		part = place_member(&place, "users");
		limit->users = (unsigned)place_count(&part, 0, UINT_MAX);
	}
}

/* Of another schema nothing else would be understood. */
static bool is_schema(const struct place *object, const char *schema)
{
	struct place place = place_member(object, "schema");
	const char *name = json_string_value(place.value);

	if (name != NULL && strcmp(name, schema) == 0)
		return true;
	place_refuse(&place, "\"%s\"", schema);
	return false;
}

static void read_root(const struct place *root, struct result *result)
{
	struct place run = place_member(root, "run");

	if (!is_schema(root, FIELDS_SCHEMA))
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
			error_set(error, "out of memory");
	for (i = 0; i < count && error->set; i++)
		result_free(&results[i]);
	return error->set ? -EINVAL : 0;
}

int read_result(const char *path, struct result *result, struct error *error)
{
	struct place root = place_open(path, FILE_BYTES_MAX, error);

	*result = (struct result){.peak = SIZE_MAX};
	if (!error->set)
		read_root(&root, result);
	place_close(&root);
	return finish(result, 1, error);
}

/* A share from `least` to below `limit`. */
static double read_share(const struct place *root, const char *key,
			 double least, double limit)
{
	struct place place = place_member(root, key);
	double share = place_real(&place, least, limit);

	if (!(share < limit))
		place_refuse(&place, "a number below %g", limit);
	return share;
}

/* Read the metrics of the first user count: the other points have the same. */
static void read_metrics(const struct place *root,
			 struct read_question *question)
{
	struct place list = place_member(root, "points");
	uint64_t users, first = 0;
	size_t count = place_list(&list, 1, LIST_MAX), i;

	question->metrics = calloc(count + 1, sizeof(*question->metrics));
	if (question->metrics == NULL)
		error_set(root->error, "out of memory");
	for (i = 0; i < count && !root->error->set; i++) {
		struct place point = place_element(&list, i);
		struct place place = place_member(&point, "users");
		struct error reason = {0};
		const char *text;

		users = place_count(&place, 1, UINT_MAX);
		if (i == 0)
			first = users;
		if (users != first)
			break;
		place = place_member(&point, "metric");
		text = json_string_value(place.value);
		if (text == NULL ||
		    metric_parse(text, strlen(text), "", &question->metrics[i],
				 &reason) < 0)
			place_refuse(&place, "the name of a metric");
		question->metric_count++;
	}
}

static void read_asked(const struct place *root,
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
	struct place root = place_open(path, FILE_BYTES_MAX, error);
	size_t i;
	int rc;

	*question = (struct read_question){0};
	for (i = 0; i < 2; i++) {
		struct place place = place_member(&root, sides[i]);

		results[i] = (struct result){.peak = SIZE_MAX};
		if (!error->set && is_schema(&root, FIELDS_COMPARISON_SCHEMA))
			read_root(&place, &results[i]);
	}
	if (!error->set)
		read_asked(&root, question);
	place_close(&root);
	rc = finish(results, 2, error);
	if (rc < 0)
		read_question_free(question);
	return rc;
}
