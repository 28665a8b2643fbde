/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/lists.h"

#include "base/array.h"
#include "base/units.h"
#include "result/check.h"
#include "result/read.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The greatest count that a double holds exactly. */
#define COUNT_MAX ((UINT64_C(1) << 53) - 1)
#define VALUE_MAX 1e15

/* Bounds of samples: their values, and the number of seconds. */
#define SAMPLE_MAX 1e18
enum { SECONDS_MAX = 10 * 1000 * 1000 };

/* Check if what was found is a value of an axis: the same text, or the number
 * that it is. */
static bool is_value(const json_t *found, const struct result_axis *axis, size_t index)
{
	if (json_is_string(found))
		return strcmp(json_string_value(found), axis->values[index]) == 0;
	return json_is_number(found) && axis->numbers != NULL &&
	       json_number_value(found) == axis->numbers[index];
}

/* Return the variant with the values of the row. */
static size_t read_variant(const struct json_cursor *row, const struct result_run *run)
{
	size_t variant = 0, i, j;
	char key[LISTS_KEY];

	for (i = 0; i < run->axis_count; i++) {
		const struct result_axis *axis = &run->axes[i];
		struct json_cursor value = json_cursor_member(row, lists_axis_key(axis, key));

		for (j = 0; j < axis->value_count; j++)
			if (is_value(value.value, axis, j))
				break;
		if (j == axis->value_count)
			json_cursor_refuse(&value, "a value of \"%s\" in the \"sweep\" of the run",
					   axis->name);
		variant = variant * axis->value_count + j;
	}
	return variant;
}

static unsigned read_users(const struct json_cursor *row)
{
	struct json_cursor users = json_cursor_member(row, "users");

	return (unsigned)json_cursor_count(&users, 1, UINT_MAX);
}

/* Return the point that a row belongs to, or NULL after an error. */
static struct result_point *read_point(const struct json_cursor *row, const struct result *result)
{
	size_t variant = read_variant(row, &result->run);
	unsigned users = read_users(row);
	struct result_point *point = NULL;

	if (row->error->set)
		return NULL;
	point = result_find_point(result, variant, users);
	if (point == NULL)
		json_cursor_refuse(row, "a row about a point that has a row in \"measurements\"");
	return point;
}

/* Return the repeat that a row belongs to, or NULL after an error. */
static struct result_repeat *read_repeat(const struct json_cursor *row, const struct result *result)
{
	struct result_point *point = read_point(row, result);
	struct json_cursor number = json_cursor_member(row, "repeat");
	size_t repeat = json_cursor_count(&number, 1, point != NULL ? point->repeat_count : 1);

	return point != NULL && !row->error->set ? &point->repeats[repeat - 1] : NULL;
}

static void read_measurement(void *context, const struct json_cursor *row)
{
	struct result *result = context;
	size_t variant = read_variant(row, &result->run);
	unsigned users = read_users(row);
	struct json_cursor number = json_cursor_member(row, "repeat");
	const struct result_point *point;
	struct result_repeat *repeat;

	if (row->error->set)
		return;
	point = result_find_point(result, variant, users);
	if (point == NULL && result->point_count == CHECK_POINTS_MAX)
		json_cursor_refuse(row, "at most %d points", CHECK_POINTS_MAX);
	json_cursor_count(&number, point != NULL ? point->repeat_count + 1 : 1,
			  point != NULL ? point->repeat_count + 1 : 1);
	repeat = row->error->set ? NULL : result_add_repeat(result, variant, users);
	if (repeat == NULL && !row->error->set)
		error_no_memory(row->error);
	if (row->error->set)
		return;
	read_members(row, schema_measurement, repeat, true);
	result->run.measured++;
}

void lists_read_measurements(const struct json_cursor *list, void *record)
{
	json_cursor_each(list, CHECK_MEASUREMENTS_MAX, read_measurement, record);
}

/* Return a text of a row, as the result's names have it; NULL if there is
 * none. */
static const char *read_name(const struct json_cursor *row, const char *key, struct result *result)
{
	struct json_cursor text = json_cursor_member(row, key);
	const char *name = NULL;

	if (text.value == NULL)
		return NULL;
	if (!json_is_string(text.value) || json_string_length(text.value) == 0) {
		json_cursor_refuse(&text, "a text");
		return NULL;
	}
	name = record_name(&result->names, json_string_value(text.value));
	if (name == NULL)
		error_no_memory(row->error);
	return name;
}

/* Return the number of a user, as the result's names have it; NULL if there is
 * none. */
static const char *read_user(const struct json_cursor *row, struct result *result)
{
	struct json_cursor user = json_cursor_member(row, "user");
	const char *name = NULL;
	char text[16];

	if (user.value == NULL)
		return NULL;
	snprintf(text, sizeof(text), "%u", (unsigned)json_cursor_count(&user, 0, UINT_MAX));
	if (!row->error->set && (name = record_name(&result->names, text)) == NULL)
		error_no_memory(row->error);
	return name;
}

