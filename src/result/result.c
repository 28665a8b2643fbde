/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void free_reasons(struct result_reasons *reasons)
{
	size_t i;

	for (i = 0; i < reasons->count; i++)
		free(reasons->texts[i]);
	free(reasons->texts);
}

static void free_operations(struct result_operation *operations, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free(operations[i].name);
	free(operations);
}

static void free_point(struct result_point *point)
{
	size_t i;

	free_reasons(&point->invalid);
	free_reasons(&point->doubts);
	free_operations(point->operations, point->operation_count);
	for (i = 0; i < point->each_user_count; i++)
		free_operations(point->each_user[i].operations,
				point->each_user[i].operation_count);
	free(point->each_user);
	free(point->each_loop);
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
	for (i = 0; i < run->lack_count; i++)
		free(run->lacks[i].name);
	free(run->lacks);
	*result = (struct result){0};
}

struct result_point *result_add_point(struct result *result, unsigned users)
{
	struct result_point *points =
		reallocarray(result->points, result->point_count + 1,
			     sizeof(*points));
	struct result_point *point;

	if (points == NULL)
		return NULL;
	result->points = points;
	point = &points[result->point_count++];
	*point = (struct result_point){.users = users};
	result_time_stamp(point->started);
	return point;
}

void result_add_reason(struct result_reasons *reasons, const char *format, ...)
{
	char **texts = reallocarray(reasons->texts, reasons->count + 1,
				    sizeof(*texts));
	va_list arguments;

	if (texts == NULL)
		return;
	reasons->texts = texts;
	va_start(arguments, format);
	if (vasprintf(&texts[reasons->count], format, arguments) >= 0)
		reasons->count++;
	va_end(arguments);
}

void result_add_option(struct result_run *run, const char *name,
		       const char *format, ...)
{
	char **options = reallocarray(run->options, run->option_count + 1,
				      2 * sizeof(*options));
	va_list arguments;
	char **pair;

	if (options == NULL)
		return;
	run->options = options;
	pair = &options[run->option_count * 2];
	va_start(arguments, format);
	if (asprintf(&pair[0], "%s", name) >= 0) {
		if (vasprintf(&pair[1], format, arguments) >= 0)
			run->option_count++;
		else
			free(pair[0]);
	}
	va_end(arguments);
}

void result_time_stamp(char text[32])
{
	time_t now = time(NULL);
	struct tm parts;

	gmtime_r(&now, &parts);
	strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
}
