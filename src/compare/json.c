/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison as JSON, schema "throng-comparison/1": throng-results(5).
 */
#include "compare/comparison.h"

#include "result/schema.h"
#include "result/json.h"

#include <math.h>
#include <stdlib.h>

enum { RATIO_DIGITS = 9 };

static void set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, json_of_text(text));
}

/* Left out where it is 0. */
static void set_count(json_t *object, const char *key, size_t count)
{
	if (count > 0)
		json_object_set_new(object, key,
				    json_integer((json_int_t)count));
}

static void set_real(json_t *object, const char *key, double value, int digits)
{
	json_object_set_new(object, key, json_of_real(value, digits));
}

/* Left out where it has no bound. */
static void set_ratio(json_t *object, const char *key, double ratio)
{
	if (isfinite(ratio) && ratio > 0)
		set_real(object, key, ratio, RATIO_DIGITS);
}

static json_t *samples_json(const double *values, size_t count)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < count; i++)
		json_array_append_new(array,
				      json_of_real(values[i], SCHEMA_DIGITS));
	return array;
}

static json_t *row_json(const struct comparison_row *row)
{
	const struct ratio_comparison *judged = &row->judged;
	const struct ratio_samples *samples = &judged->samples;
	json_t *object = json_object();

	json_object_set_new(object, "users", json_integer(row->users));
	set_text(object, "metric", row->metric);
	set_text(object, "unit", row->unit);
	json_object_set_new(object, "more_is_better",
			    json_boolean(judged->more_is_better));
	set_real(object, "base", row->medians[BASE], SCHEMA_DIGITS);
	set_real(object, "new", row->medians[NEW], SCHEMA_DIGITS);
	set_ratio(object, "ratio", judged->interval.ratio);
	set_ratio(object, "low", judged->interval.low);
	set_ratio(object, "high", judged->interval.high);
	set_text(object, "verdict", verdict_names[judged->verdict]);
	set_count(object, "pairs_needed", judged->samples_needed);
	json_object_set_new(object, "base_samples",
			    samples_json(samples->base, samples->base_count));
	json_object_set_new(object, "new_samples",
			    samples_json(samples->new, samples->new_count));
	return object;
}

void comparison_json(const struct comparison *comparison, FILE *stream)
{
	char *summary = comparison_summary(comparison);
	json_t *object = json_object(), *rows = json_array();
	size_t i;

	set_text(object, "schema", SCHEMA_COMPARISON_SCHEMA);
	set_text(object, "answer", verdict_names[comparison->answer]);
	if (summary != NULL)
		set_text(object, "summary", summary);
	free(summary);
	set_real(object, "margin", comparison->margin, RATIO_DIGITS);
	set_real(object, "alpha", comparison->alpha, RATIO_DIGITS);
	json_object_set_new(object, "paired",
			    json_boolean(comparison->paired));
	set_count(object, "pairs", comparison->pairs);
	set_count(object, "budget", comparison->budget);
	set_count(object, "min", comparison->min);
	set_text(object, "base_name", comparison->names[BASE]);
	set_text(object, "new_name", comparison->names[NEW]);
	for (i = 0; i < comparison->row_count; i++)
		json_array_append_new(rows, row_json(&comparison->rows[i]));
	json_object_set_new(object, "points", rows);
	json_object_set_new(object, "warnings",
			    json_of_reasons(&comparison->warnings));
	json_object_set_new(object, "failures",
			    json_of_reasons(&comparison->failures));
	json_object_set_new(object, "base",
			    json_of_result(comparison->results[BASE]));
	json_object_set_new(object, "new",
			    json_of_result(comparison->results[NEW]));
	json_print(object, stream);
	json_decref(object);
}
