/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/combine.h"

#include "result/warning.h"

#include <errno.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

double combine_median(double *values, size_t count)
{
	return gsl_stats_median(values, 1, count);
}

/* Set the sums over the operations of a record. Those of a host or a user are known. */
static void add_up(struct record *record)
{
	enum figure figure;
	unsigned i;

	if (record_is_apart(&record->key))
		return;
	for (figure = 0; figure < FIGURES_OF_OPERATIONS; figure++) {
		double sum = 0;

		if (!figures[figure].added)
			continue;
		for (i = 1; i <= record->operations; i++)
			sum += record_count(&record[i], figure);
		record_set(record, figure, sum);
	}
}

/* Set each operation's share of the time of all operations of the record; not
 * all repeats may have it. */
static void share_time(struct record *record)
{
	double all_s = record_value(record, FIGURE_TIME_S) * record->repeats;
	unsigned i;

	for (i = 1; i <= record->operations; i++)
		record_set(&record[i], FIGURE_TIME_SHARE,
			   record_value(&record[i], FIGURE_TIME_S) * record[i].repeats / all_s);
}

/* Set the rates of a record or of one of its operations. */
static void set_rates(struct record *record, double seconds)
{
	record_set(record, FIGURE_MB_PER_S, record_value(record, FIGURE_BYTES) / 1e6 / seconds);
	record_set(record, FIGURE_OPS_PER_S, record_value(record, FIGURE_OPS) / seconds);
}

/* Set the parts of the throughput that were read and written. Leave those of a
 * host or a user as they are, unless its rates are unknown. */
static void set_directions(struct record *record, double seconds)
{
	double moved[DIRECTIONS] = {0};
	unsigned i;

	if (record_is_apart(&record->key) && !isnan(seconds))
		return;
	for (i = 1; i <= record->operations; i++)
		moved[record[i].direction] += record_count(&record[i], FIGURE_BYTES);
	if (moved[DIRECTION_NONE] > 0 || moved[DIRECTION_BOTH] > 0)
		seconds = NAN;
	record_set(record, FIGURE_READ_MB_PER_S, moved[DIRECTION_READ] / 1e6 / seconds);
	record_set(record, FIGURE_WRITE_MB_PER_S, moved[DIRECTION_WRITE] / 1e6 / seconds);
}

/* Return the number of users of a record, or NAN if it does not have that. */
static double users_of(const struct record *record, unsigned users)
{
	if (record->key.host != NULL)
		return record_value(record, FIGURE_HOST_USERS);
	if (record->key.user != NULL)
		return 1;
	if (record->key.load != NULL)
		return record_value(record, FIGURE_LOAD_USERS);
	return users;
}

/* Set the number of operations in flight. In an open-loop replay, the times of
 * the operations are response times. `rated_s` is as for derive(). */
static void set_in_flight(struct record *record, bool is_paced, double users, double rated_s)
{
	double busy_s = is_paced ? record_value(record, FIGURE_SERVICE_MEAN_MS) / 1e3 *
					   record_value(record, FIGURE_SERVICE_COUNT)
				 : record_value(record, FIGURE_TIME_S);
	double in_flight = busy_s / rated_s;

	record_set(record, FIGURE_IN_FLIGHT, in_flight);
	record_set(record, FIGURE_USER_IN_FLIGHT, in_flight / users);
}

/* Set the derived figures of a record and its operations. `rated_s` is the
 * measured time, or NAN if rates are unknown. */
static void derive(struct record *record, unsigned cpus, double rated_s)
{
	double seconds = record_value(record, FIGURE_SECONDS);
	double cpu_s = record_value(record, FIGURE_USER_S) + record_value(record, FIGURE_SYSTEM_S);
	double due = record_value(record, FIGURE_SCHEDULED);
	unsigned i;

	add_up(record);
	share_time(record);
	for (i = 0; i <= record->operations; i++)
		set_rates(&record[i], rated_s);
	set_directions(record, rated_s);
	record_set(record, FIGURE_ITEMS_PER_S, record_value(record, FIGURE_ITEMS) / rated_s);
	record_set(record, FIGURE_CPU_SHARE, cpu_s / (seconds * cpus));
	record_set(record, FIGURE_CPU_PER_OP_US, 1e6 * cpu_s / record_value(record, FIGURE_OPS));
	record_set(record, FIGURE_SCHEDULED_PER_S, due / seconds);
	record_set(record, FIGURE_COMPLETED_SHARE,
		   record_count(record, FIGURE_SCHEDULED_COMPLETED) / due);
}

