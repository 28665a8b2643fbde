/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/summary.h"

#include "base/array.h"
#include "result/warning.h"
#include "result/schema.h"
#include "stats/usl.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

double summary_median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* The fields of figures that are added up, and those whose median counts. */
#define AT(field) offsetof(struct result_figures, field)
static const size_t counts_added[] = {
	AT(ops), AT(bytes), AT(loops), AT(errors), AT(mismatches),
	AT(skipped), AT(client_cpu.waits), AT(client_cpu.preemptions),
	AT(silent_s),
};
static const size_t seconds_added[] = {
	AT(seconds), AT(stood_still_s), AT(client_cpu.user_s),
	AT(client_cpu.system_s),
};
static const size_t reals_in_the_middle[] = {
	AT(mb_per_s), AT(ops_per_s), AT(late_ms), AT(client_cpu.per_op_us),
	AT(client_cpu.utilisation),
};
static const size_t reals_at_most[] = {AT(held_up_s)};
static const size_t counts_in_the_middle[] = {
	AT(min_user_ops),
	AT(median_user_ops),
	AT(max_user_ops),
};
#undef AT

#define AT(field) offsetof(struct result_latency, field)
static const size_t percentiles[] = {
	AT(p50_ns), AT(p90_ns), AT(p95_ns), AT(p99_ns), AT(p99_9_ns),
};
#undef AT

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Structures of one kind, and room for as many values. */
struct parts {
	const void **list;
	double *values;
	size_t count;
};

static const void *field_of(const void *part, size_t offset)
{
	return (const char *)part + offset;
}

static void *place_of(void *sum, size_t offset)
{
	return (char *)sum + offset;
}

static double real_of(const void *part, size_t offset)
{
	return *(const double *)field_of(part, offset);
}

static uint64_t count_of(const void *part, size_t offset)
{
	return *(const uint64_t *)field_of(part, offset);
}

static double middle_real(const struct parts *parts, size_t offset)
{
	size_t i;

	for (i = 0; i < parts->count; i++)
		parts->values[i] = real_of(parts->list[i], offset);
	return parts->count > 0 ? summary_median(parts->values, parts->count)
				: 0;
}

/* Of those that are known. */
static uint64_t middle_count(const struct parts *parts, size_t offset)
{
	size_t known = 0, i;

	for (i = 0; i < parts->count; i++)
		if (count_of(parts->list[i], offset) > 0)
			parts->values[known++] =
				(double)count_of(parts->list[i], offset);
	return known > 0 ? (uint64_t)summary_median(parts->values, known) : 0;
}

/* `latency_at`: where in each of the parts its latency is. */
static void sum_latencies(const struct parts *parts, size_t latency_at,
			  struct result_latency *sum)
{
	size_t i;

	sum->mean_ns = middle_real(
		parts, latency_at + offsetof(struct result_latency, mean_ns));
	for (i = 0; i < LENGTH(percentiles); i++)
		*(uint64_t *)place_of(sum, percentiles[i]) =
			middle_count(parts, latency_at + percentiles[i]);
	for (i = 0; i < parts->count; i++) {
		const struct result_latency *latency =
			field_of(parts->list[i], latency_at);

		sum->count += latency->count;
		if (latency->max_ns > sum->max_ns)
			sum->max_ns = latency->max_ns;
	}
}

static struct result_operation *
find_operation(const struct result_figures *figures, const char *name)
{
	size_t i;

	for (i = 0; i < figures->operation_count; i++)
		if (strcmp(figures->operations[i].name, name) == 0)
			return &figures->operations[i];
	return NULL;
}

static int add_operation(struct result_figures *sum, const char *name)
{
	struct result_operation operation = {.name = strdup(name)};

	if (operation.name != NULL &&
	    array_append(&sum->operations, &sum->operation_count, &operation,
			 sizeof(operation)) == 0)
		return 0;
	free(operation.name);
	return -ENOMEM;
}

/* One operation over all the repeats that played it. */
static void sum_operation(const struct parts *figures,
			  struct result_operation *sum, struct parts *parts)
{
	size_t i;

	parts->count = 0;
	for (i = 0; i < figures->count; i++) {
		const struct result_operation *operation =
			find_operation(figures->list[i], sum->name);

		if (operation == NULL)
			continue;
		parts->list[parts->count++] = operation;
		sum->count += operation->count;
		sum->bytes += operation->bytes;
		sum->errors += operation->errors;
		sum->mismatches += operation->mismatches;
		sum->sum_ns += operation->sum_ns;
	}
	sum_latencies(parts, offsetof(struct result_operation, latency),
		      &sum->latency);
}

static int sum_operations(const struct parts *figures,
			  struct result_figures *sum)
{
	struct parts parts = {
		.list = calloc(figures->count, sizeof(*parts.list)),
		.values = figures->values,
	};
	int rc = parts.list == NULL ? -ENOMEM : 0;
	size_t i, j;

