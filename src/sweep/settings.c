/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/settings.h"

#include "base/array.h"
#include "base/units.h"
#include "program/program.h"
#include "result/check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for a part of a message. */
enum { WHAT_BYTES = 128 };

/* The unit of --rate, the words that may follow it, and its range. */
#define UNIT "/s"
#define TOTAL "total"
#define POISSON "poisson"
#define RATE_MIN 1e-4
#define RATE_MAX 1e6

struct list {
	unsigned *counts;
	size_t count;
};

static int add(struct list *list, uint64_t users, struct error *error)
{
	unsigned number = (unsigned)users;
	size_t i;

	for (i = 0; i < list->count; i++)
		if (list->counts[i] == users)
			return 0;
	/* A longer list is probably a mistake, and too long for a result. */
	if (list->count == CHECK_POINTS_MAX) {
		error_set(error, "--users: the list has more than %d user counts",
			  CHECK_POINTS_MAX);
		return -EINVAL;
	}
	if (array_append(&list->counts, &list->count, &number, sizeof(number)) < 0)
		return error_no_memory(error);
	return 0;
}

/* Check if the text up to `end` is a whole number. */
static bool is_whole(const char *text, const char *end)
{
	return end > text && text + strspn(text, "0123456789") == end;
}

static int parse_number(const char *text, uint64_t min, uint64_t *number, struct error *error)
{
	if (is_whole(text, text + strlen(text)))
		return units_parse_count(text, "--users", min, PROGRAM_USERS_MAX, number, error);
	error_set(error,
		  "--users: \"%.80s\" is not a list of user counts; expected for example 8 or "
		  "1,2,4 or 1-4+1 or 1-64x2",
		  text);
	return -EINVAL;
}

/* Refuse a range without a step, or with its ends in the wrong order. Print the
 * problem, and ranges between the same ends. */
static int refuse_ends(const char *problem, const char *first, const char *last,
		       struct error *error)
{
	char range[WHAT_BYTES];

	snprintf(range, sizeof(range), "%.40s-%.40s", first, last);
	if (strtoumax(first, NULL, 10) > strtoumax(last, NULL, 10)) {
		const char *other = first;

		first = last;
		last = other;
	}
	error_set(error,
		  "--users: the range \"%s\" %s; expected a range such as %s-%s+1 or %s-%sx2",
		  range, problem, first, last, first, last);
	return -EINVAL;
}

/*
 * Split the range "FIRST-LASTxFACTOR" or "FIRST-LAST+STEP": end FIRST at
 * `dash`, its dash, and LAST at the sign. Return the sign, or NULL with
 * `error` set if the item is not such a range.
 */
static char *split_range(char *item, char *dash, struct error *error)
{
	char *how = dash + 1 + strcspn(dash + 1, "x+");
	bool has_step = *how != '\0', has_ends;
	has_ends = is_whole(item, dash) && is_whole(dash + 1, how);
	if (!has_ends) {
		error_set(error,
			  "--users: \"%.80s\" is not a range; expected a range such as 1-64x2",
			  item);
		return NULL;
	}
	if (has_step && is_whole(how + 1, how + strlen(how))) {
		*dash = '\0';
		return how;
	}
	*dash = *how = '\0';
	refuse_ends(has_step ? "needs a whole number after x or +" : "has no step", item, dash + 1,
		    error);
	return NULL;
}

/* Add a range. `dash` points to the dash in `item`. */
static int add_range(struct list *list, char *item, char *dash, struct error *error)
{
	char *how = split_range(item, dash, error);
	uint64_t first, last, step, users;
	bool doubling;
	int rc;

	if (how == NULL)
		return -EINVAL;
	doubling = *how == 'x';
	*how = '\0';
	if (parse_number(item, 1, &first, error) < 0 ||
	    parse_number(dash + 1, 1, &last, error) < 0 ||
	    parse_number(how + 1, doubling ? 2 : 1, &step, error) < 0)
		return -EINVAL;
	if (last < first)
		return refuse_ends("is empty", item, dash + 1, error);
	for (users = first, rc = 0; users <= last && rc == 0;
	     users = doubling ? users * step : users + step)
		rc = add(list, users, error);
	return rc;
}

int settings_parse_users(const char *text, unsigned **counts, size_t *count, struct error *error)
{
	struct list list = {0};
	char *copy = strdup(text), *next = copy, *item, *dash;
	uint64_t users;
	int rc = 0;

	if (copy == NULL)
		return error_no_memory(error);
	while (rc == 0 && (item = strsep(&next, ",")) != NULL) {
		if (item[0] == '\0') {
			error_set(error,
				  "--users: \"%s\" has an empty item; expected user counts such as "
				  "8 or 1,2,4",
				  text);
			rc = -EINVAL;
			continue;
		}
		dash = strchr(item, '-');
		if (dash != NULL) {
			rc = add_range(&list, item, dash, error);
			continue;
		}
		rc = parse_number(item, 1, &users, error);
		if (rc == 0)
			rc = add(&list, users, error);
	}
	free(copy);
	if (rc < 0) {
		free(list.counts);
		return rc;
	}
	free(*counts);
	*counts = list.counts;
	*count = list.count;
	return 0;
}

