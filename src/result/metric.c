/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/metric.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Where a value comes from: `operation` is NULL for all of them together. */
struct source {
	const struct result_figures *figures;
	const struct result_operation *operation;
};

struct metric_row {
	const char *name;
	const char *also; /* another spelling, or NULL */
	const char *unit;
	enum metric_kind kind;
	double per_second; /* of durations: how many a second is */
	bool more_is_better;
	bool of_operations; /* each operation has it, too */
	bool (*value)(const struct source *source, double *value);
};

static const struct result_latency *latency_of(const struct source *source)
{
	return source->operation != NULL ? &source->operation->latency
					 : &source->figures->latency;
}

static bool per_second(const struct source *source, uint64_t count,
		       double *value)
{
	*value = (double)count / source->figures->seconds;
	return source->figures->seconds > 0;
}

static bool mb_per_s(const struct source *source, double *value)
{
	if (source->operation != NULL) {
		bool known = per_second(source, source->operation->bytes,
					value);

		*value /= 1e6;
		return known;
	}
	*value = source->figures->mb_per_s;
	return source->figures->seconds > 0;
}

static bool ops_per_s(const struct source *source, double *value)
{
	if (source->operation != NULL)
		return per_second(source, source->operation->count, value);
	*value = source->figures->ops_per_s;
	return source->figures->seconds > 0;
}

static bool mean(const struct source *source, double *value)
{
	*value = latency_of(source)->mean_ns / 1e6;
	return latency_of(source)->count > 0;
}

/* A percentile that is not known is 0. */
static bool in_ms(uint64_t ns, double *value)
{
	*value = (double)ns / 1e6;
	return ns > 0;
}

static bool p50(const struct source *source, double *value)
{
	return in_ms(latency_of(source)->p50_ns, value);
}

static bool p90(const struct source *source, double *value)
{
	return in_ms(latency_of(source)->p90_ns, value);
}

static bool p95(const struct source *source, double *value)
{
	return in_ms(latency_of(source)->p95_ns, value);
}

static bool p99(const struct source *source, double *value)
{
	return in_ms(latency_of(source)->p99_ns, value);
}

static bool p99_9(const struct source *source, double *value)
{
	return in_ms(latency_of(source)->p99_9_ns, value);
}

static bool longest(const struct source *source, double *value)
{
	*value = (double)latency_of(source)->max_ns / 1e6;
	return latency_of(source)->count > 0;
}

static bool errors(const struct source *source, double *value)
{
	*value = (double)(source->operation != NULL
				  ? source->operation->errors
				  : source->figures->errors);
	return true;
}

static bool mismatches(const struct source *source, double *value)
{
	*value = (double)(source->operation != NULL
				  ? source->operation->mismatches
				  : source->figures->mismatches);
	return true;
}

static bool skipped(const struct source *source, double *value)
{
	*value = (double)source->figures->skipped;
	return true;
}

static bool loop(const struct source *source, double *value)
{
	*value = (double)source->figures->loop.p50_ns / 1e9;
	return source->figures->loop.p50_ns > 0;
}

static bool cpu(const struct source *source, double *value)
{
	*value = 100 * source->figures->client_cpu.utilisation;
	return source->figures->seconds > 0;
}

static bool cpu_per_op(const struct source *source, double *value)
{
	*value = source->figures->client_cpu.per_op_us;
	return source->figures->ops > 0;
}

