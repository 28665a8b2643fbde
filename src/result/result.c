/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/result.h"

#include "base/array.h"
#include "result/schema.h"
#include "result/variant.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void result_free_reasons(struct result_reasons *reasons)
{
	schema_free(schema_reasons, reasons);
	*reasons = (struct result_reasons){0};
}

void result_free_repeat(struct result_repeat *repeat)
{
	size_t i;

	schema_free(schema_measurement, repeat);
	records_free(&repeat->records);
	for (i = 0; i < repeat->difference_count; i++)
		schema_free(schema_difference, &repeat->differences[i]);
	for (i = 0; i < repeat->histogram_count; i++)
		schema_free(schema_histogram, &repeat->histograms[i]);
	for (i = 0; i < repeat->sample_count; i++)
		free(repeat->samples[i].values);
	free(repeat->samples);
	free(repeat->differences);
	free(repeat->histograms);
	free(repeat->seconds);
	free(repeat->user_ops);
	free(repeat->each_loop);
}

static void free_rate(struct result_found_rate *found)
{
	size_t i;

	for (i = 0; i < found->step_count; i++)
		schema_free(schema_try, &found->steps[i]);
	free(found->steps);
	schema_free(schema_rate, found);
	free(found);
}

static void free_point(struct result_point *point)
{
	size_t i;

	for (i = 0; i < point->repeat_count; i++)
		result_free_repeat(&point->repeats[i]);
	free(point->repeats);
	for (i = 0; i < 2 * point->set_count; i++)
		free(point->set[i]);
	free(point->set);
	if (point->found_rate != NULL)
		free_rate(point->found_rate);
	schema_free(schema_point, point);
	records_free(&point->records);
}

void result_free(struct result *result)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		free_point(&result->points[i]);
	free(result->points);
	for (i = 0; i < result->run.axis_count; i++)
		free(result->run.axes[i].numbers);
	schema_free(schema_result, result);
	intern_free(&result->names);
	*result = (struct result){0};
}

/* Check if a point's place is before that of the variant's point with `users`
 * users. */
static bool is_before(const struct result_point *point, size_t variant, unsigned users)
{
	return point->variant != variant ? point->variant < variant : point->users < users;
}

/* Return the index of the variant's point with `users` users, or of the one
 * before which it belongs. */
static size_t find_place(const struct result *result, size_t variant, unsigned users)
{
	size_t from = 0, end = result->point_count;

	while (from < end) {
		size_t middle = from + (end - from) / 2;

		if (is_before(&result->points[middle], variant, users))
			from = middle + 1;
		else
			end = middle;
	}
	return from;
}

struct result_point *result_find_point(const struct result *result, size_t variant, unsigned users)
{
	size_t at = find_place(result, variant, users);
	struct result_point *point;

	if (at == result->point_count)
		return NULL;
	point = &result->points[at];
	return point->variant == variant && point->users == users ? point : NULL;
}

static struct result_point *add_point(struct result *result, size_t variant, unsigned users)
{
	struct result_point point = {.users = users, .variant = variant};
	size_t at = find_place(result, variant, users);

	if (variant_copy_set(&result->run.variants[variant], &point.set, &point.set_count) < 0)
		return NULL;
	if (array_insert(&result->points, &result->point_count, at, &point, sizeof(point)) < 0) {
		free_point(&point);
		return NULL;
	}
	return &result->points[at];
}

static void drop_point(struct result *result, struct result_point *point)
{
	size_t after = (size_t)(&result->points[result->point_count] - point);

	free_point(point);
	memmove(point, point + 1, (after - 1) * sizeof(*point));
	result->point_count--;
}

void result_drop_invalid(struct result *result)
{
	size_t i = 0, from;

	while (i < result->point_count) {
		struct result_point *point = &result->points[i];
		size_t kept = 0;

		for (from = 0; from < point->repeat_count; from++) {
			if (result_repeat_is_valid(&point->repeats[from]))
				point->repeats[kept++] = point->repeats[from];
			else
				result_free_repeat(&point->repeats[from]);
		}
		point->repeat_count = kept;
		if (kept == 0)
			drop_point(result, point);
		else
			i++;
	}
}

