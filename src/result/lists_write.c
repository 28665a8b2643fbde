/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/lists.h"

#include "result/combine.h"
#include "result/variant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Greater numbers are not exact, and may not fit into an integer. */
#define WHOLE_MAX 9e15

const char *const lists_directions[] = {
	[DIRECTION_NONE] = "none",
	[DIRECTION_READ] = "read",
	[DIRECTION_WRITE] = "write",
	[DIRECTION_BOTH] = "both",
	NULL,
};

char *lists_axis_key(const struct result_axis *axis, char text[LISTS_KEY])
{
	snprintf(text, LISTS_KEY, "set_%s", axis->name);
	return text;
}

/* Return a whole number without a decimal point. */
static json_t *number_json(double number)
{
	return number == floor(number) && fabs(number) <= WHOLE_MAX
		       ? json_integer((json_int_t)number)
		       : json_real(number);
}

/* Return a row with the keys of a point; or of a repeat, whose number is not
 * 0. */
static json_t *row_of(const struct result *result, const struct result_point *point, size_t repeat)
{
	json_t *row = json_object();
	char key[LISTS_KEY];
	size_t i;

	json_object_set_new(row, "users", json_integer(point->users));
	for (i = 0; i < result->run.axis_count; i++) {
		double number = variant_number(&result->run, point->variant, i);

		lists_axis_key(&result->run.axes[i], key);
		if (isnan(number))
			json_object_set_new(
				row, key,
				json_of_text(variant_value(&result->run, point->variant, i)));
		else
			json_object_set_new(row, key, number_json(number));
	}
	if (repeat > 0)
		json_object_set_new(row, "repeat", json_integer((json_int_t)repeat));
	return row;
}

static void set_key(json_t *row, const struct record_key *key)
{
	char scope[RECORD_SCOPE];

	json_object_set_new(row, "scope", json_string(record_scope(key, scope)));
	json_object_set_new(row, "host", json_of_text(key->host));
	json_object_set_new(row, "load", json_of_text(key->load));
	if (key->user != NULL)
		json_object_set_new(row, "user", json_integer(record_user(key)));
	json_object_set_new(row, "phase", json_of_text(key->phase));
	json_object_set_new(row, "operation", json_of_text(key->operation));
}

/* Add the known values of a record. */
static void set_values(json_t *row, const struct record *record)
{
	enum figure figure;

	if (record->direction != DIRECTION_NONE)
		json_object_set_new(row, "direction",
				    json_string(lists_directions[record->direction]));
	for (figure = 0; figure < record->value_count; figure++) {
		double value = record->values[figure];
		bool counts = figures[figure].form == FORM_COUNT ||
			      figures[figure].form == FORM_BYTES;

		if (!isnan(value))
			json_object_set_new(row, figures[figure].name,
					    counts ? number_json(value) : json_real(value));
	}
}

void lists_print_figures(const void *record, struct json_list *list)
{
	static const char *const combines[] = {
		[COMBINE_NOT] = "derived",   [COMBINE_SUM] = "sum", [COMBINE_MEAN] = "mean",
		[COMBINE_MEDIAN] = "median", [COMBINE_MIN] = "min", [COMBINE_MAX] = "max",
	};
	enum figure figure;

	(void)record;
	for (figure = 0; figure < FIGURES; figure++) {
		const struct figure_info *info = &figures[figure];

		json_list_add(list, json_pack("{ss ss ss* ss}", "name", info->name, "unit",
					      figure_unit(figure), "better",
					      info->heading == NULL  ? NULL
					      : info->more_is_better ? "more"
								     : "less",
					      "combine", combines[info->combine]));
	}
}

/* Call `print` for each repeat of each point. */
static void each_repeat(const struct result *result, struct json_list *list,
			void (*print)(const struct result *result, const struct result_point *point,
				      size_t repeat, struct json_list *list))
{
	size_t i, j;

	for (i = 0; i < result->point_count; i++)
		for (j = 0; j < result->points[i].repeat_count; j++)
			print(result, &result->points[i], j, list);
}

static void print_measurement(const struct result *result, const struct result_point *point,
			      size_t repeat, struct json_list *list)
{
	json_t *row = row_of(result, point, repeat + 1);

	json_set_rows(row, schema_measurement, &point->repeats[repeat], true);
	json_list_add(list, row);
}

void lists_print_measurements(const void *record, struct json_list *list)
{
	each_repeat(record, list, print_measurement);
}

static void print_record(json_t *row, const struct record *record, bool valid,
			 struct json_list *list)
{
	set_key(row, &record->key);
	json_object_set_new(row, "valid", json_boolean(valid));
	set_values(row, record);
	json_list_add(list, row);
}

static void print_repeat(const struct result *result, const struct result_point *point,
			 size_t repeat, struct json_list *list)
{
	const struct result_repeat *from = &point->repeats[repeat];
	size_t i;

	for (i = 0; i < from->records.count; i++)
		print_record(row_of(result, point, repeat + 1), &from->records.list[i],
			     result_repeat_is_valid(from), list);
}

void lists_print_records(const void *record, struct json_list *list)
{
	each_repeat(record, list, print_repeat);
}

