/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/json.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "throng-results/1"

/* JSON is UTF-8, and paths are any bytes: what is not ASCII then gives way. */
static json_t *text_json(const char *text)
{
	json_t *value = json_string(text);
	char *copy, *next;

	if (value != NULL)
		return value;
	copy = strdup(text);
	if (copy == NULL)
		return NULL;
	for (next = copy; *next != '\0'; next++)
		if ((unsigned char)*next >= 0x80)
			*next = '?';
	value = json_string(copy);
	free(copy);
	return value;
}

static void set_text(json_t *object, const char *key, const char *text)
{
	if (text != NULL)
		json_object_set_new(object, key, text_json(text));
}

static void set_count(json_t *object, const char *key, uint64_t count)
{
	json_object_set_new(object, key, json_integer((json_int_t)count));
}

/* Six digits after the point: nanoseconds where the unit is ms. */
static void set_real(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_real(round(value * 1e6) / 1e6));
}

/* A percentile that is not known is left out. */
static void set_ms(json_t *object, const char *key, uint64_t ns)
{
	if (ns > 0)
		set_real(object, key, (double)ns / 1e6);
}

static json_t *latency_json(const struct result_latency *latency)
{
	json_t *object = json_object();

	set_real(object, "mean", latency->mean_ns / 1e6);
	set_ms(object, "p50", latency->p50_ns);
	set_ms(object, "p90", latency->p90_ns);
	set_ms(object, "p95", latency->p95_ns);
	set_ms(object, "p99", latency->p99_ns);
	set_ms(object, "p99_9", latency->p99_9_ns);
	set_ms(object, "max", latency->max_ns);
	return object;
}

static json_t *reasons_json(const struct result_reasons *reasons)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < reasons->count; i++)
		json_array_append_new(array, text_json(reasons->texts[i]));
	return array;
}

