/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/summary.h"

#include "base/array.h"
#include "result/schema.h"
#include "result/variant.h"
#include "result/warning.h"
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

/* The records to combine, such as all repeats of a point, and a scratch buffer
 * with room for one value of each record. */
struct parts {
	const void **list;
	double *values;
	size_t count;
};

/* Return the median, min or max of a row's values in all parts; NAN if a rate
 * is unknown in all of them. `at` is the offset of the value in each part. */
static double pick(const struct parts *parts, const struct schema_row *row, size_t at)
{
	size_t count = 0, i;
	double min = INFINITY, max = 0;

	for (i = 0; i < parts->count; i++) {
		double value = schema_number(row, (const char *)parts->list[i] + at);

		if (value > 0 || (row->combine == COMBINE_MEDIAN && !isnan(value)))
			parts->values[count++] = value;
		min = fmin(min, value);
		max = fmax(max, value);
	}
	if (row->combine == COMBINE_MIN)
		return min;
	if (row->combine == COMBINE_MAX)
		return max;
	if (count > 0)
		return summary_median(parts->values, count);
	return row->combine == COMBINE_MEDIAN ? NAN : 0;
}

static void add_up(const struct parts *parts, const struct schema_row *row, size_t at, void *sum)
{
	size_t i;

	for (i = 0; i < parts->count; i++) {
		const void *part = (const char *)parts->list[i] + at;

		if (row->kind == SCHEMA_COUNT)
			*(uint64_t *)sum += *(const uint64_t *)part;
		else
			*(double *)sum += *(const double *)part;
	}
}

static void set_number(const struct schema_row *row, void *at, double value)
{
	if (row->kind == SCHEMA_COUNT || row->kind == SCHEMA_TIME)
		*(uint64_t *)at = (uint64_t)value;
	else if (row->kind == SCHEMA_WORD)
		*(unsigned *)at = (unsigned)value;
	else
		*(double *)at = value;
}

/* Combine the values of these rows in all parts into `sum`, which must be all
 * zeros. `at` is the offset, in each part, of the record that the rows
 * describe. */
static void combine(const struct parts *parts, const struct schema_row *row, size_t at, void *sum)
{
	for (; row->kind != SCHEMA_END; row++) {
		size_t from = at + row->offset;
		void *to = (char *)sum + row->offset;

		switch (row->combine) {
		case COMBINE_SUM:
			add_up(parts, row, from, to);
			break;
		case COMBINE_MEDIAN:
		case COMBINE_MEDIAN_KNOWN:
		case COMBINE_MIN:
		case COMBINE_MAX:
			set_number(row, to, pick(parts, row, from));
			break;
		case COMBINE_NOT:
			if (row->kind == SCHEMA_OBJECT && row->size == 0)
				combine(parts, row->of, from, to);
			break;
		}
	}
}

static struct result_operation *find_operation(const struct result_figures *figures,
					       const char *name)
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

	if (operation.name != NULL && array_append(&sum->operations, &sum->operation_count,
						   &operation, sizeof(operation)) == 0)
		return 0;
	free(operation.name);
	return -ENOMEM;
}

/* Combine one operation's figures from all repeats that played it. `parts` is
 * only scratch space. */
static void sum_operation(const struct parts *figures, struct result_operation *sum,
			  struct parts *parts)
{
	size_t i;

	parts->count = 0;
	for (i = 0; i < figures->count; i++) {
		const struct result_operation *operation = find_operation(figures->list[i],
									  sum->name);

		if (operation != NULL)
			parts->list[parts->count++] = operation;
	}
	combine(parts, schema_operation, 0, sum);
}

static int sum_operations(const struct parts *figures, struct result_figures *sum)
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
			if (find_operation(sum, part->operations[j].name) == NULL)
				rc = add_operation(sum, part->operations[j].name);
	}
	for (i = 0; i < sum->operation_count && rc == 0; i++)
		sum_operation(figures, &sum->operations[i], &parts);
	free(parts.list);
	return rc;
}

/* Combine these figures, but not those of single loads or phases. `sum` must be
 * all zeros. */
static int sum_figures(const struct parts *figures, struct result_figures *sum)
{
	combine(figures, schema_figures, 0, sum);
	return sum_operations(figures, sum);
}

static struct result_phase *find_phase(const struct result_figures *figures, const char *name)
{
	size_t i;

	for (i = 0; i < figures->phase_count; i++)
		if (strcmp(figures->phases[i].name, name) == 0)
			return &figures->phases[i];
	return NULL;
}

static int add_phase(struct result_figures *sum, const char *name)
{
	struct result_phase phase = {.name = strdup(name)};

	if (phase.name != NULL &&
	    array_append(&sum->phases, &sum->phase_count, &phase, sizeof(phase)) == 0)
		return 0;
	free(phase.name);
	return -ENOMEM;
}