static struct record_key read_key(const struct json_cursor *row, struct result *result)
{
	struct json_cursor scope = json_cursor_member(row, "scope");
	const struct record_key key = {
		.host = read_name(row, "host", result),
		.load = read_name(row, "load", result),
		.user = read_user(row, result),
		.phase = read_name(row, "phase", result),
		.operation = read_name(row, "operation", result),
	};
	const char *found = json_string_value(scope.value);
	char text[RECORD_SCOPE];

	record_scope(&key, text);
	if (found == NULL || strcmp(found, text) != 0)
		json_cursor_refuse(&scope, "\"%s\", because of the names in the row", text);
	return key;
}

/* Check if a figure is computed from others in the file. It has no operations of
 * hosts and users, so it has the figures that are computed from these. */
static bool is_computed(const struct record *record, enum figure figure)
{
	bool from_operations = figures[figure].added || figure == FIGURE_READ_MB_PER_S ||
			       figure == FIGURE_WRITE_MB_PER_S;

	if (from_operations && record_is_apart(&record->key))
		return false;
	return figures[figure].derived || (figures[figure].added && record->key.operation == NULL);
}

/* Read the value of a figure, if the row has it, and it is not computed from
 * others. */
static void read_value(const struct json_cursor *row, struct record *record, enum figure figure)
{
	const struct figure_info *info = &figures[figure];
	struct json_cursor value = json_cursor_member(row, info->name);
	bool whole = info->form == FORM_COUNT || info->form == FORM_BYTES;
	double number;

	if (value.value == NULL || is_computed(record, figure))
		return;
	number = json_cursor_real(&value, 0, whole ? (double)COUNT_MAX : VALUE_MAX);
	if (whole && number != floor(number))
		json_cursor_refuse(&value, "a whole number");
	record_set(record, figure, number);
}

/* Return the last record that is not an operation, or NULL. */
static const struct record *last_parent(const struct records *records)
{
	size_t i = records->count;

	while (i > 0 && records->list[i - 1].key.operation != NULL)
		i--;
	return i > 0 ? &records->list[i - 1] : NULL;
}

/* Check if there is a row with this key already; `parent` is the last one that is
 * not an operation. Equal names are at the same address. If the key is not that
 * of an operation, set *parts to the number of such rows. */
static bool is_there(const struct records *records, const struct record *parent,
		     const struct record_key *key, size_t *parts)
{
	size_t i;

	*parts = 0;
	for (i = 1; key->operation != NULL && i <= parent->operations; i++)
		if (parent[i].key.operation == key->operation)
			return true;
	for (i = 0; key->operation == NULL && i < records->count;
	     i += 1 + records->list[i].operations) {
		if (memcmp(&records->list[i].key, key, sizeof(*key)) == 0)
			return true;
		++*parts;
	}
	return false;
}

/* Check that the row of a user can follow the others. Users come last, in order,
 * without their operations. */
static void check_user(const struct json_cursor *row, const struct result_repeat *repeat,
		       const struct record_key *key)
{
	const struct records *records = &repeat->records;
	const int64_t next = record_user(&records->list[records->count - 1].key) + 1;

	if (key->phase != NULL || key->operation != NULL)
		json_cursor_refuse(row,
				   "a row of a user that has neither a phase nor an operation");
	else if (record_user(key) != next)
		json_cursor_refuse(row, "the row of user %lld next", (long long)next);
	else if (next >= repeat->users)
		json_cursor_refuse(row, "at most %u %s", repeat->users,
				   units_plural(repeat->users, "user", "users"));
}

/* Check that the row of a host can follow the others: hosts come in the order of the run,
 * before users, without their operations. */
static void check_host(const struct json_cursor *row, const struct result_run *run,
		       const struct records *records, const struct record_key *key)
{
	const struct record_key *before = &records->list[records->count - 1].key;
	const struct result_host *host = result_find_host(run, key->host);

	if (key->load != NULL || key->user != NULL || key->phase != NULL || key->operation != NULL)
		json_cursor_refuse(row,
				   "a row of a host that has no load, user, phase or operation");
	else if (before->user != NULL)
		json_cursor_refuse(row, "the rows of users after all other rows");
	else if (host == NULL ||
		 (before->host != NULL && host <= result_find_host(run, before->host)))
		json_cursor_refuse(row, "the rows of hosts in the order of \"run.hosts\"");
}