static json_t *operations_json(const struct result_figures *figures)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < figures->operation_count; i++) {
		const struct result_operation *operation =
			&figures->operations[i];
		json_t *object = json_object();

		set_text(object, "name", operation->name);
		set_count(object, "count", operation->count);
		set_count(object, "bytes", operation->bytes);
		set_count(object, "errors", operation->errors);
		set_count(object, "mismatches", operation->mismatches);
		json_object_set_new(object, "latency_ms",
				    latency_json(&operation->latency));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *cpu_json(const struct result_cpu *cpu)
{
	json_t *object = json_object();

	set_real(object, "user_s", cpu->user_s);
	set_real(object, "system_s", cpu->system_s);
	set_real(object, "utilisation", cpu->utilisation);
	set_real(object, "per_op_us", cpu->per_op_us);
	return object;
}

static json_t *user_ops_json(const struct result_figures *figures)
{
	json_t *object = json_object();

	set_count(object, "least", figures->least_user_ops);
	set_count(object, "median", figures->median_user_ops);
	set_count(object, "most", figures->most_user_ops);
	return object;
}

/* The figures that a point and each of its repeats have. */
static void set_figures(json_t *object, const struct result_figures *figures,
			bool valid)
{
	set_real(object, "seconds", figures->seconds);
	if (valid) {
		set_real(object, "mb_per_s", figures->mb_per_s);
		set_real(object, "ops_per_s", figures->ops_per_s);
	}
	set_count(object, "ops", figures->ops);
	set_count(object, "bytes", figures->bytes);
	set_count(object, "loops", figures->loops);
	set_count(object, "errors", figures->errors);
	set_count(object, "mismatches", figures->mismatches);
	set_count(object, "skipped", figures->skipped);
	json_object_set_new(object, "user_ops", user_ops_json(figures));
	if (figures->late_ms > 0)
		set_real(object, "late_ms", figures->late_ms);
	if (figures->stood_still_s > 0)
		set_real(object, "stood_still_s", figures->stood_still_s);
	json_object_set_new(object, "client_cpu",
			    cpu_json(&figures->client_cpu));
	json_object_set_new(object, "latency_ms",
			    latency_json(&figures->latency));
	json_object_set_new(object, "operations", operations_json(figures));
}

static void set_validity(json_t *object, const struct result_reasons *invalid,
			 const struct result_reasons *doubts)
{
	json_object_set_new(object, "valid",
			    json_boolean(invalid->count == 0));
	json_object_set_new(object, "invalid", reasons_json(invalid));
	json_object_set_new(object, "doubts", reasons_json(doubts));
}

static json_t *repeat_json(const struct result_repeat *repeat)
{
	json_t *object = json_object();

	set_text(object, "started", repeat->started);
	set_count(object, "order", repeat->order);
	if (repeat->pair > 0)
		set_count(object, "pair", repeat->pair);
	set_validity(object, &repeat->invalid, &repeat->doubts);
	set_figures(object, &repeat->figures, result_repeat_is_valid(repeat));
	return object;
}

static json_t *point_json(const struct result_point *point)
{
	json_t *object = json_object(), *repeats = json_array();
	size_t i;

	set_count(object, "users", point->users);
	set_text(object, "started", point->repeats[0].started);
	set_validity(object, &point->invalid, &point->doubts);
	set_figures(object, &point->figures, result_is_valid(point));
	for (i = 0; i < point->repeat_count; i++)
		json_array_append_new(repeats,
				      repeat_json(&point->repeats[i]));
	json_object_set_new(object, "repeats", repeats);
	return object;
}

static json_t *loadfile_json(const struct result_run *run)
{
	json_t *object = json_object();

	set_text(object, "name", run->loadfile.name);
	set_text(object, "sha256", run->loadfile.sha256);
	set_text(object, "dialect", run->loadfile.dialect);
	set_count(object, "ops", run->loadfile.ops);
	set_count(object, "read_bytes", run->loadfile.read_bytes);
	set_count(object, "write_bytes", run->loadfile.write_bytes);
	set_count(object, "footprint_bytes", run->loadfile.footprint_bytes);
	return object;
}

static json_t *target_json(const struct result_target *target)
{
	json_t *object = json_object(), *facts = json_object();

	set_text(object, "url", target->url);
	set_text(object, "backend", target->backend);
	set_text(object, "library", target->library);
	set_text(object, "library_version", target->library_version);
	set_text(facts, "kind", target->kind);
	if (target->protection[0] != '\0')
		set_text(facts, "protection", target->protection);
	if (target->free_bytes != UINT64_MAX)
		set_count(facts, "free_bytes", target->free_bytes);
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

static json_t *lacks_json(const struct result_run *run)
{
	static const char *const hows[] = {
		[RESULT_SKIPPED] = "skipped",
		[RESULT_WEAKENED] = "weakened",
		[RESULT_STAND_IN] = "stand-in",
	};
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < run->lack_count; i++) {
		const struct result_lack *lack = &run->lacks[i];
		json_t *object = json_object();

		set_text(object, "name", lack->name);
		set_text(object, "how", hows[lack->how]);
		set_text(object, "cannot", lack->cannot);
		set_count(object, "ops", lack->ops);
		set_real(object, "share", lack->share);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *run_json(const struct result_run *run)
{
	json_t *object = json_object(), *options = json_object();
	size_t i;

	set_text(object, "version", run->version);
	set_text(object, "command", run->command);
	set_text(object, "started", run->started);
	set_text(object, "host", run->host);
	set_text(object, "kernel", run->kernel);
	set_count(object, "cpus", run->cpus);
	json_object_set_new(object, "loadfile", loadfile_json(run));
	json_object_set_new(object, "targets", targets_json(run));
	json_object_set_new(object, "lacks", lacks_json(run));
	set_count(object, "seed", run->seed);
	for (i = 0; i < run->option_count; i++)
		set_text(options, run->options[2 * i],
			 run->options[2 * i + 1]);
	if (run->loops > 0) {
		set_count(options, "loops", run->loops);
	} else {
		set_real(options, "time_s", (double)run->time_ns / 1e9);
		set_real(options, "warmup_s", (double)run->warmup_ns / 1e9);
		json_object_set_new(options, "from_start",
				    json_boolean(run->from_start));
	}
	json_object_set_new(object, "options", options);
	return object;
}

static json_t *result_json(const struct result *result)
{
	json_t *object = json_object(), *points = json_array();
	size_t i;

	set_text(object, "schema", SCHEMA);
	json_object_set_new(object, "run", run_json(&result->run));
	for (i = 0; i < result->point_count; i++)
		json_array_append_new(points, point_json(&result->points[i]));
	json_object_set_new(object, "points", points);
	return object;
}

int json_write(const struct result *results, size_t count, FILE *stream)
{
	json_t *object = result_json(results);
	int rc;

	(void)count;
	rc = json_dumpf(object, stream,
			JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	json_decref(object);
	if (fputc('\n', stream) == EOF || rc != 0)
		return errno != 0 ? -errno : -ENOMEM;
	return 0;
}
