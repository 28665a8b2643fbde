/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/result.h"

#include "base/array.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void result_free_reasons(struct result_reasons *reasons)
{
	size_t i;

	for (i = 0; i < reasons->count; i++)
		free(reasons->texts[i]);
	free(reasons->texts);
	*reasons = (struct result_reasons){0};
}

static void free_operations(struct result_operation *operations, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		free(operations[i].name);
		free(operations[i].latency.histogram);
	}
	free(operations);
}

void result_free_figures(struct result_figures *figures)
{
	free_operations(figures->operations, figures->operation_count);
	free(figures->latency.histogram);
	free(figures->loop.histogram);
	free(figures->user_ops);
	*figures = (struct result_figures){0};
}

static void free_repeat(struct result_repeat *repeat)
{
	size_t i;

	result_free_reasons(&repeat->invalid);
	result_free_reasons(&repeat->warnings);
	result_free_figures(&repeat->figures);
	for (i = 0; i < repeat->each_user_count; i++)
		free_operations(repeat->each_user[i].operations,
				repeat->each_user[i].operation_count);
	free(repeat->each_user);
	free(repeat->each_loop);
	free(repeat->per_second);
}

static void free_point(struct result_point *point)
{
	size_t i;

	for (i = 0; i < point->repeat_count; i++)
		free_repeat(&point->repeats[i]);
	free(point->repeats);
	result_free_reasons(&point->invalid);
	result_free_reasons(&point->warnings);
	result_free_figures(&point->figures);
}

static void free_target(struct result_target *target)
{
	free(target->url);
	free(target->backend);
	free(target->library);
	free(target->library_version);
	free(target->kind);
	free(target->protection);
}

void result_free(struct result *result)
{
	struct result_run *run = &result->run;
	size_t i;

	for (i = 0; i < result->point_count; i++)
		free_point(&result->points[i]);
	free(result->points);
	for (i = 0; i < run->option_count * 2; i++)
		free(run->options[i]);
	free(run->options);
	free(run->user_counts);
	free(run->stopped_by);
	free(run->version);
	free(run->command);
	free(run->host);
	free(run->kernel);
	free(run->loadfile.name);
	free(run->loadfile.dialect);
	free(run->loadfile.sha256);
	for (i = 0; i < run->target_count; i++)
		free_target(&run->targets[i]);
	free(run->targets);
	for (i = 0; i < run->unsupported_count; i++) {
		free(run->unsupported[i].name);
		free(run->unsupported[i].cannot);
	}
	free(run->unsupported);
	for (i = 0; i < result->limit_count; i++)
		free(result->limits[i].condition);
	free(result->limits);
	*result = (struct result){0};
}

struct result_point *result_find_point(const struct result *result,
				       unsigned users)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		if (result->points[i].users == users)
			return &result->points[i];
	return NULL;
}

static struct result_point *add_point(struct result *result, unsigned users)
{
	struct result_point point = {.users = users, .gain = NAN};
	size_t at = result->point_count;

	if (array_append(&result->points, &result->point_count, &point,
			 sizeof(point)) < 0)
		return NULL;
	for (; at > 0 && result->points[at - 1].users > users; at--)
		result->points[at] = result->points[at - 1];
	result->points[at] = point;
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
				free_repeat(&point->repeats[from]);
		}
		point->repeat_count = kept;
		if (kept == 0)
			drop_point(result, point);
		else
			i++;
	}
}

struct result_repeat *result_add_repeat(struct result *result, unsigned users)
{
	struct result_point *point = result_find_point(result, users);
	struct result_repeat repeat = {.users = users};

	if (point == NULL)
		point = add_point(result, users);
	if (point == NULL)
		return NULL;
	result_time_stamp(repeat.started);
	if (array_append(&point->repeats, &point->repeat_count, &repeat,
			 sizeof(repeat)) < 0) {
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
	if (rc >= 0 && array_append(&reasons->texts, &reasons->count, &text,
				    sizeof(text)) < 0)
		free(text);
}

void result_add_option(struct result_run *run, const char *name,
		       const char *format, ...)
{
	char *pair[2] = {strdup(name), NULL};
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&pair[1], format, arguments) < 0)
		pair[1] = NULL;
	va_end(arguments);
	if (pair[0] != NULL && pair[1] != NULL &&
	    array_append(&run->options, &run->option_count, pair,
			 sizeof(pair)) == 0)
		return;
	free(pair[0]);
	free(pair[1]);
}

void result_time_stamp(char text[32])
{
	time_t now = time(NULL);
	struct tm parts;

	gmtime_r(&now, &parts);
	strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
}