	for (i = 0; i < figures->count && rc == 0; i++) {
		const struct result_figures *part = figures->list[i];

		for (j = 0; j < part->operation_count && rc == 0; j++)
			if (find_operation(sum, part->operations[j].name) ==
			    NULL)
				rc = add_operation(sum,
						   part->operations[j].name);
	}
	for (i = 0; i < sum->operation_count && rc == 0; i++)
		sum_operation(figures, &sum->operations[i], &parts);
	free(parts.list);
	return rc;
}

static int sum_figures(const struct parts *parts, struct result_figures *sum)
{
	size_t i, j;

	for (i = 0; i < parts->count; i++) {
		for (j = 0; j < LENGTH(counts_added); j++)
			*(uint64_t *)place_of(sum, counts_added[j]) +=
				count_of(parts->list[i], counts_added[j]);
		for (j = 0; j < LENGTH(seconds_added); j++)
			*(double *)place_of(sum, seconds_added[j]) +=
				real_of(parts->list[i], seconds_added[j]);
		for (j = 0; j < LENGTH(reals_at_most); j++) {
			double *max = place_of(sum, reals_at_most[j]);

			*max = fmax(*max,
				    real_of(parts->list[i], reals_at_most[j]));
		}
	}
	for (j = 0; j < LENGTH(reals_in_the_middle); j++)
		*(double *)place_of(sum, reals_in_the_middle[j]) =
			middle_real(parts, reals_in_the_middle[j]);
	for (j = 0; j < LENGTH(counts_in_the_middle); j++)
		*(uint64_t *)place_of(sum, counts_in_the_middle[j]) =
			middle_count(parts, counts_in_the_middle[j]);
	sum_latencies(parts, offsetof(struct result_figures, latency),
		      &sum->latency);
	sum_latencies(parts, offsetof(struct result_figures, loop),
		      &sum->loop);
	return sum_operations(parts, sum);
}

static void find_spread(struct result_point *point)
{
	double min = INFINITY, max = 0;
	size_t i;

	for (i = 0; i < point->repeat_count; i++) {
		double mb_per_s = point->repeats[i].figures.mb_per_s;

		if (!result_repeat_is_valid(&point->repeats[i]))
			continue;
		min = fmin(min, mb_per_s);
		max = fmax(max, mb_per_s);
	}
	point->mb_per_s_min = fmin(min, max);
	point->mb_per_s_max = max;
	point->spread = point->figures.mb_per_s > 0
				? (max - point->mb_per_s_min) /
					  point->figures.mb_per_s
				: 0;
}

static void gather_invalid(struct result_point *point)
{
	size_t i, j;

	for (i = 0; i < point->repeat_count; i++) {
		const struct result_reasons *reasons =
			&point->repeats[i].invalid;

		for (j = 0; j < reasons->count; j++) {
			if (point->repeat_count == 1)
				result_add_reason(&point->invalid, "%s",
						  reasons->texts[j]);
			else
				result_add_reason(&point->invalid,
						  "repeat %zu: %s", i + 1,
						  reasons->texts[j]);
		}
	}
}

static int update_point(const struct result_run *run,
			struct result_point *point)
{
	struct parts parts = {
		.list = calloc(point->repeat_count, sizeof(*parts.list)),
		.values = calloc(point->repeat_count, sizeof(double)),
	};
	size_t valid = 0, i;
	int rc = -ENOMEM;

	for (i = 0; i < point->repeat_count; i++) {
		schema_round(&point->repeats[i]);
		valid += result_repeat_is_valid(&point->repeats[i]);
	}
	result_free_figures(&point->figures);
	result_free_reasons(&point->invalid);
	result_free_reasons(&point->warnings);
	gather_invalid(point);
	if (parts.list != NULL && parts.values != NULL) {
		/* Sum up the valid repeats, or all if none is valid. */
		for (i = 0; i < point->repeat_count; i++)
			if (valid == 0 ||
			    result_repeat_is_valid(&point->repeats[i]))
				parts.list[parts.count++] =
					&point->repeats[i].figures;
		rc = sum_figures(&parts, &point->figures);
	}
	find_spread(point);
	if (rc == 0 && result_is_valid(point))
		warn_of_point(run, point);
	free(parts.list);
	free(parts.values);
	return rc;
}

static void compare_points(struct result *result)
{
	const struct result_point *before = NULL;
	size_t i;

	result->peak = SIZE_MAX;
	for (i = 0; i < result->point_count; i++) {
		struct result_point *point = &result->points[i];
		double mb_per_s = point->figures.mb_per_s;

		point->gain = NAN;
		if (!result_is_valid(point))
			continue;
		if (before != NULL && before->figures.mb_per_s > 0)
			point->gain = mb_per_s / before->figures.mb_per_s - 1;
		if (result->peak == SIZE_MAX ||
		    mb_per_s > result->points[result->peak].figures.mb_per_s)
			result->peak = i;
		before = point;
	}
}

int summary_update(struct result *result)
{
	int rc = 0;
	size_t i;

	for (i = 0; i < result->point_count && rc == 0; i++)
		rc = update_point(&result->run, &result->points[i]);
	compare_points(result);
	if (rc == 0)
		rc = usl_fit(result, &result->usl);
	return rc;
}