/* Check that a record with this key can follow the others. */
static bool check_place(const struct json_cursor *row, const struct result_run *run,
			const struct result_repeat *repeat, const struct record_key *key)
{
	const struct records *records = &repeat->records;
	const struct record *parent = last_parent(records);
	struct record_key of = *key;
	char scope[RECORD_SCOPE];
	size_t parts;

	of.operation = NULL;
	if (records->count == 0 && strcmp(record_scope(key, scope), "total") != 0)
		json_cursor_refuse(row, "the row of scope \"total\" before all other rows");
	else if (key->host != NULL)
		check_host(row, run, records, key);
	else if (key->user != NULL)
		check_user(row, repeat, key);
	else if (parent != NULL && record_is_apart(&parent->key))
		json_cursor_refuse(row, "the rows of %s after all other rows",
				   parent->key.user != NULL ? "users" : "hosts");
	else if (key->operation != NULL && !record_same_key(&parent->key, &of))
		json_cursor_refuse(row, "the row of an operation after the row of its phase, its "
					"load or the total");
	else if (is_there(records, parent, key, &parts))
		json_cursor_refuse(row, "only one row with these names");
	else if (key->operation != NULL && parent->operations == CHECK_OPERATIONS_MAX)
		json_cursor_refuse(row, "at most %d operations", CHECK_OPERATIONS_MAX);
	else if (parts == CHECK_PARTS_MAX)
		json_cursor_refuse(row, "at most %d loads and phases", CHECK_PARTS_MAX);
	return !row->error->set;
}

static void read_record(void *context, const struct json_cursor *row)
{
	struct result *result = context;
	struct result_repeat *repeat = read_repeat(row, result);
	struct json_cursor direction = json_cursor_member(row, "direction");
	struct record_key key;
	struct record *record;
	enum figure figure;

	if (repeat == NULL)
		return;
	key = read_key(row, result);
	if (row->error->set || !check_place(row, &result->run, repeat, &key))
		return;
	record = records_add(&repeat->records, &key);
	if (record == NULL) {
		error_no_memory(row->error);
		return;
	}
	if (direction.value != NULL)
		record->direction = (enum direction)json_cursor_word(&direction, lists_directions);
	for (figure = 0; figure < record->value_count && !row->error->set; figure++)
		read_value(row, record, figure);
}

/* Check that the hosts of a measurement, if it has any, have all its users. An invalid
 * one may lack hosts. */
static void check_host_users(const struct json_cursor *list, const struct result_repeat *repeat)
{
	const struct record *host = NULL;
	double users = 0;

	while ((host = records_next_host(&repeat->records, host)) != NULL)
		users += record_count(host, FIGURE_HOST_USERS);
	if (records_next_host(&repeat->records, NULL) != NULL && result_repeat_is_valid(repeat) &&
	    users != repeat->users)
		json_cursor_refuse(list, "rows of hosts whose users add up to %u", repeat->users);
}

/* Check that a measurement of a point has rows, and those of each load of the
 * run. An invalid one may have no loads, or, if memory was short, no rows. */
static void check_rows(const struct json_cursor *list, const struct result_run *run,
		       const struct result_point *point, const struct result_repeat *repeat)
{
	const struct record *load = NULL;
	size_t loads = run->variants[point->variant].load_count, count = 0;
	double users = 0;

	if (repeat->records.count == 0 && result_repeat_is_valid(repeat))
		json_cursor_refuse(list, "at least one row for each measurement");
	while ((load = records_next_load(&repeat->records, load)) != NULL) {
		count++;
		users += record_count(load, FIGURE_LOAD_USERS);
	}
	/* A single load has no rows of its own. */
	loads = loads > 1 ? loads : 0;
	if (count == 0 && (loads == 0 || !result_repeat_is_valid(repeat)))
		return;
	if (count != loads || users != point->users)
		json_cursor_refuse(list, "rows of %zu loads whose users add up to %u", loads,
				   point->users);
}

void lists_read_records(const struct json_cursor *list, void *record)
{
	struct result *result = record;
	size_t i, j;

	json_cursor_each(list, SIZE_MAX, read_record, result);
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		for (j = 0; j < point->repeat_count; j++) {
			check_rows(list, &result->run, point, &point->repeats[j]);
			check_host_users(list, &point->repeats[j]);
		}
	}
}

static void read_seconds(void *context, const struct json_cursor *row)
{
	struct result *result = context;
	struct result_repeat *repeat = read_repeat(row, result);

	if (repeat != NULL && repeat->second_count > 0)
		json_cursor_refuse(row, "only one row per repeat");
	else if (repeat != NULL)
		read_members(row, schema_series, repeat, result_repeat_is_valid(repeat));
}

void lists_read_series(const struct json_cursor *list, void *record)
{
	json_cursor_each(list, SIZE_MAX, read_seconds, record);
}