/* Set the items of a load with phases and the mean time of its loops. */
static void add_phases(const struct records *records, struct record *load)
{
	const struct record *phase = NULL;
	double items = 0, loops = 0;

	while ((phase = records_next_phase(records, load->key.load, phase)) != NULL) {
		items += record_value(phase, FIGURE_ITEMS);
		/* All phases are played in the same loops. */
		loops = record_value(phase, FIGURE_SECONDS) / record_value(phase, FIGURE_ELAPSED_S);
	}
	if (loops == 0)
		return;
	record_set(load, FIGURE_ITEMS, items);
	record_set(load, FIGURE_ELAPSED_S, record_value(load, FIGURE_SECONDS) / loops);
}

void combine_derive(const struct result_run *run, struct result_repeat *repeat)
{
	size_t i;

	for (i = 0; i < repeat->records.count; i++) {
		struct record *record = &repeat->records.list[i];
		double seconds = record_value(record, FIGURE_SECONDS);
		double rated_s = result_repeat_is_valid(repeat) && seconds > 0 ? seconds : NAN;

		if (record->key.operation == NULL && record->key.phase == NULL &&
		    !record_is_apart(&record->key))
			add_phases(&repeat->records, record);
		if (record->key.operation != NULL)
			continue;
		derive(record, result_cpus(run, record->key.host), rated_s);
		set_in_flight(record, run->open_loop, users_of(record, repeat->users), rated_s);
	}
}

/* The repeats to combine. For each, `found` is the record to combine now, or
 * NULL; `parents` is the one whose operations follow. */
struct parts {
	const struct records **list;
	const struct record **found, **parents;
	double *values; /* scratch space */
	size_t count;
};

/* Return the value of a figure in part number `index`. 0 is known there, even if
 * the figure is optional. */
static double value_of(const struct parts *parts, size_t index, enum figure figure)
{
	const struct record *record = parts->found[index];

	if (record == NULL)
		return NAN;
	return figures[figure].optional ? record_count(record, figure)
					: record_value(record, figure);
}

/* Return the median, min, max, sum or mean of a figure's known values, or NAN. */
static double combine(const struct parts *parts, enum figure figure)
{
	double sum = 0, min = INFINITY, max = -INFINITY;
	size_t count = 0, i;

	for (i = 0; i < parts->count; i++) {
		double value = value_of(parts, i, figure);

		if (isnan(value))
			continue;
		parts->values[count++] = value;
		sum += value;
		min = fmin(min, value);
		max = fmax(max, value);
	}
	if (count == 0)
		return NAN;
	switch (figures[figure].combine) {
	case COMBINE_SUM:
		return sum;
	case COMBINE_MEAN:
		return sum / (double)count;
	case COMBINE_MEDIAN:
		return combine_median(parts->values, count);
	case COMBINE_MIN:
		return min;
	case COMBINE_MAX:
		return max;
	case COMBINE_NOT:
		break;
	}
	return NAN;
}

/* Append the combined record of a key that at least one part has. */
static int add_record(const struct parts *parts, const struct record_key *key,
		      struct records *records)
{
	struct record *record = records_add(records, key);
	enum figure figure;
	size_t i;

	if (record == NULL)
		return -ENOMEM;
	record->repeats = 0;
	for (i = 0; i < parts->count; i++) {
		if (parts->found[i] == NULL)
			continue;
		record->direction |= parts->found[i]->direction;
		record->repeats++;
	}
	/* Medians and means are not rounded again. */
	for (figure = 0; figure < record->value_count; figure++) {
		double value = combine(parts, figure);

		record->values[figure] = figures[figure].optional && value == 0 ? NAN : value;
	}
	return 0;
}

