/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/check.h"

#include "compare/comparable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- can they be compared? -------------------------------------------------- */

/* Both have the same points, at least one, and all are valid. */
static int check_points(const struct making *making)
{
	unsigned side, users;
	size_t i;

	for (side = 0; side < SIDES; side++) {
		const struct result *result = making->results[side];
		const struct result *other = making->results[1 - side];

		if (result->point_count == 0)
			error_set(making->error, "%s: no point was measured",
				  making->names[side]);
		for (i = 0; i < result->point_count; i++) {
			const struct result_point *point = &result->points[i];

			users = point->users;
			if (!result_is_valid(point))
				error_set(making->error, "%s: the point of %u "
					  "%s is not valid: %s",
					  making->names[side], users,
					  users_word(users),
					  point->invalid.texts[0]);
			else if (result_find_point(other, users) == NULL)
				error_set(making->error, "%s: there is a point "
					  "of %u %s; %s: there is none",
					  making->names[side], users,
					  users_word(users),
					  making->names[1 - side]);
		}
	}
	return making->error->set ? -EINVAL : 0;
}

/* Users that are spread over several targets are another load for each. */
static int check_targets(const struct making *making)
{
	const struct result_run *base = &making->results[BASE]->run;
	const struct result_run *new = &making->results[NEW]->run;

	if (base->target_count == new->target_count)
		return 0;
	error_set(making->error, "%s: the number of targets is %zu; %s: it is "
		  "%zu", making->names[BASE], base->target_count,
		  making->names[NEW], new->target_count);
	return -EINVAL;
}

/* How many operations of that name are not played for that reason. */
static uint64_t count_unsupported(const struct result_run *run,
				  const struct result_unsupported *like)
{
	uint64_t ops = 0;
	size_t i;

	for (i = 0; i < run->unsupported_count; i++)
		if (run->unsupported[i].how == like->how &&
		    strcmp(run->unsupported[i].name, like->name) == 0)
			ops += run->unsupported[i].ops;
	return ops;
}

/* The targets of neither side can play what those of the other cannot. */
static int check_unsupported(const struct making *making)
{
	static const char *const how[] = {
		[RESULT_SKIPPED] = "skipped",
		[RESULT_DEGRADED] = "degraded",
		[RESULT_EMULATED] = "emulated",
	};
	const struct result_run *base = &making->results[BASE]->run;
	const struct result_run *new = &making->results[NEW]->run;
	size_t i;

	for (i = 0; i < base->unsupported_count + new->unsupported_count; i++) {
		const struct result_unsupported *item =
			i < base->unsupported_count
				? &base->unsupported[i]
				: &new->unsupported[i -
						    base->unsupported_count];
		uint64_t base_ops = count_unsupported(base, item);
		uint64_t new_ops = count_unsupported(new, item);

		if (base_ops == new_ops)
			continue;
		error_set(making->error,
			  "%s: of a loop's %s, %" PRIu64 " are %s; %s: %" PRIu64
			  " are",
			  making->names[BASE], item->name, base_ops,
			  how[item->how], making->names[NEW], new_ops);
		return -EINVAL;
	}
	return 0;
}

static int check_place(const struct making *making, const char *difference,
		       const char *base, const char *new)
{
	if (strcmp(base, new) == 0)
		return 0;
	if (!making->question->same_host) {
		result_add_reason(&making->comparison->warnings,
				  "%s: %s and %s", difference, base, new);
		return 0;
	}
	error_set(making->error, "%s: %s and %s", difference, base, new);
	return -EINVAL;
}

static int check_runs(const struct making *making)
{
	const struct result_run *base = &making->results[BASE]->run;
	const struct result_run *new = &making->results[NEW]->run;
	int rc = comparable_measured(base, new, making->names,
				     &making->comparison->option,
				     making->error);

	if (rc == 0)
		rc = check_unsupported(making);
	if (rc == 0)
		rc = check_place(making, "measured on another host",
				 base->host, new->host);
	if (rc == 0)
		rc = check_place(making, "measured with another kernel",
				 base->kernel, new->kernel);
	/* Versions may play the same load in another way. */
	if (rc == 0 && strcmp(base->version, new->version) != 0)
		result_add_reason(&making->comparison->warnings,
				  "measured with another version of throng: "
				  "%s and %s", base->version, new->version);
	return rc;
}

/* --- warnings ----------------------------------------------------------------- */

static bool has_warning(const struct result_point *point, const char *text)
{
	size_t i;

	for (i = 0; i < point->warnings.count; i++)
		if (strcmp(point->warnings.texts[i], text) == 0)
			return true;
	return false;
}

/* A warning with the points that it holds for, of which `first` is the first. */
static void add_warning(const struct making *making, unsigned side,
			size_t first, const char *text)
{
	const struct result *result = making->results[side];
	static const char *const names[] = {"base", "new"};
	unsigned users = result->points[first].users;
	char *list = NULL;
	size_t bytes, i;
	FILE *stream = open_memstream(&list, &bytes);

	if (stream == NULL)
		return;
	fprintf(stream, "%u", users);
	for (i = first + 1; i < result->point_count; i++) {
		if (!has_warning(&result->points[i], text))
			continue;
		users = result->points[i].users;
		fprintf(stream, ", %u", users);
	}
	if (fclose(stream) == 0)
		result_add_reason(&making->comparison->warnings,
				  "%s: at %s %s: %s", names[side], list,
				  users_word(users), text);
	free(list);
}

/* What is said of several points is told once. */
static void gather_warnings(const struct making *making, unsigned side)
{
	const struct result_point *points = making->results[side]->points;
	size_t i, j, k;

	for (i = 0; i < making->results[side]->point_count; i++) {
		for (j = 0; j < points[i].warnings.count; j++) {
			const char *text = points[i].warnings.texts[j];

			for (k = 0; k < i; k++)
				if (has_warning(&points[k], text))
					break;
			if (k == i)
				add_warning(making, side, i, text);
		}
	}
}

int comparison_check(const struct making *making)
{
	unsigned side;
	int rc = check_points(making);

	if (rc == 0)
		rc = check_targets(making);
	if (rc == 0)
		rc = check_runs(making);
	for (side = 0; side < SIDES && rc == 0; side++)
		gather_warnings(making, side);
	return rc;
}
