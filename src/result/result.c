/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/result.h"

#include "base/array.h"
#include "result/schema.h"
#include "result/variant.h"

#include <math.h>
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

void result_free_figures(struct result_figures *figures)
{
	schema_free(schema_figures, figures);
	*figures = (struct result_figures){0};
}

void result_free(struct result *result)
{
	schema_free(schema_result, result);
	*result = (struct result){0};
}

struct result_point *result_find_point(const struct result *result, size_t variant, unsigned users)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		if (result->points[i].variant == variant && result->points[i].users == users)
			return &result->points[i];
	return NULL;
}

/* Check if a point's place is after the place of the variant's point with
 * `users` users. */
static bool is_after(const struct result_point *point, size_t variant, unsigned users)
{
	return point->variant != variant ? point->variant > variant : point->users > users;
}

static struct result_point *add_point(struct result *result, size_t variant, unsigned users)
{
	struct result_point point = {.users = users, .variant = variant, .gain = NAN};
	size_t at = result->point_count;

	if (variant < result->run.variant_count &&
	    variant_copy_set(&result->run.variants[variant], &point.set, &point.set_count) < 0)
		return NULL;
	if (array_append(&result->points, &result->point_count, &point, sizeof(point)) < 0) {
		schema_free(schema_point, &point);
		return NULL;
	}
	for (; at > 0 && is_after(&result->points[at - 1], variant, users); at--)
		result->points[at] = result->points[at - 1];
	result->points[at] = point;
	return &result->points[at];
}

static void drop_point(struct result *result, struct result_point *point)
{
	size_t after = (size_t)(&result->points[result->point_count] - point);

	schema_free(schema_point, point);
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
				schema_free(schema_repeat, &point->repeats[from]);
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

void result_time_stamp(char text[32])
{
	time_t now = time(NULL);
	struct tm parts;

	gmtime_r(&now, &parts);
	strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

bool result_kept_up(const struct result_due *due, uint64_t in_flight)
{
	const double share = 0.99;

	return (double)(due->ended + in_flight) >= share * (double)due->count;
}

bool result_has_phases(const struct result_figures *figures)
{
	bool found = figures->phase_count > 0;
	size_t i;

	for (i = 0; i < figures->load_count && !found; i++)
		found = figures->loads[i].figures.phase_count > 0;
	return found;
}