/* Find the operation in all parts. Return false if an earlier part than number
 * `from` has it, so that it was combined before. */
static bool find_operation(const struct parts *parts, const char *operation, size_t from)
{
	size_t i;
	unsigned j;

	for (i = 0; i < parts->count; i++) {
		const struct record *parent = parts->parents[i];

		parts->found[i] = NULL;
		for (j = 1; parent != NULL && j <= parent->operations; j++)
			if (parent[j].key.operation == operation)
				parts->found[i] = &parent[j];
		if (i < from && parts->found[i] != NULL)
			return false;
	}
	return true;
}

static int add_operations(const struct parts *parts, struct records *records)
{
	int rc = 0;
	size_t i;
	unsigned j;

	for (i = 0; i < parts->count && rc == 0; i++) {
		const struct record *parent = parts->parents[i];

		for (j = 1; parent != NULL && j <= parent->operations && rc == 0; j++)
			if (find_operation(parts, parent[j].key.operation, i))
				rc = add_record(parts, &parent[j].key, records);
	}
	return rc;
}

/* Combine a record that is not an operation, and its operations, unless an
 * earlier part than number `from` has it. */
static int add_parent(const struct parts *parts, const struct record_key *key, size_t from,
		      struct records *records)
{
	size_t at = records->count, i;
	int rc;

	for (i = 0; i < parts->count; i++) {
		parts->found[i] = parts->parents[i] = records_find(parts->list[i], key);
		if (i < from && parts->found[i] != NULL)
			return 0;
	}
	rc = add_record(parts, key, records);
	if (rc == 0)
		rc = add_operations(parts, records);
	if (rc == 0)
		share_time(&records->list[at]);
	return rc;
}

/* Combine all records of a load, or of all loads together (NULL), but not those
 * of hosts and users. */
static int add_load(const struct parts *parts, const char *load, struct records *records)
{
	size_t i, j;
	int rc = 0;

	for (i = 0; i < parts->count && rc == 0; i++) {
		const struct records *part = parts->list[i];

		for (j = 0; j < part->count && rc == 0; j += 1 + part->list[j].operations)
			if (part->list[j].key.load == load && !record_is_apart(&part->list[j].key))
				rc = add_parent(parts, &part->list[j].key, i, records);
	}
	return rc;
}

static int add_loads(const struct parts *parts, struct records *records)
{
	int rc = add_load(parts, NULL, records);
	size_t i;

	for (i = 0; i < parts->count && rc == 0; i++) {
		const struct record *load = NULL;

		while (rc == 0 && (load = records_next_load(parts->list[i], load)) != NULL)
			if (records_find(records, &load->key) == NULL)
				rc = add_load(parts, load->key.load, records);
	}
	return rc;
}

/* Combine the records of hosts, or those of users. Each part has all users up to some
 * number, so that they stay in order. */
static int add_apart(const struct parts *parts, bool of_users, struct records *records)
{
	size_t i, j;
	int rc = 0;

	for (i = 0; i < parts->count && rc == 0; i++) {
		const struct records *part = parts->list[i];

		for (j = 0; j < part->count && rc == 0; j += 1 + part->list[j].operations)
			if (record_is_apart(&part->list[j].key) &&
			    (part->list[j].key.user != NULL) == of_users)
				rc = add_parent(parts, &part->list[j].key, i, records);
	}
	return rc;
}