/* In the order in which a message names them. */
static const struct metric_row rows[] = {
	{"mb_per_s", NULL, "MB/s", METRIC_NUMBER, 0, true, true, mb_per_s},
	{"ops_per_s", NULL, "/s", METRIC_NUMBER, 0, true, true, ops_per_s},
	{"mean", NULL, "ms", METRIC_DURATION, 1e3, false, true, mean},
	{"p50", NULL, "ms", METRIC_DURATION, 1e3, false, true, p50},
	{"p90", NULL, "ms", METRIC_DURATION, 1e3, false, true, p90},
	{"p95", NULL, "ms", METRIC_DURATION, 1e3, false, true, p95},
	{"p99", NULL, "ms", METRIC_DURATION, 1e3, false, true, p99},
	{"p99_9", "p99.9", "ms", METRIC_DURATION, 1e3, false, true, p99_9},
	{"max", NULL, "ms", METRIC_DURATION, 1e3, false, true, longest},
	{"errors", NULL, "", METRIC_NUMBER, 0, false, true, errors},
	{"mismatches", NULL, "", METRIC_NUMBER, 0, false, true, mismatches},
	{"loop", NULL, "s", METRIC_DURATION, 1, false, false, loop},
	{"skipped", NULL, "", METRIC_NUMBER, 0, false, false, skipped},
	{"cpu", NULL, "%", METRIC_SHARE, 0, false, false, cpu},
	{"cpu_per_op", NULL, "us", METRIC_DURATION, 1e6, false, false,
	 cpu_per_op},
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Whether the text is `name`, or ends with a dot and `name`: then `before` is
 * how much stands in front of that dot. Operations may have dots, too.
 */
static bool ends_with(const char *text, size_t length, const char *name,
		      size_t *before)
{
	size_t own = name != NULL ? strlen(name) : 0;

	if (own == 0 || length < own ||
	    memcmp(text + length - own, name, own) != 0)
		return false;
	*before = length - own;
	if (*before == 0)
		return true;
	(*before)--;
	return *before > 0 && text[*before] == '.';
}

static int refuse(const char *text, size_t length, const char *what,
		  struct error *error)
{
	char names[256] = "";
	size_t used = 0, i;

	for (i = 0; i < LENGTH(rows) && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used,
					 "%s%s", i > 0 ? ", " : "",
					 rows[i].name);
	error_set(error, "%s: \"%.*s\" is none of %s; nor is it one of them "
		  "for an operation, as ReadX.p99 is", what, (int)length, text,
		  names);
	return -EINVAL;
}

static int set_operation(const char *text, size_t length, const char *what,
			 struct metric *metric, struct error *error)
{
	if (length > 0 && !metric->row->of_operations) {
		error_set(error, "%s: single operations have no %s, only all "
			  "of them together", what, metric->row->name);
		return -EINVAL;
	}
	if (length >= METRIC_OPERATION) {
		error_set(error, "%s: the operation's name \"%.*s\" has more "
			  "than %d bytes", what, (int)length, text,
			  METRIC_OPERATION - 1);
		return -EINVAL;
	}
	memcpy(metric->operation, text, length);
	metric->operation[length] = '\0';
	return 0;
}

int metric_parse(const char *text, size_t length, const char *what,
		 struct metric *metric, struct error *error)
{
	size_t before, i;

	for (i = 0; i < LENGTH(rows); i++) {
		if (!ends_with(text, length, rows[i].name, &before) &&
		    !ends_with(text, length, rows[i].also, &before))
			continue;
		metric->row = &rows[i];
		return set_operation(text, before, what, metric, error);
	}
	return refuse(text, length, what, error);
}

char *metric_name(const struct metric *metric, char text[METRIC_TEXT])
{
	snprintf(text, METRIC_TEXT, "%s%s%s", metric->operation,
		 metric->operation[0] != '\0' ? "." : "", metric->row->name);
	return text;
}

const char *metric_unit(const struct metric *metric)
{
	return metric->row->unit;
}

enum metric_kind metric_kind(const struct metric *metric)
{
	return metric->row->kind;
}

double metric_per_second(const struct metric *metric)
{
	return metric->row->per_second;
}

bool metric_more_is_better(const struct metric *metric)
{
	return metric->row->more_is_better;
}

static const struct result_operation *
find_operation(const struct result_figures *figures, const char *name)
{
	const struct result_operation *found = NULL;
	size_t i;

	for (i = 0; i < figures->operation_count; i++) {
		const struct result_operation *operation =
			&figures->operations[i];

		if (strcmp(operation->name, name) == 0)
			return operation;
		if (strcasecmp(operation->name, name) == 0)
			found = operation;
	}
	return found;
}

bool metric_value(const struct metric *metric,
		  const struct result_figures *figures, double *value)
{
	struct source source = {.figures = figures};

	if (metric->operation[0] != '\0') {
		source.operation = find_operation(figures, metric->operation);
		if (source.operation == NULL)
			return false;
	}
	return metric->row->value(&source, value);
}