/* Combine the figures of one phase from all repeats that played it. `parts` is
 * only scratch space. */
static int sum_phase(const struct parts *figures, struct result_phase *sum, struct parts *parts)
{
	size_t i;

	parts->count = 0;
	for (i = 0; i < figures->count; i++) {
		const struct result_phase *phase = find_phase(figures->list[i], sum->name);

		if (phase != NULL)
			parts->list[parts->count++] = phase;
	}
	combine(parts, schema_phase, 0, sum);
	for (i = 0; i < parts->count; i++)
		parts->list[i] = &((const struct result_phase *)parts->list[i])->figures;
	return sum_operations(parts, &sum->figures);
}

static int sum_phases(const struct parts *figures, struct result_figures *sum)
{
	struct parts parts = {
		.list = calloc(figures->count, sizeof(*parts.list)),
		.values = figures->values,
	};
	int rc = parts.list == NULL ? -ENOMEM : 0;
	size_t i, j;

	for (i = 0; i < figures->count && rc == 0; i++) {
		const struct result_figures *part = figures->list[i];

		for (j = 0; j < part->phase_count && rc == 0; j++)
			if (find_phase(sum, part->phases[j].name) == NULL)
				rc = add_phase(sum, part->phases[j].name);
	}
	for (i = 0; i < sum->phase_count && rc == 0; i++)
		rc = sum_phase(figures, &sum->phases[i], &parts);
	free(parts.list);
	return rc;
}

/* Combine the figures of load number `load` from all repeats that have it; at
 * least one does. `parts` is only scratch space. */
static int sum_load(const struct parts *figures, size_t load, struct result_load *sum,
		    struct parts *parts)
{
	const struct result_load *own = NULL;
	size_t i;

	parts->count = 0;
	for (i = 0; i < figures->count; i++) {
		const struct result_figures *part = figures->list[i];

		if (load >= part->load_count)
			continue;
		own = &part->loads[load];
		parts->list[parts->count++] = &own->figures;
	}
	if (own == NULL)
		return -EINVAL;
	sum->users = own->users;
	sum->name = strdup(own->name);
	if (sum->name == NULL || sum_figures(parts, &sum->figures) < 0)
		return -ENOMEM;
	return sum_phases(parts, &sum->figures);
}

static int sum_loads(const struct parts *figures, struct result_figures *sum)
{
	struct parts parts = {
		.list = calloc(figures->count, sizeof(*parts.list)),
		.values = figures->values,
	};
	size_t max = 0, i;
	int rc = 0;

	for (i = 0; i < figures->count; i++) {
		const struct result_figures *part = figures->list[i];

		if (part->load_count > max)
			max = part->load_count;
	}
	sum->loads = calloc(max + 1, sizeof(*sum->loads));
	if (parts.list == NULL || sum->loads == NULL)
		rc = -ENOMEM;
	while (sum->load_count < max && rc == 0) {
		i = sum->load_count++;
		rc = sum_load(figures, i, &sum->loads[i], &parts);
	}
	free(parts.list);
	return rc;
}

/* Compute the rate at which operations were due, and the share that ended. */
static void find_due_rates(struct result_figures *figures)
{
	struct result_due *due = &figures->due;

	due->per_s = due->ended_share = NAN;
	if (due->count == 0)
		return;
	due->per_s = figures->seconds > 0 ? (double)due->count / figures->seconds : 0;
	due->ended_share = (double)due->ended / (double)due->count;
}

/* Compute the rates of a repeat's operations, and the parts of its throughput
 * that were read and written. */
static void find_rates(struct result_figures *figures)
{
	double moved[DIRECTIONS] = {0};
	size_t i;

	find_due_rates(figures);
	figures->read_mb_per_s = figures->write_mb_per_s = NAN;
	if (!(figures->seconds > 0))
		return;
	for (i = 0; i < figures->operation_count; i++) {
		struct result_operation *operation = &figures->operations[i];

		operation->mb_per_s = (double)operation->bytes / 1e6 / figures->seconds;
		operation->ops_per_s = (double)operation->count / figures->seconds;
		moved[operation->direction] += operation->mb_per_s;
	}
	if (moved[DIRECTION_NONE] > 0 || moved[DIRECTION_BOTH] > 0)
		return;
	figures->read_mb_per_s = moved[DIRECTION_READ];
	figures->write_mb_per_s = moved[DIRECTION_WRITE];
}

/* Make the rates that find_rates has computed unknown. */
static void hide_rates(struct result_figures *figures)
{
	size_t i;

	figures->read_mb_per_s = figures->write_mb_per_s = NAN;
	for (i = 0; i < figures->operation_count; i++)
		figures->operations[i].mb_per_s = figures->operations[i].ops_per_s = NAN;
}