/* Read the values of a sample. */
static void read_values(const struct json_cursor *row, struct result_sample *sample)
{
	const struct json_cursor list = json_cursor_member(row, "values");
	size_t count = json_cursor_list(&list, 0, SECONDS_MAX), i;

	if (row->error->set)
		return;
	sample->values = calloc(count + 1, sizeof(*sample->values));
	if (sample->values == NULL) {
		error_no_memory(row->error);
		return;
	}
	sample->value_count = count;
	for (i = 0; i < count && !row->error->set; i++) {
		const struct json_cursor value = json_cursor_element(&list, i);

		sample->values[i] = json_is_null(value.value)
					    ? NAN
					    : json_cursor_real(&value, -SAMPLE_MAX, SAMPLE_MAX);
	}
}

static void read_sample(void *context, const struct json_cursor *row)
{
	struct result *result = context;
	struct result_repeat *repeat = read_repeat(row, result);
	const struct json_cursor name = json_cursor_member(row, "name");
	const char *text = json_string_value(name.value);
	size_t index = text != NULL ? result_find_sample(&result->run, text)
				    : result->run.sample_count;

	if (index == result->run.sample_count)
		json_cursor_refuse(&name, "the name of a command in \"run.plan.samples\"");
	if (repeat == NULL || row->error->set)
		return;
	if (repeat->samples == NULL) {
		repeat->samples = calloc(result->run.sample_count, sizeof(*repeat->samples));
		if (repeat->samples == NULL) {
			error_no_memory(row->error);
			return;
		}
		repeat->sample_count = result->run.sample_count;
	}
	if (repeat->samples[index].values != NULL)
		json_cursor_refuse(row, "only one row per repeat and command");
	else
		read_values(row, &repeat->samples[index]);
}

void lists_read_samples(const struct json_cursor *list, void *record)
{
	json_cursor_each(list, SIZE_MAX, read_sample, record);
}

static void read_histogram(void *context, const struct json_cursor *row)
{
	struct result *result = context;
	struct result_repeat *repeat = read_repeat(row, result);
	struct json_cursor of = json_cursor_member(row, "of");
	struct result_histogram histogram = {0};

	if (of.value == NULL)
		json_cursor_refuse(&of, "a text");
	if (repeat == NULL)
		return;
	histogram.key = read_key(row, result);
	histogram.of = read_name(row, "of", result);
	read_members(row, schema_histogram, &histogram, true);
	if (!row->error->set && array_append(&repeat->histograms, &repeat->histogram_count,
					     &histogram, sizeof(histogram)) == 0)
		return;
	schema_free(schema_histogram, &histogram);
	error_no_memory(row->error);
}

void lists_read_histograms(const struct json_cursor *list, void *record)
{
	json_cursor_each(list, SIZE_MAX, read_histogram, record);
}

static void read_difference(void *context, const struct json_cursor *row)
{
	struct result *result = context;
	struct result_repeat *repeat = read_repeat(row, result);
	struct result_difference difference = {0};

	if (repeat == NULL)
		return;
	if (repeat->difference_count == CHECK_DIFFERENCES_MAX)
		json_cursor_refuse(row, "at most %d differences", CHECK_DIFFERENCES_MAX);
	read_members(row, schema_difference, &difference, true);
	if (!row->error->set && array_append(&repeat->differences, &repeat->difference_count,
					     &difference, sizeof(difference)) == 0)
		return;
	schema_free(schema_difference, &difference);
	error_no_memory(row->error);
}

void lists_read_differences(const struct json_cursor *list, void *record)
{
	json_cursor_each(list, SIZE_MAX, read_difference, record);
}

static void read_rate(void *context, const struct json_cursor *row)
{
	struct result *result = context;
	struct result_point *point = read_point(row, result);

	if (point == NULL)
		return;
	if (point->found_rate != NULL) {
		json_cursor_refuse(row, "only one row per point");
		return;
	}
	point->found_rate = calloc(1, sizeof(*point->found_rate));
	if (point->found_rate == NULL)
		error_no_memory(row->error);
	else
		read_members(row, schema_rate, point->found_rate, true);
}

void lists_read_rates(const struct json_cursor *list, void *record)
{
	json_cursor_each(list, CHECK_POINTS_MAX, read_rate, record);
}

static void read_try(void *context, const struct json_cursor *row)
{
	struct result *result = context;
	struct result_point *point = read_point(row, result);
	struct result_rate_step step = {0};

	if (point == NULL)
		return;
	if (point->found_rate == NULL) {
		json_cursor_refuse(row, "a row about a point that has a rate in \"answers\"");
		return;
	}
	read_members(row, schema_try, &step, true);
	if (!row->error->set &&
	    array_append(&point->found_rate->steps, &point->found_rate->step_count, &step,
			 sizeof(step)) == 0)
		return;
	schema_free(schema_try, &step);
	error_no_memory(row->error);
}

void lists_read_tries(const struct json_cursor *list, void *record)
{
	json_cursor_each(list, SIZE_MAX, read_try, record);
}
