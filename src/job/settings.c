/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "job/settings.h"

#include "base/array.h"
#include "base/units.h"
#include "program/program.h"
#include "result/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
		error_set(error, "--users: more than %d points",
			  CHECK_POINTS_MAX);
		return -EINVAL;
	}
	if (array_append(&list->counts, &list->count, &number,
			 sizeof(number)) < 0)
		return error_no_memory(error);
	return 0;
}

static int parse_number(const char *text, uint64_t min, uint64_t *number,
			struct error *error)
{
	return units_parse_count(text, "--users", min, PROGRAM_USERS_MAX,
				 number, error);
}

/* Add a range FIRST-LASTxFACTOR or FIRST-LAST+STEP. `dash` points to the dash
 * in `item`. */
static int add_range(struct list *list, char *item, char *dash,
		     struct error *error)
{
	char *how = strpbrk(dash + 1, "x+");
	uint64_t first, last, step, users;
	bool doubling;
	int rc;

	if (how == NULL) {
		error_set(error, "--users: \"%s\" has no step; expected for "
			  "example %s+1 or %sx2", item, item, item);
		return -EINVAL;
	}
	doubling = *how == 'x';
	*dash = '\0';
	*how = '\0';
	if (parse_number(item, 1, &first, error) < 0 ||
	    parse_number(dash + 1, 1, &last, error) < 0 ||
	    parse_number(how + 1, doubling ? 2 : 1, &step, error) < 0)
		return -EINVAL;
	if (last < first) {
		error_set(error, "--users: the range from %s to %s is empty",
			  item, dash + 1);
		return -EINVAL;
	}
	for (users = first, rc = 0; users <= last && rc == 0;
	     users = doubling ? users * step : users + step)
		rc = add(list, users, error);
	return rc;
}

int settings_parse_users(const char *text, unsigned **counts, size_t *count,
			 struct error *error)
{
	struct list list = {0};
	char *copy = strdup(text), *next = copy, *item, *dash;
	uint64_t users;
	int rc = 0;

	if (copy == NULL)
		return error_no_memory(error);
	while (rc == 0 && (item = strsep(&next, ",")) != NULL) {
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

int settings_parse_conditions(const char *const *texts, const char *option,
			      struct condition **conditions, size_t *count,
			      bool *flat, struct error *error)
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
			rc = condition_parse(*texts, option,
					     &(*conditions)[(*count)++],
					     error);
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
	settings->load_settings = NULL;
	settings->user_counts = NULL;
	settings->stops = settings->limits = settings->failures = NULL;
}
