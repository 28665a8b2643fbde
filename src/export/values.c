/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/values.h"

#include "doc/escape.h"
#include "result/combine.h"
#include "result/variant.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Max length of a name, and the length of the hash at the end of one that was
 * cut. */
enum { NAME_BYTES = 1024, HASH_BYTES = 17 };

/* Digits of numbers: more would be noise. */
enum { DIGITS = 15 };

static const struct metric usual[] = {
	{.figure = FIGURE_MB_PER_S},
	{.figure = FIGURE_OPS_PER_S},
	{.figure = FIGURE_P50_MS},
	{.figure = FIGURE_P99_MS},
};

int values_parse(const char *list, struct metric **metrics, size_t *count, struct error *error)
{
	const char *item = list;
	size_t commas = 0;

	for (; *item != '\0'; item++)
		commas += *item == ',';
	*count = 0;
	*metrics = calloc(commas + 1, sizeof(**metrics));
	if (*metrics == NULL)
		return error_no_memory(error);
	for (item = list; *count <= commas; item += strcspn(item, ",") + 1) {
		int rc = metric_parse(item, strcspn(item, ","), "--figures", &(*metrics)[*count],
				      error);

		if (rc < 0)
			return rc;
		(*count)++;
	}
	return 0;
}

/* Replace the end of a name that is too long by a hash of the whole name
 * (FNV-1a), so that it still differs from others. */
static void cut(char *name)
{
	size_t end = NAME_BYTES - HASH_BYTES;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	const char *byte;

	if (strlen(name) <= NAME_BYTES)
		return;
	for (byte = name; *byte != '\0'; byte++)
		hash = (hash ^ (unsigned char)*byte) * UINT64_C(0x100000001b3);
	while (end > 0 && ((unsigned char)name[end] & 0xc0) == 0x80)
		end--; /* to the start of a character of UTF-8 */
	snprintf(name + end, HASH_BYTES + 1, "~%016llx", (unsigned long long)hash);
}

/* Return the name of a value, or NULL if memory is short. */
static char *name_of(const struct result_run *run, const struct value *value)
{
	const struct record_key *key = &value->record->key;
	char *name = NULL;
	size_t length, i;
	FILE *stream = open_memstream(&name, &length);

	if (stream == NULL)
		return NULL;
	fprintf(stream, "users=%u", value->point->users);
	for (i = 0; i < run->axis_count; i++) {
		fputc('/', stream);
		escape_benchmark(run->axes[i].name, stream);
		fputc('=', stream);
		escape_benchmark(variant_value(run, value->point->variant, i), stream);
	}
	if (key->phase != NULL)
		fputs("/phase.", stream);
	else if (key->operation != NULL)
		fputc('/', stream);
	if (key->phase != NULL || key->operation != NULL)
		escape_benchmark(key->phase != NULL ? key->phase : key->operation, stream);
	if (fclose(stream) != 0) {
		free(name);
		return NULL;
	}
	if (name[length - 1] == ' ')
		name[length - 1] = '_';
	cut(name);
	return name;
}

/* Set the range over the valid repeats, if at least two know the value. */
static void find_range(struct value *value)
{
	const struct combine_range range = combine_range_of(value->point, value->record,
							    value->figure);

	value->low = range.count > 1 ? range.min : NAN;
	value->high = range.count > 1 ? range.max : NAN;
}

/* Check if a value is among those of the same point, which begin at `first`. */
static bool has(const struct values *values, size_t first, const struct value *value)
{
	size_t i;

	for (i = first; i < values->count; i++)
		if (values->list[i].record == value->record &&
		    values->list[i].figure == value->figure)
			return true;
	return false;
}

int values_find(const struct export *export, const struct result *result, struct values *values)
{
	bool chosen = export->figures != NULL;
	const struct metric *metrics = chosen ? export->figures : usual;
	size_t metric_count = chosen ? export->figure_count : sizeof(usual) / sizeof(usual[0]);
	size_t i, j;

	values->count = 0;
	values->list = calloc(result->point_count * metric_count + 1, sizeof(*values->list));
	if (values->list == NULL)
		return -ENOMEM;
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		size_t first = values->count;

		for (j = 0; j < metric_count && result_is_valid(point); j++) {
			struct value value = {
				.point = point,
				.record = metric_record(&metrics[j], &point->records),
				.figure = metrics[j].figure,
			};

			if (value.record == NULL || has(values, first, &value))
				continue;
			value.value = record_value(value.record, value.figure);
			if (isnan(value.value))
				continue;
			find_range(&value);
			value.name = name_of(&result->run, &value);
			if (value.name == NULL)
				return -ENOMEM;
			values->list[values->count++] = value;
		}
	}
	return 0;
}

void values_free(struct values *values)
{
	while (values->count > 0)
		free(values->list[--values->count].name);
	free(values->list);
}

int values_write_json(json_t *json, FILE *stream)
{
	int rc = json == NULL ? -ENOMEM : 0;

	if (rc == 0)
		json_dumpf(json, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS));
	fputc('\n', stream);
	json_decref(json);
	return rc;
}

void value_print(double value, FILE *stream)
{
	int digits = value >= 10 ? (int)log10(value) + 1 : 1;
	char text[400];
	size_t length;

	if (isnan(value))
		return;
	snprintf(text, sizeof(text), "%.*f",
		 digits < 6            ? 9
		 : digits < DIGITS - 1 ? DIGITS - digits
				       : 1,
		 value);
	length = strlen(text);
	while (text[length - 1] == '0')
		length--;
	if (text[length - 1] == '.')
		length--;
	fprintf(stream, "%.*s", (int)length, text);
}