struct result_repeat *result_add_repeat(struct result *result, size_t variant, unsigned users)
{
	struct result_point *point = result_find_point(result, variant, users);
	struct result_repeat repeat = {.users = users, .variant = variant};

	if (point == NULL)
		point = add_point(result, variant, users);
	if (point == NULL)
		return NULL;
	result_time_stamp(repeat.started);
	if (array_append(&point->repeats, &point->repeat_count, &repeat, sizeof(repeat)) < 0) {
		if (point->repeat_count == 0)
			drop_point(result, point);
		return NULL;
	}
	return &point->repeats[point->repeat_count - 1];
}

void result_add_reason(struct result_reasons *reasons, const char *format, ...)
{
	va_list arguments;
	char *text;
	int rc;

	va_start(arguments, format);
	rc = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (rc >= 0 && array_append(&reasons->texts, &reasons->count, &text, sizeof(text)) < 0)
		free(text);
}

/* Append a key and an allocated value, which may be NULL, to a list. If memory
 * is short, free the value and append nothing. */
static void add_pair(char ***list, size_t *count, const char *key, char *value)
{
	char *pair[2] = {strdup(key), value};

	if (pair[0] != NULL && pair[1] != NULL &&
	    array_append(list, count, pair, sizeof(pair)) == 0)
		return;
	free(pair[0]);
	free(pair[1]);
}

void result_add_note(struct result_run *run, const char *key, const char *value)
{
	add_pair(&run->notes, &run->note_count, key, strdup(value));
}

const struct result_host *result_find_host(const struct result_run *run, const char *name)
{
	size_t i;

	for (i = 0; i < run->host_count; i++)
		if (strcmp(run->hosts[i].name, name) == 0)
			return &run->hosts[i];
	return NULL;
}

unsigned result_cpus(const struct result_run *run, const char *host)
{
	const struct result_host *found = host != NULL ? result_find_host(run, host) : NULL;
	unsigned cpus = 0;
	size_t i;

	if (found != NULL)
		return found->usable_cpus;
	for (i = 0; i < run->host_count; i++)
		cpus += run->hosts[i].usable_cpus;
	return run->host_count > 0 ? cpus : run->cpus;
}

double result_memory_bytes(const struct result_run *run)
{
	double bytes = 0;
	size_t i;

	for (i = 0; i < run->host_count; i++)
		bytes += (double)run->hosts[i].memory_bytes;
	return run->host_count > 0 ? bytes : (double)run->memory_bytes;
}

size_t result_find_sample(const struct result_run *run, const char *name)
{
	size_t i = 0;

	while (i < run->sample_count && strcmp(run->samples[i].name, name) != 0)
		i++;
	return i;
}

void result_add_option(struct result_run *run, const char *name, const char *format, ...)
{
	char *value;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&value, format, arguments) < 0)
		value = NULL;
	va_end(arguments);
	add_pair(&run->options, &run->option_count, name, value);
}

int result_set_tables(struct result_run *run, const char *const *texts, size_t count)
{
	char *text;
	size_t i;

	while (run->table_count > 0)
		free(run->tables[--run->table_count]);
	for (i = 0; i < count; i++) {
		text = strdup(texts[i]);
		if (text == NULL ||
		    array_append(&run->tables, &run->table_count, &text, sizeof(text)) < 0) {
			free(text);
			return -ENOMEM;
		}
	}
	return 0;
}

void result_time_stamp(char text[32])
{
	time_t now = time(NULL);
	struct tm parts;

	gmtime_r(&now, &parts);
	strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

bool result_kept_up(const struct record *record, double in_flight)
{
	const double share = 0.99;

	return record_count(record, FIGURE_SCHEDULED_COMPLETED) + in_flight >=
	       share * record_count(record, FIGURE_SCHEDULED);
}
