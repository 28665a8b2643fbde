/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/metric.h"

#include "base/clock.h"
#include "result/schema.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/*
 * Check if the text is `name`, or an operation, a dot and `name`. Set `before`
 * to the length of the operation (0: none). Compare the end of the text, as an
 * operation may contain dots, too.
 */
static bool ends_with(const char *text, size_t length, const char *name, size_t *before)
{
	size_t own = name != NULL ? strlen(name) : 0;

	if (own == 0 || length < own || memcmp(text + length - own, name, own) != 0)
		return false;
	*before = length - own;
	if (*before == 0)
		return true;
	(*before)--;
	return *before > 0 && text[*before] == '.';
}

/* List the figures that have a name for conditions. Return their number. */
static size_t list_metrics(const struct schema_figure *metrics[SCHEMA_PLACES])
{
	struct schema_place places[SCHEMA_PLACES];
	size_t figures = schema_list_figures(schema_figures, places);
	size_t count = 0, i;

	for (i = 0; i < figures; i++)
		if (places[i].row->figure->metric != NULL)
			metrics[count++] = places[i].row->figure;
	return count;
}

static int refuse(const char *text, size_t length, const char *what, struct error *error)
{
	const struct schema_figure *metrics[SCHEMA_PLACES];
	size_t count = list_metrics(metrics), used = 0, i;
	char names[512] = "";

	for (i = 0; i < count && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
					 i > 0 ? ", " : "", metrics[i]->metric);
	error_set(error,
		  "%s: unknown metric \"%.*s\"; expected one of %s, OPERATION.METRIC such as "
		  "ReadX.p99, or phase.NAME.METRIC",
		  what, (int)length, text, names);
	return -EINVAL;
}

/* The prefix of an "operation" that is a phase of the load. */
#define PHASE_PREFIX "phase."

const char *metric_phase(const struct metric *metric)
{
	size_t length = strlen(PHASE_PREFIX);

	return strncmp(metric->operation, PHASE_PREFIX, length) == 0 ? metric->operation + length
								     : NULL;
}

bool metric_is_of_operations(const struct metric *metric)
{
	return schema_find_figure(schema_operation, metric->figure).row != NULL;
}

static int set_operation(const char *text, size_t length, const char *what, struct metric *metric,
			 struct error *error)
{
	bool is_phase = length > strlen(PHASE_PREFIX) &&
			strncmp(text, PHASE_PREFIX, strlen(PHASE_PREFIX)) == 0;

	if (length > 0 && !is_phase && !metric_is_of_operations(metric)) {
		error_set(error,
			  "%s: %s is not available for single operations, only for all together",
			  what, metric->figure->metric);
		return -EINVAL;
	}
	if (length >= METRIC_OPERATION) {
		error_set(error, "%s: the operation's name \"%.*s\" is longer than %d bytes", what,
			  (int)length, text, METRIC_OPERATION - 1);
		return -EINVAL;
	}
	memcpy(metric->operation, text, length);
	metric->operation[length] = '\0';
	return 0;
}

int metric_parse(const char *text, size_t length, const char *what, struct metric *metric,
		 struct error *error)
{
	const struct schema_figure *metrics[SCHEMA_PLACES];
	size_t count = list_metrics(metrics), before, i;

	for (i = 0; i < count; i++) {
		if (!ends_with(text, length, metrics[i]->metric, &before) &&
		    !ends_with(text, length, metrics[i]->also, &before))
			continue;
		metric->figure = metrics[i];
		return set_operation(text, before, what, metric, error);
	}
	return refuse(text, length, what, error);
}

char *metric_name(const struct metric *metric, char text[METRIC_TEXT])
{
	snprintf(text, METRIC_TEXT, "%s%s%s", metric->operation,
		 metric->operation[0] != '\0' ? "." : "", metric->figure->metric);
	return text;
}

struct metric metric_named(const char *name)
{
	struct metric metric = {.figure = NULL};
	struct error ignored = {0};

	metric_parse(name, strlen(name), "", &metric, &ignored);
	return metric;
}

const char *metric_heading(const struct metric *metric)
{
	const struct schema_figure *figure = metric->figure;

	return figure->heading != NULL ? figure->heading : figure->metric;
}

const char *metric_unit(const struct metric *metric)
{
	return metric->figure->unit;
}

double metric_per_second(const struct metric *metric)
{
	double unit_ns = schema_find_figure(schema_figures, metric->figure).row->unit_ns;

	return unit_ns > 0 ? NS_PER_S / unit_ns : 0;
}

unsigned metric_min_samples(const struct metric *metric)
{
	unsigned samples = metric->figure->samples;

	return samples > 0 ? samples : 1;
}

bool metric_is_paced(const struct metric *metric)
{
	return metric->figure->paced;
}

bool metric_more_is_better(const struct metric *metric)
{
	return metric->figure->more_is_better;
}

static const struct result_operation *find_operation(const struct result_figures *figures,
						     const char *name)
{
	const struct result_operation *found = NULL;
	size_t i;

	for (i = 0; i < figures->operation_count; i++) {
		const struct result_operation *operation = &figures->operations[i];

		if (strcmp(operation->name, name) == 0)
			return operation;
		if (strcasecmp(operation->name, name) == 0)
			found = operation;
	}
	return found;
}

/* Return the figures of a phase of the load or, if there are several, of the
 * first load with such a phase; or NULL. */
static const struct result_figures *find_phase(const struct result_figures *figures,
					       const char *name)
{
	const struct result_figures *found = NULL;
	size_t i;

	for (i = 0; i < figures->phase_count; i++)
		if (strcmp(figures->phases[i].name, name) == 0)
			return &figures->phases[i].figures;
	for (i = 0; i < figures->load_count && found == NULL; i++)
		found = find_phase(&figures->loads[i].figures, name);
	return found;
}

bool metric_value(const struct metric *metric, const struct result_figures *figures, double *value)
{
	const struct result_operation *operation = NULL;
	const struct result_figures *of_phase;

	if (metric_phase(metric) != NULL) {
		of_phase = find_phase(figures, metric_phase(metric));
		if (of_phase != NULL)
			return metric_value_of(metric, of_phase, NULL, value);
	}
	if (metric->operation[0] != '\0') {
		operation = find_operation(figures, metric->operation);
		if (operation == NULL)
			return false;
	}
	return metric_value_of(metric, figures, operation, value);
}

bool metric_value_of(const struct metric *metric, const struct result_figures *figures,
		     const struct result_operation *operation, double *value)
{
	const struct schema_figure *figure = metric->figure;
	const char *record = operation != NULL ? (const void *)operation : (const void *)figures;
	struct schema_place place;

	place = schema_find_figure(operation != NULL ? schema_operation : schema_figures, figure);
	if (place.row == NULL)
		return false;
	*value = schema_in_unit(place.row, record + place.offset);
	if (figure->factor > 0)
		*value *= figure->factor;
	switch (place.row->kind) {
	case SCHEMA_COUNT:
		return true;
	case SCHEMA_REAL:
		return figures->seconds > 0 && isfinite(*value);
	default: /* A time: 0 means that it is unknown. */
		return *value > 0;
	}
}
