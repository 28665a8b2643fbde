/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/record.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Numbers of up to this many digits survive conversion to a double and back. */
enum { DIGITS = 15, DECIMALS = 6 };
#define DIGITS_EXACT 1e15

double record_round(enum figure figure, double value)
{
	unsigned decimals = figures[figure].decimals > 0 ? figures[figure].decimals : DECIMALS;
	double steps = pow(10, decimals), rounded = round(value * steps);
	char text[32];

	/* The division gives the double that is nearest to the decimal number,
	 * as reading it does. */
	if (fabs(rounded) < DIGITS_EXACT)
		return rounded / steps;
	snprintf(text, sizeof(text), "%.*g", DIGITS, value);
	return strtod(text, NULL);
}

double record_shown(const struct record *record, enum figure figure)
{
	const struct figure_info *info = &figures[figure];
	bool counts = info->form == FORM_COUNT || info->form == FORM_BYTES;

	return record_value(record, figure) *
	       (counts && info->combine == COMBINE_MEAN ? record->repeats : 1);
}

void record_set(struct record *record, enum figure figure, double value)
{
	if (figure >= record->value_count)
		return;
	if (!isfinite(value) || (figures[figure].optional && value == 0))
		value = NAN;
	else
		value = record_round(figure, value);
	record->values[figure] = value;
}

struct record *records_add(struct records *records, const struct record_key *key)
{
	bool is_operation = key->operation != NULL;
	struct record record = {
		.key = *key,
		.repeats = 1,
		.value_count = is_operation        ? FIGURES_OF_OPERATIONS
			       : key->user != NULL ? FIGURES_OF_USERS
						   : FIGURES,
	};
	size_t i;

	record.values = malloc(record.value_count * sizeof(*record.values));
	if (record.values == NULL ||
	    array_append(&records->list, &records->count, &record, sizeof(record)) < 0) {
		free(record.values);
		return NULL;
	}
	for (i = 0; i < record.value_count; i++)
		record.values[i] = NAN;
	for (i = records->count - 1; is_operation && i > 0; i--) {
		if (records->list[i - 1].key.operation != NULL)
			continue;
		records->list[i - 1].operations++;
		break;
	}
	return &records->list[records->count - 1];
}

void records_free(struct records *records)
{
	size_t i;

	for (i = 0; i < records->count; i++)
		free(records->list[i].values);
	free(records->list);
	*records = (struct records){0};
}

const struct record *records_total(const struct records *records)
{
	static const struct record nothing;

	return records->count > 0 ? &records->list[0] : &nothing;
}

bool record_same_name(const char *one, const char *other)
{
	return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

bool record_same_key(const struct record_key *one, const struct record_key *other)
{
	return record_same_name(one->host, other->host) &&
	       record_same_name(one->load, other->load) &&
	       record_same_name(one->user, other->user) &&
	       record_same_name(one->phase, other->phase) &&
	       record_same_name(one->operation, other->operation);
}

int64_t record_user(const struct record_key *key)
{
	return key->user != NULL ? strtoll(key->user, NULL, 10) : -1;
}

/* Return the index of the first record of the key's user or, if there is none,
 * of a later user; or the number of records. */
static size_t find_user(const struct records *records, const struct record_key *key)
{
	int64_t user = record_user(key);
	size_t from = 0, end = records->count;

	while (from < end) {
		size_t middle = from + (end - from) / 2;

		if (record_user(&records->list[middle].key) < user)
			from = middle + 1;
		else
			end = middle;
	}
	return from;
}

const struct record *records_find(const struct records *records, const struct record_key *key)
{
	size_t i = key->user != NULL ? find_user(records, key) : 0;

	for (; i < records->count; i++) {
		const struct record *record = &records->list[i];

		if (record_same_key(&record->key, key))
			return record;
		if (record_user(&record->key) > record_user(key))
			break;
	}
	return NULL;
}

char *record_scope(const struct record_key *key, char text[RECORD_SCOPE])
{
	snprintf(text, RECORD_SCOPE, "%s%s%s%s%s", key->host != NULL ? "/host" : "",
		 key->load != NULL ? "/load" : "", key->user != NULL ? "/user" : "",
		 key->phase != NULL ? "/phase" : "", key->operation != NULL ? "/operation" : "");
	if (text[0] == '\0')
		strcpy(text, "/total");
	memmove(text, text + 1, strlen(text));
	return text;
}

/* Return the record after `after`, or the first one (NULL), that is not an
 * operation. */
static const struct record *next(const struct records *records, const struct record *after)
{
	size_t at = after == NULL ? 0 : (size_t)(after - records->list) + 1 + after->operations;

	return at < records->count ? &records->list[at] : NULL;
}

const struct record *records_next_load(const struct records *records, const struct record *after)
{
	do
		after = next(records, after);
	while (after != NULL &&
	       (after->key.load == NULL || after->key.phase != NULL || after->key.user != NULL));
	return after;
}

const struct record *records_next_phase(const struct records *records, const char *load,
					const struct record *after)
{
	do
		after = next(records, after);
	while (after != NULL &&
	       (after->key.phase == NULL || !record_same_name(after->key.load, load)));
	return after;
}

const struct record *records_next_user(const struct records *records, const struct record *after)
{
	do
		after = next(records, after);
	while (after != NULL && after->key.user == NULL);
	return after;
}

const struct record *records_next_host(const struct records *records, const struct record *after)
{
	do
		after = next(records, after);
	while (after != NULL && after->key.host == NULL);
	return after;
}

bool records_have_phases(const struct records *records)
{
	size_t i;

	for (i = 0; i < records->count; i++)
		if (records->list[i].key.phase != NULL)
			return true;
	return false;
}

const struct record *record_operation(const struct record *record, const char *name)
{
	const struct record *found = NULL;
	unsigned i;

	for (i = 1; i <= record->operations; i++) {
		if (strcmp(record[i].key.operation, name) == 0)
			return &record[i];
		if (strcasecmp(record[i].key.operation, name) == 0)
			found = &record[i];
	}
	return found;
}

double record_phase_mean(const struct record *phase, enum figure figure)
{
	double seconds = record_value(phase, FIGURE_SECONDS);

	return seconds > 0 ? record_value(phase, figure) * record_value(phase, FIGURE_ELAPSED_S) /
				     seconds
			   : 0;
}

const char *record_name(struct intern *names, const char *text)
{
	int is_new;
	int64_t number = text != NULL ? intern(names, text, strlen(text), &is_new) : -1;

	return number >= 0 ? names->keys[number].bytes : NULL;
}
