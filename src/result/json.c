/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/json.h"

#include "result/schema.h"
#include "base/utf8.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* A second more or less precise is nothing to look at; these are many. */
enum { SECOND_DIGITS = 6, SECOND_P99_DIGITS = 4, ESTIMATE_DIGITS = 6 };

json_t *json_of_text(const char *text)
{
	char *copy = utf8_copy(text);
	json_t *value = copy != NULL ? json_string(copy) : NULL;

	free(copy);
	return value;
}

static json_t *count_json(uint64_t count)
{
	return json_integer(count < INT64_MAX ? (json_int_t)count : INT64_MAX);
}

json_t *json_of_real(double value, int digits)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*g", digits, value);
	return json_real(strtod(text, NULL));
}

/* The value of a field, or NULL where it is left out. */
static json_t *field_json(const struct field *field, const void *record,
			  bool valid)
{
	const void *at = (const char *)record + field->offset;
	bool known = field->presence != FIELD_KNOWN;
	const char *text;

	if (field->presence == FIELD_RATE && !valid)
		return NULL;
	switch (field->kind) {
	case FIELD_TEXT:
		text = *(char *const *)at;
		return text != NULL && (known || text[0] != '\0')
			       ? json_of_text(text) : NULL;
	case FIELD_STAMP:
		return json_of_text(at);
	case FIELD_TRUTH:
		return json_boolean(*(const bool *)at);
	case FIELD_COUNT:
		return known || *(const uint64_t *)at > 0
			       ? count_json(*(const uint64_t *)at) : NULL;
	case FIELD_NUMBER:
		return known || *(const unsigned *)at > 0
			       ? json_integer(*(const unsigned *)at) : NULL;
	case FIELD_TIME:
		return known || *(const uint64_t *)at > 0
			       ? json_real(schema_shown(
					 field, (double)*(const uint64_t *)at))
			       : NULL;
	default:
		return known || *(const double *)at > 0
			       ? json_real(schema_shown(field,
							*(const double *)at))
			       : NULL;
	}
}

/* Adds the fields of a record that is not valid, or is. */
static void set_fields(json_t *object, const struct field *field,
		       const void *record, bool valid)
{
	for (; field->key != NULL; field++) {
		json_t *value = field_json(field, record, valid);

		if (value != NULL)
			json_object_set_new(object, field->key, value);
	}
}

static json_t *schema_json(const struct field *fields, const void *record)
{
	json_t *object = json_object();

	set_fields(object, fields, record, true);
	return object;
}

static json_t *histogram_json(const struct result_histogram *histogram)
{
	json_t *object = json_object(), *from = json_array();
	json_t *counts = json_array();
	size_t i;

	for (i = 0; i < histogram->cell_count; i++) {
		json_array_append_new(from,
				      count_json(histogram->cells[i].from_ns));
		json_array_append_new(counts,
				      count_json(histogram->cells[i].count));
	}
	json_object_set_new(object, "min_ns", count_json(histogram->min_ns));
	json_object_set_new(object, "max_ns", count_json(histogram->max_ns));
	json_object_set_new(object, "longer", count_json(histogram->longer));
	json_object_set_new(object, "from_ns", from);
	json_object_set_new(object, "count", counts);
	return object;
}

static json_t *latency_json(const struct field *fields,
			    const struct result_latency *latency)
{
	json_t *object = schema_json(fields, latency);

	if (latency->histogram != NULL)
		json_object_set_new(object, "histogram",
				    histogram_json(latency->histogram));
	return object;
}

static json_t *user_ops_json(const struct result_figures *figures)
{
	json_t *object = schema_json(schema_progress, figures);
	json_t *each = json_array();
	size_t i;

	for (i = 0; i < figures->user_ops_count; i++)
		json_array_append_new(each, count_json(figures->user_ops[i]));
	if (figures->user_ops_count > 0)
		json_object_set(object, "each", each);
	json_decref(each);
	return object;
}

json_t *json_of_reasons(const struct result_reasons *reasons)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < reasons->count; i++)
		json_array_append_new(array, json_of_text(reasons->texts[i]));
	return array;
}

static json_t *operations_json(const struct result_figures *figures)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < figures->operation_count; i++) {
		const struct result_operation *operation =
			&figures->operations[i];
		json_t *object = schema_json(schema_operation, operation);

		json_object_set_new(
			object, "latency_ms",
			latency_json(schema_latency, &operation->latency));
		json_array_append_new(array, object);
	}
	return array;
}

/* The figures that a point and each of its repeats have. */
static void set_figures(json_t *object, const struct result_figures *figures,
			bool valid)
{
	set_fields(object, schema_figures, figures, valid);
	json_object_set_new(object, "user_ops", user_ops_json(figures));
	json_object_set_new(object, "client_cpu",
			    schema_json(schema_cpu, &figures->client_cpu));
	json_object_set_new(object, "latency_ms",
			    latency_json(schema_latency, &figures->latency));
	if (figures->loop.count > 0)
		json_object_set_new(object, "loop_s",
				    latency_json(schema_loop, &figures->loop));
	json_object_set_new(object, "operations", operations_json(figures));
}