/* Parse "0x" and the digits of 1, 2, 4 or 8 bytes, in the order of the digits. Repeat
 * them up to 8 bytes. */
static bool parse_fixed(const char *text, uint64_t *fixed)
{
	unsigned char bytes[sizeof(*fixed)];
	const char *digits = text + 2;
	size_t count = strlen(text) / 2 - 1, i;
	char byte[] = "00";

	if (strncmp(text, "0x", 2) != 0 ||
	    digits[strspn(digits, "0123456789abcdefABCDEF")] != '\0' || strlen(digits) % 2 != 0 ||
	    (count != 1 && count != 2 && count != 4 && count != sizeof(bytes)))
		return false;
	for (i = 0; i < sizeof(bytes); i++) {
		memcpy(byte, digits + 2 * (i % count), 2);
		bytes[i] = (unsigned char)strtoul(byte, NULL, 16);
	}
	memcpy(fixed, bytes, sizeof(bytes));
	return true;
}

bool settings_is_rate_word(const char *word, size_t length)
{
	return (length == strlen(TOTAL) && strncmp(word, TOTAL, length) == 0) ||
	       (length == strlen(POISSON) && strncmp(word, POISSON, length) == 0);
}

int settings_parse_rate(const char *text, const char *name, void *field, struct error *error)
{
	size_t length = strcspn(text, ","), digits = length;
	struct program_rate rate = {0};
	struct error ignored = {0};
	char number[UNITS_TEXT];
	const char *word;

	if (digits > strlen(UNIT) && strncmp(text + digits - strlen(UNIT), UNIT, strlen(UNIT)) == 0)
		digits -= strlen(UNIT);
	/* Cut a text that is too long: it is refused. */
	snprintf(number, sizeof(number), "%.*s", (int)digits, text);
	if (units_parse_number(digits < sizeof(number) ? number : text, name, &rate.per_s,
			       &ignored) < 0) {
		error_set(error,
			  "%s: \"%.*s\" is not a number of operations per second, such as 500/s or "
			  "10k",
			  name, (int)length, text);
		return -EINVAL;
	}
	if (!(rate.per_s >= RATE_MIN && rate.per_s <= RATE_MAX)) {
		error_set(error, "%s: %.*s is out of range (%g to %g operations per second)", name,
			  (int)length, text, RATE_MIN, RATE_MAX);
		return -EINVAL;
	}
	for (word = text + length; *word == ','; word += length) {
		length = strcspn(++word, ",");
		if (!settings_is_rate_word(word, length)) {
			error_set(error,
				  "%s: \"%.*s\" must be total or poisson, as in 500/s,poisson",
				  name, (int)length, word);
			return -EINVAL;
		}
		if (*word == *TOTAL)
			rate.total = true;
		else
			rate.arrival = ARRIVAL_POISSON;
	}
	*(struct program_rate *)field = rate;
	return 0;
}

int settings_parse_data(const char *text, struct settings *settings, struct error *error)
{
	static const char *const kinds[] = {
		[DATA_RANDOM] = "random",
		[DATA_ZERO] = "zero",
		[DATA_PATTERN] = "pattern",
	};
	unsigned kind = 0;

	while (kind < DATA_FIXED && strcmp(text, kinds[kind]) != 0)
		kind++;
	if (kind == DATA_FIXED && !parse_fixed(text, &settings->data_fixed)) {
		error_set(error,
			  "--data: \"%s\" must be random, zero, pattern or 0x with 2, 4, 8 or 16 "
			  "hexadecimal digits",
			  text);
		return -EINVAL;
	}
	settings->data = kind;
	return 0;
}

int settings_parse_conditions(const char *const *texts, const char *option,
			      struct condition **conditions, size_t *count, bool *flat,
			      struct error *error)
{
	size_t all = 0;
	int rc = 0;

	while (texts != NULL && texts[all] != NULL)
		all++;
	*count = 0;
	*conditions = calloc(all + 1, sizeof(**conditions));
	if (*conditions == NULL)
		return error_no_memory(error);
	for (; all > 0 && rc == 0; all--, texts++) {
		if (flat != NULL && strcmp(*texts, "flat") == 0)
			*flat = true;
		else
			rc = condition_parse(*texts, option, &(*conditions)[(*count)++], error);
	}
	return rc;
}

void settings_free(struct settings *settings)
{
	free(settings->load_settings);
	free(settings->user_counts);
	free(settings->stops);
	free(settings->limits);
	free(settings->failures);
	free(settings->rate_limit);
	settings->load_settings = NULL;
	settings->user_counts = NULL;
	settings->stops = settings->limits = settings->failures = NULL;
	settings->rate_limit = NULL;
}