/* Add what is known of a point as a whole. */
static void set_point(json_t *row, const struct result *result, const struct result_point *point)
{
	struct combine_range range = combine_range(point, FIGURE_MB_PER_S);
	enum figure rate = combine_throughput(records_total(&point->records));
	double spread = combine_range(point, rate).spread;
	double gain = combine_gain(result, point);

	if (result_is_valid(point) && !isnan(range.min)) {
		json_object_set_new(row, "mb_per_s_min", json_real(range.min));
		json_object_set_new(row, "mb_per_s_max", json_real(range.max));
	}
	if (!isnan(spread))
		json_object_set_new(row, "spread", json_real(record_round(rate, spread)));
	if (!isnan(gain))
		json_object_set_new(row, "gain", json_real(record_round(rate, gain)));
	json_set_rows(row, schema_point, point, true);
}

void lists_print_points(const void *record, struct json_list *list)
{
	const struct result *result = record;
	size_t i, j;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		for (j = 0; j < point->records.count; j++) {
			json_t *row = row_of(result, point, 0);

			json_object_set_new(row, "repeats",
					    json_integer(point->records.list[j].repeats));
			if (j == 0)
				set_point(row, result, point);
			print_record(row, &point->records.list[j], result_is_valid(point), list);
		}
	}
}

static void print_seconds(const struct result *result, const struct result_point *point,
			  size_t repeat, struct json_list *list)
{
	const struct result_repeat *from = &point->repeats[repeat];
	json_t *row;

	if (from->second_count == 0)
		return;
	row = row_of(result, point, repeat + 1);
	json_set_rows(row, schema_series, from, result_repeat_is_valid(from));
	json_list_add(list, row);
}

void lists_print_series(const void *record, struct json_list *list)
{
	each_repeat(record, list, print_seconds);
}

/* Add the mean and the maximum, unless no value is known. */
static void set_sample(json_t *row, const char *name, const struct combine_sample *sample)
{
	json_object_set_new(row, "name", json_of_text(name));
	if (isnan(sample->mean))
		return;
	json_object_set_new(row, "mean", json_real(sample->mean));
	json_object_set_new(row, "max", json_real(sample->max));
}

static void print_samples(const struct result *result, const struct result_point *point,
			  size_t repeat, struct json_list *list)
{
	const struct result_repeat *from = &point->repeats[repeat];
	size_t i, j;

	for (i = 0; i < from->sample_count; i++) {
		const struct result_sample *sample = &from->samples[i];
		const struct combine_sample combined = combine_sample(sample);
		json_t *row = row_of(result, point, repeat + 1);
		json_t *values = json_array();

		set_sample(row, result->run.samples[i].name, &combined);
		for (j = 0; j < sample->value_count; j++)
			json_array_append_new(values, isnan(sample->values[j])
							      ? json_null()
							      : json_real(sample->values[j]));
		json_object_set_new(row, "values", values);
		json_list_add(list, row);
	}
}

void lists_print_samples(const void *record, struct json_list *list)
{
	each_repeat(record, list, print_samples);
}

void lists_print_sample_points(const void *record, struct json_list *list)
{
	const struct result *result = record;
	size_t i, j;

	for (i = 0; i < result->point_count; i++) {
		for (j = 0; j < result->run.sample_count; j++) {
			const struct result_point *point = &result->points[i];
			const struct combine_sample combined = combine_samples(point, j);
			json_t *row = row_of(result, point, 0);

			set_sample(row, result->run.samples[j].name, &combined);
			json_list_add(list, row);
		}
	}
}

static void print_histograms(const struct result *result, const struct result_point *point,
			     size_t repeat, struct json_list *list)
{
	const struct result_repeat *from = &point->repeats[repeat];
	size_t i;

	for (i = 0; i < from->histogram_count; i++) {
		const struct result_histogram *histogram = &from->histograms[i];
		json_t *row = row_of(result, point, repeat + 1);

		set_key(row, &histogram->key);
		json_object_set_new(row, "of", json_of_text(histogram->of));
		json_set_rows(row, schema_histogram, histogram, true);
		json_list_add(list, row);
	}
}

void lists_print_histograms(const void *record, struct json_list *list)
{
	each_repeat(record, list, print_histograms);
}

static void print_differences(const struct result *result, const struct result_point *point,
			      size_t repeat, struct json_list *list)
{
	const struct result_repeat *from = &point->repeats[repeat];
	size_t i;

	for (i = 0; i < from->difference_count; i++) {
		json_t *row = row_of(result, point, repeat + 1);

		json_set_rows(row, schema_difference, &from->differences[i], true);
		json_list_add(list, row);
	}
}

void lists_print_differences(const void *record, struct json_list *list)
{
	each_repeat(record, list, print_differences);
}

void lists_print_rates(const void *record, struct json_list *list)
{
	const struct result *result = record;
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		json_t *row;

		if (result->points[i].found_rate == NULL)
			continue;
		row = row_of(result, &result->points[i], 0);
		json_set_rows(row, schema_rate, result->points[i].found_rate, true);
		json_list_add(list, row);
	}
}

void lists_print_tries(const void *record, struct json_list *list)
{
	const struct result *result = record;
	size_t i, j;

	for (i = 0; i < result->point_count; i++) {
		const struct result_found_rate *found = result->points[i].found_rate;

		for (j = 0; found != NULL && j < found->step_count; j++) {
			json_t *row = row_of(result, &result->points[i], 0);

			json_set_rows(row, schema_try, &found->steps[j], true);
			json_list_add(list, row);
		}
	}
}