/* Do the same as find_rates and hide_rates, for these figures and those of each
 * phase and load. */
static void find_all_rates(struct result_figures *figures)
{
	size_t i;

	find_rates(figures);
	for (i = 0; i < figures->phase_count; i++)
		find_rates(&figures->phases[i].figures);
	for (i = 0; i < figures->load_count; i++)
		find_all_rates(&figures->loads[i].figures);
}

static void hide_all_rates(struct result_figures *figures)
{
	size_t i;

	hide_rates(figures);
	for (i = 0; i < figures->phase_count; i++)
		hide_rates(&figures->phases[i].figures);
	for (i = 0; i < figures->load_count; i++)
		hide_all_rates(&figures->loads[i].figures);
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
				? (max - point->mb_per_s_min) / point->figures.mb_per_s
				: 0;
}

/* Collect the reasons why repeats are invalid as reasons of the point. */
static void gather_invalid(struct result_point *point)
{
	size_t i, j;

	for (i = 0; i < point->repeat_count; i++) {
		const struct notices *invalid = &point->repeats[i].invalid;

		for (j = 0; j < invalid->count; j++) {
			struct notice notice = invalid->list[j];

			if (point->repeat_count > 1)
				notice.repeat = (unsigned)i + 1;
			notice_add(&point->invalid, &notice);
		}
	}
}

static int update_point(const struct result_run *all, struct result_point *point)
{
	const struct result_run run = variant_run(all, point->variant);
	struct parts parts = {
		.list = calloc(point->repeat_count, sizeof(*parts.list)),
		.values = calloc(point->repeat_count, sizeof(double)),
	};
	size_t valid = 0, i;
	int rc = -ENOMEM;

	for (i = 0; i < point->repeat_count; i++) {
		schema_round(schema_figures, &point->repeats[i].figures);
		find_all_rates(&point->repeats[i].figures);
		if (!result_repeat_is_valid(&point->repeats[i]))
			hide_all_rates(&point->repeats[i].figures);
		valid += result_repeat_is_valid(&point->repeats[i]);
	}
	result_free_figures(&point->figures);
	notices_free(&point->invalid);
	notices_free(&point->warnings);
	gather_invalid(point);
	if (parts.list != NULL && parts.values != NULL) {
		/* Combine the valid repeats only, or all repeats if none is
		 * valid. */
		for (i = 0; i < point->repeat_count; i++)
			if (valid == 0 || result_repeat_is_valid(&point->repeats[i]))
				parts.list[parts.count++] = &point->repeats[i].figures;
		rc = sum_figures(&parts, &point->figures);
		if (rc == 0)
			rc = sum_loads(&parts, &point->figures);
		if (rc == 0)
			rc = sum_phases(&parts, &point->figures);
	}
	if (!result_is_valid(point))
		hide_all_rates(&point->figures);
	find_spread(point);
	if (rc == 0 && result_is_valid(point))
		warn_of_point(&run, point);
	free(parts.list);
	free(parts.values);
	return rc;
}

/* Is the throughput higher? Loads that move no data have only operations. */
static bool is_faster(const struct result_figures *figures, const struct result_figures *than)
{
	if (figures->mb_per_s == than->mb_per_s)
		return figures->ops_per_s > than->ops_per_s;
	return figures->mb_per_s > than->mb_per_s;
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
		if (before != NULL && before->variant != point->variant)
			before = NULL;
		if (!result_is_valid(point))
			continue;
		if (before != NULL && before->figures.mb_per_s > 0)
			point->gain = mb_per_s / before->figures.mb_per_s - 1;
		if (result->peak == SIZE_MAX ||
		    is_faster(&point->figures, &result->points[result->peak].figures))
			result->peak = i;
		before = point;
	}
}

/* Fit the law to all points, or to those of each variant: it has no term for
 * the values of an axis. */
static int fit_laws(struct result *result)
{
	struct result_run *run = &result->run;
	int rc = 0;
	size_t i;

	if (run->variant_count <= 1)
		return usl_fit(result, &result->usl);
	for (i = 0; i < run->variant_count && rc == 0; i++) {
		const struct result view = variant_result(result, i);

		rc = usl_fit(&view, &run->variants[i].usl);
	}
	return rc;
}

int summary_update(struct result *result)
{
	int rc = 0;
	size_t i;

	for (i = 0; i < result->point_count && rc == 0; i++)
		rc = update_point(&result->run, &result->points[i]);
	compare_points(result);
	result->usl = (struct result_usl){.peak_users = NAN};
	return rc == 0 ? fit_laws(result) : rc;
}