/* Let the rates of a point that is invalid be unknown. */
static void hide_rates(struct records *records)
{
	size_t i;

	for (i = 0; i < records->count; i++) {
		record_set(&records->list[i], FIGURE_MB_PER_S, NAN);
		record_set(&records->list[i], FIGURE_OPS_PER_S, NAN);
		record_set(&records->list[i], FIGURE_ITEMS_PER_S, NAN);
		record_set(&records->list[i], FIGURE_READ_MB_PER_S, NAN);
		record_set(&records->list[i], FIGURE_WRITE_MB_PER_S, NAN);
	}
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

static size_t count_valid(const struct result_point *point)
{
	size_t valid = 0, i;

	for (i = 0; i < point->repeat_count; i++)
		valid += result_repeat_is_valid(&point->repeats[i]);
	return valid;
}

int combine_point(const struct result_run *run, struct result_point *point)
{
	size_t count = point->repeat_count, valid = count_valid(point), i;
	struct parts parts = {
		.list = calloc(count, sizeof(*parts.list)),
		.found = calloc(count, sizeof(*parts.found)),
		.parents = calloc(count, sizeof(*parts.parents)),
		.values = calloc(count, sizeof(*parts.values)),
	};
	int rc = -ENOMEM;

	records_free(&point->records);
	notices_free(&point->invalid);
	notices_free(&point->warnings);
	gather_invalid(point);
	if (parts.list != NULL && parts.found != NULL && parts.parents != NULL &&
	    parts.values != NULL) {
		for (i = 0; i < count; i++)
			if (valid == 0 || result_repeat_is_valid(&point->repeats[i]))
				parts.list[parts.count++] = &point->repeats[i].records;
		rc = add_loads(&parts, &point->records);
		if (rc == 0)
			rc = add_apart(&parts, false, &point->records);
		if (rc == 0)
			rc = add_apart(&parts, true, &point->records);
	}
	if (!result_is_valid(point))
		hide_rates(&point->records);
	else if (rc == 0)
		warn_of_point(run, point);
	free(parts.list);
	free(parts.found);
	free(parts.parents);
	free(parts.values);
	return rc;
}

struct combine_range combine_range_of(const struct result_point *point, const struct record *record,
				      enum figure figure)
{
	struct combine_range range = {0, NAN, NAN, NAN};
	double median = record_value(record, figure);
	size_t i;

	for (i = 0; i < point->repeat_count; i++) {
		const struct result_repeat *repeat = &point->repeats[i];
		const struct record *found = records_find(&repeat->records, &record->key);
		double value = found != NULL ? record_value(found, figure) : NAN;

		if (!result_repeat_is_valid(repeat) || isnan(value))
			continue;
		range.count++;
		range.min = fmin(range.min, value);
		range.max = fmax(range.max, value);
	}
	/* Most repeats may have moved no bytes, but not all. */
	if (median > 0)
		range.spread = (range.max - range.min) / median;
	return range;
}

struct combine_range combine_range(const struct result_point *point, enum figure figure)
{
	return combine_range_of(point, records_total(&point->records), figure);
}

enum figure combine_throughput(const struct record *total)
{
	return record_count(total, FIGURE_BYTES) > 0 ? FIGURE_MB_PER_S : FIGURE_OPS_PER_S;
}

struct combine_sample combine_sample(const struct result_sample *sample)
{
	struct combine_sample combined = {NAN, NAN};
	double sum = 0;
	size_t known = 0, i;

	for (i = 0; i < sample->value_count; i++) {
		if (isnan(sample->values[i]))
			continue;
		sum += sample->values[i];
		known++;
		combined.max = fmax(combined.max, sample->values[i]);
	}
	if (known > 0)
		combined.mean = sum / (double)known;
	return combined;
}

struct combine_sample combine_samples(const struct result_point *point, size_t index)
{
	struct combine_sample combined = {NAN, NAN};
	double sum = 0;
	size_t known = 0, i;

	for (i = 0; i < point->repeat_count; i++) {
		const struct result_repeat *repeat = &point->repeats[i];
		struct combine_sample one;

		if (!result_repeat_is_valid(repeat) || index >= repeat->sample_count)
			continue;
		one = combine_sample(&repeat->samples[index]);
		if (isnan(one.mean))
			continue;
		sum += one.mean;
		known++;
		combined.max = fmax(combined.max, one.max);
	}
	if (known > 0)
		combined.mean = sum / (double)known;
	return combined;
}

double combine_gain(const struct result *result, const struct result_point *point)
{
	const struct record *total = records_total(&point->records);
	const struct result_point *before = point;
	enum figure rate = combine_throughput(total);
	double gain;

	do {
		if (before == result->points || before[-1].variant != point->variant)
			return NAN;
		before--;
	} while (!result_is_valid(before));
	gain = record_value(total, rate) / record_value(records_total(&before->records), rate) - 1;
	return result_is_valid(point) && isfinite(gain) ? gain : NAN;
}