static void set_validity(json_t *object, const struct result_reasons *invalid,
			 const struct result_reasons *warnings)
{
	json_object_set_new(object, "valid",
			    json_boolean(invalid->count == 0));
	json_object_set_new(object, "invalid", json_of_reasons(invalid));
	json_object_set_new(object, "warnings", json_of_reasons(warnings));
}

static json_t *p99_json(uint64_t ns)
{
	return ns > 0 ? json_of_real((double)ns / 1e6, SECOND_P99_DIGITS)
		      : json_null();
}

static json_t *seconds_json(const struct result_repeat *repeat, bool valid)
{
	json_t *ends = json_array(), *rates = json_array();
	json_t *p99s = json_array(), *object = json_object();
	size_t i;

	for (i = 0; i < repeat->second_count; i++) {
		const struct result_second *second = &repeat->per_second[i];

		json_array_append_new(ends, json_of_real(second->at_s,
							SECOND_DIGITS));
		json_array_append_new(rates, json_of_real(second->mb_per_s,
							 SECOND_DIGITS));
		json_array_append_new(p99s, p99_json(second->p99_ns));
	}
	json_object_set_new(object, "at_s", ends);
	if (valid)
		json_object_set(object, "mb_per_s", rates);
	json_decref(rates);
	json_object_set_new(object, "p99_ms", p99s);
	return object;
}

static json_t *repeat_json(const struct result_repeat *repeat)
{
	json_t *object = schema_json(schema_repeat, repeat);
	bool valid = result_repeat_is_valid(repeat);

	set_validity(object, &repeat->invalid, &repeat->warnings);
	set_figures(object, &repeat->figures, valid);
	if (repeat->second_count > 0)
		json_object_set_new(object, "per_second",
				    seconds_json(repeat, valid));
	return object;
}

/* What a valid point says beside its figures. */
static void set_comparison(json_t *object, const struct result_point *point)
{
	static const struct field
		spread[] = {
			{"min", FIELD_REAL, .offset =
				offsetof(struct result_point, mb_per_s_min)},
			{"max", FIELD_REAL, .offset =
				offsetof(struct result_point, mb_per_s_max)},
			{"relative", FIELD_REAL, .offset =
				offsetof(struct result_point, spread)},
			{.key = NULL},
		},
		gain = {.key = "gain", .kind = FIELD_REAL};

	json_object_set_new(object, "spread", schema_json(spread, point));
	if (!isnan(point->gain))
		json_object_set_new(
			object, gain.key,
			json_real(schema_shown(&gain, point->gain)));
}

static json_t *point_json(const struct result_point *point)
{
	json_t *object = json_object(), *repeats = json_array();
	size_t i;

	json_object_set_new(object, "users", json_integer(point->users));
	json_object_set_new(object, "started",
			    json_of_text(point->repeats[0].started));
	set_validity(object, &point->invalid, &point->warnings);
	set_figures(object, &point->figures, result_is_valid(point));
	if (result_is_valid(point))
		set_comparison(object, point);
	for (i = 0; i < point->repeat_count; i++)
		json_array_append_new(repeats,
				      repeat_json(&point->repeats[i]));
	json_object_set_new(object, "repeats", repeats);
	return object;
}

static json_t *target_json(const struct result_target *target)
{
	json_t *object = schema_json(schema_target, target);
	json_t *facts = schema_json(schema_facts, target);

	if (target->free_bytes != UINT64_MAX)
		json_object_set_new(facts, "free_bytes",
				    count_json(target->free_bytes));
	json_object_set_new(object, "facts", facts);
	return object;
}

static json_t *targets_json(const struct result_run *run)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < run->target_count; i++)
		json_array_append_new(array, target_json(&run->targets[i]));
	return array;
}

static json_t *unsupported_json(const struct result_run *run)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < run->unsupported_count; i++) {
		json_t *object =
			schema_json(schema_unsupported, &run->unsupported[i]);

		json_object_set_new(
			object, "how",
			json_string(schema_hows[run->unsupported[i].how]));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *plan_json(const struct result_run *run)
{
	json_t *object = json_object(), *users = json_array();
	size_t i;

	for (i = 0; i < run->user_count_count; i++)
		json_array_append_new(users,
				      json_integer(run->user_counts[i]));
	json_object_set_new(object, "users", users);
	json_object_set_new(object, "order",
			    json_string(schema_orders[run->random_order]));
	set_fields(object, run->loops > 0 ? schema_looped : schema_timed, run,
		   true);
	set_fields(object, schema_planned, run, true);
	return object;
}

static json_t *run_json(const struct result_run *run)
{
	json_t *object = schema_json(schema_run, run);
	json_t *options = json_object();
	size_t i;

	json_object_set_new(object, "loadfile",
			    schema_json(schema_loadfile, run));
	json_object_set_new(object, "targets", targets_json(run));
	json_object_set_new(object, "unsupported", unsupported_json(run));
	json_object_set_new(object, "plan", plan_json(run));
	for (i = 0; i < run->option_count; i++)
		json_object_set_new(options, run->options[2 * i],
				    json_of_text(run->options[2 * i + 1]));
	json_object_set_new(object, "options", options);
	return object;
}

static json_t *estimate_json(const struct result_estimate *estimate)
{
	return json_pack("{s:o, s:o, s:o}",
			 "value", json_of_real(estimate->value,
					      ESTIMATE_DIGITS),
			 "low", json_of_real(estimate->low, ESTIMATE_DIGITS),
			 "high", json_of_real(estimate->high, ESTIMATE_DIGITS));
}

static json_t *usl_json(const struct result_usl *usl)
{
	json_t *object = json_pack("{s:o, s:o, s:o}",
				   "alpha", estimate_json(&usl->alpha),
				   "beta", estimate_json(&usl->beta),
				   "gamma", estimate_json(&usl->gamma));

	if (!isnan(usl->peak_users))
		json_object_set_new(object, "peak_users",
				    json_of_real(usl->peak_users,
						ESTIMATE_DIGITS));
	return object;
}

static json_t *limits_json(const struct result *result)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < result->limit_count; i++) {
		const struct result_limit *limit = &result->limits[i];
		json_t *object = json_object();

		json_object_set_new(object, "condition",
				    json_of_text(limit->condition));
		json_object_set_new(object, "users",
				    json_integer(limit->users));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *peak_json(const struct result_point *point)
{
	static const struct field fields[] = {
		{"users", FIELD_NUMBER,
		 .offset = offsetof(struct result_point, users)},
		{"mb_per_s", FIELD_REAL,
		 .offset = offsetof(struct result_point, figures.mb_per_s)},
		{.key = NULL},
	};

	return schema_json(fields, point);
}

json_t *json_of_result(const struct result *result)
{
	json_t *object = json_object(), *points = json_array();
	size_t i;

	json_object_set_new(object, "schema", json_string(SCHEMA_SCHEMA));
	json_object_set_new(object, "run", run_json(&result->run));
	if (result->peak < result->point_count)
		json_object_set_new(object, "peak",
				    peak_json(&result->points[result->peak]));
	if (result->usl.fitted)
		json_object_set_new(object, "usl", usl_json(&result->usl));
	json_object_set_new(object, "limits", limits_json(result));
	for (i = 0; i < result->point_count; i++)
		json_array_append_new(points, point_json(&result->points[i]));
	json_object_set_new(object, "points", points);
	return object;
}

/* Is it a value without parts, or with such as have none? */
static bool is_flat(const json_t *value)
{
	const json_t *part;
	const char *key;
	size_t i;

	json_array_foreach(value, i, part)
		if (json_is_object(part) || json_is_array(part))
			return false;
	json_object_foreach((json_t *)value, key, part)
		if (json_is_object(part) || json_is_array(part))
			return false;
	return true;
}

static void print_value(const json_t *value, int depth, FILE *stream);

/* A line each. The keys are ours, and need no escapes. */
static void print_parts(const json_t *value, int depth, FILE *stream)
{
	const char *comma = "";
	const json_t *part;
	const char *key;
	size_t i;

	fputc(json_is_object(value) ? '{' : '[', stream);
	json_array_foreach(value, i, part) {
		fprintf(stream, "%s\n%*s", comma, depth + 1, "");
		print_value(part, depth + 1, stream);
		comma = ",";
	}
	json_object_foreach((json_t *)value, key, part) {
		fprintf(stream, "%s\n%*s\"%s\": ", comma, depth + 1, "", key);
		print_value(part, depth + 1, stream);
		comma = ",";
	}
	fprintf(stream, "\n%*s%c", depth, "",
		json_is_object(value) ? '}' : ']');
}

/* What is flat stands on one line: small for machines, and to be looked at. */
static void print_value(const json_t *value, int depth, FILE *stream)
{
	if (is_flat(value))
		json_dumpf(value, stream,
			   JSON_ENCODE_ANY |
				   JSON_REAL_PRECISION(SCHEMA_DIGITS));
	else
		print_parts(value, depth, stream);
}

void json_print(const json_t *value, FILE *stream)
{
	print_value(value, 0, stream);
	fputc('\n', stream);
}

int json_write(const struct result *results, size_t count, FILE *stream)
{
	json_t *object = json_of_result(results);

	(void)count;
	if (object == NULL)
		return -ENOMEM;
	json_print(object, stream);
	json_decref(object);
	return 0;
}
