/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sections with notices. Those of all points are merged: each kind once, with
 * the points that it applies to and the ranges of its numbers.
 */
#include "report/describe.h"
#include "report/sections.h"
#include "result/variant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parameters of describe_notices. */
struct job {
	const struct result *const *results;
	const char *const *names;
	size_t count;
	describe_kind *kind;
	/* Merge notices that differ only in their numbers. This is for warnings
	 * only. Reasons why a point is invalid contain the numbers of single
	 * users, and a range of these would be of no use. */
	bool merges;
};

const struct notices *describe_invalid(const struct result_point *point)
{
	return &point->invalid;
}

const struct notices *describe_warnings(const struct result_point *point)
{
	return &point->warnings;
}

/* Return the first notice of the list that is to be merged with `notice`, or
 * NULL. */
static struct notice *find(const struct job *job, const struct notices *notices,
			   const struct notice *notice)
{
	size_t i, j;

	for (i = 0; i < notices->count; i++) {
		struct notice *other = &notices->list[i];
		bool equal = notice_is_alike(other, notice);

		for (j = 0; j < NOTICE_NUMBERS && !job->merges; j++)
			equal &= other->numbers[j] == notice->numbers[j];
		if (equal)
			return other;
	}
	return NULL;
}

/* Check if a notice applies at a point. */
static bool applies(const struct job *job, const struct result_point *point,
		    const struct notice *notice)
{
	return find(job, job->kind(point), notice) != NULL;
}

/* Check if a notice applies at all points of a result, and that there are
 * several. */
static bool is_everywhere(const struct job *job, const struct result *result,
			  const struct notice *notice)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		if (!applies(job, &result->points[i], notice))
			return false;
	return result->point_count > 1;
}

/* Write the user counts of a variant at which a notice applies. */
static void write_users(const struct job *job, const struct result *result,
			const struct notice *notice, FILE *stream)
{
	size_t count = result->point_count, i, first;
	const char *comma = " ";
	unsigned users = 0;

	if (is_everywhere(job, result, notice)) {
		fputs(" all points", stream);
		return;
	}
	for (i = 0; i < count; i++) {
		if (!applies(job, &result->points[i], notice))
			continue;
		for (first = i; i + 1 < count && applies(job, &result->points[i + 1], notice);)
			i++;
		users = result->points[i].users;
		if (i > first)
			fprintf(stream, "%s%u%s", comma, result->points[first].users,
				i > first + 1 ? " to" : ",");
		fprintf(stream, "%s%u", i > first ? " " : comma, users);
		comma = ", ";
	}
	fprintf(stream, " %s", users == 1 ? "user" : "users");
}

/* Write the user counts of a result at which a notice applies, with the values
 * of the axes. */
static void write_points(const struct job *job, const struct result *result,
			 const struct notice *notice, FILE *stream)
{
	const struct result_run *run = &result->run;
	const char *between = "";
	char set[VARIANT_TEXT];
	size_t i, j;

	if (run->variant_count == 1 || is_everywhere(job, result, notice)) {
		write_users(job, result, notice, stream);
		return;
	}
	for (i = 0; i < run->variant_count; i++) {
		const struct result part = variant_result(result, i);

		for (j = 0; j < part.point_count; j++)
			if (applies(job, &part.points[j], notice))
				break;
		if (j == part.point_count)
			continue;
		fputs(between, stream);
		write_users(job, &part, notice, stream);
		fprintf(stream, " with %s",
			variant_print(run->variants[i].set, run->variants[i].set_count, set));
		between = ";";
	}
}

/*
 * Return the user counts of a result at which a notice applies, as text to be
 * freed, or NULL if there are none.
 */
static char *print_points(const struct job *job, size_t index, const struct notice *notice)
{
	const struct result *result = job->results[index];
	char *points = NULL;
	size_t bytes, i;
	FILE *stream;

	for (i = 0; i < result->point_count; i++)
		if (applies(job, &result->points[i], notice))
			break;
	if (i == result->point_count)
		return NULL;
	stream = open_memstream(&points, &bytes);
	if (stream == NULL)
		return NULL;
	write_points(job, result, notice, stream);
	fclose(stream);
	return points;
}

/* Write the names of the results whose text is equal to that of result `first`: "A, B and
 * C". The texts of the others are freed. */
static void write_names(const char *const *names, char **texts, size_t count, size_t first,
			FILE *stream)
{
	size_t last = first, i;

	for (i = first + 1; i < count; i++)
		if (texts[i] != NULL && strcmp(texts[i], texts[first]) == 0)
			last = i;
	fputs(names[first], stream);
	for (i = first + 1; i <= last; i++) {
		if (texts[i] == NULL || strcmp(texts[i], texts[first]) != 0)
			continue;
		fprintf(stream, "%s%s", i < last ? ", " : " and ", names[i]);
		free(texts[i]);
		texts[i] = NULL;
	}
}

/*
 * Return the results and user counts to which a notice applies, such as "base and new at
 * 4 users", as text to be freed; NULL if memory is short.
 */
static char *print_place(const struct job *job, const struct notice *notice)
{
	char **points = calloc(job->count, sizeof(*points));
	const char *between = "";
	char *place = NULL;
	size_t bytes, i;
	FILE *stream = open_memstream(&place, &bytes);

	for (i = 0; points != NULL && stream != NULL && i < job->count; i++)
		points[i] = print_points(job, i, notice);
	for (i = 0; points != NULL && stream != NULL && i < job->count; i++) {
		if (points[i] == NULL)
			continue;
		fputs(between, stream);
		if (job->names != NULL)
			write_names(job->names, points, job->count, i, stream);
		fprintf(stream, "%sat%s", job->names != NULL ? " " : "", points[i]);
		free(points[i]);
		between = ", ";
	}
	if (stream != NULL)
		fclose(stream);
	free(points);
	return place;
}

/* Extend the ranges of a merged notice by the numbers of another one. */
static void widen(struct notice *merged, const struct notice *notice)
{
	size_t i;

	for (i = 0; i < NOTICE_NUMBERS; i++) {
		merged->numbers[i] = fmin(merged->numbers[i], notice->numbers[i]);
		merged->max[i] = fmax(merged->max[i], notice->numbers[i]);
	}
}

static void merge(const struct job *job, const struct notice *notice, struct notices *merged)
{
	struct notice *known = find(job, merged, notice), added = *notice;
	char *place;

	if (known != NULL) {
		widen(known, notice);
		return;
	}
	place = print_place(job, notice);
	added.place = place;
	if (place != NULL)
		notice_add(merged, &added);
	free(place);
}

void describe_notices(const struct result *const *results, const char *const *names, size_t count,
		      describe_kind *kind, struct notices *merged)
{
	const struct job job = {
		.results = results,
		.names = names,
		.count = count,
		.kind = kind,
		.merges = kind == describe_warnings,
	};
	size_t i, j, k;

	for (i = 0; i < count; i++) {
		for (j = 0; j < results[i]->point_count; j++) {
			const struct notices *notices = kind(&results[i]->points[j]);

			for (k = 0; k < notices->count; k++)
				merge(&job, &notices->list[k], merged);
		}
	}
}

void section_notices(struct doc *doc, const struct notices *notices, bool invalid)
{
	size_t i;

	for (i = 0; i < notices->count; i++) {
		char *text = notice_text(&notices->list[i]);

		doc_item(doc, invalid ? DOC_BAD : DOC_WARNING, invalid ? "Not valid" : "Warnings",
			 invalid ? "not valid" : "warning", "%s", text != NULL ? text : "");
		free(text);
	}
}

/* Return the names of the sides, or NULL if memory is short. */
static const char **list_names(const struct view *view)
{
	const char **names = calloc(view->side_count, sizeof(*names));
	size_t i;

	for (i = 0; names != NULL && i < view->side_count; i++)
		names[i] = view->sides[i].name;
	return names;
}

/* Merge the notices of one kind of all sides. */
static struct notices merge_sides(struct doc *doc, const struct view *view, describe_kind *kind)
{
	const struct result **results = calloc(view->side_count, sizeof(*results));
	const char **names = list_names(view);
	struct notices merged = {0};
	size_t i;

	for (i = 0; results != NULL && i < view->side_count; i++)
		results[i] = view->sides[i].result;
	if (view->whole != NULL)
		describe_notices(&view->whole, NULL, 1, kind, &merged);
	else if (results != NULL && names != NULL)
		describe_notices(results, names, view->side_count, kind, &merged);
	else
		doc_fail(doc);
	free(results);
	free(names);
	return merged;
}

/* Return where a side is valid, as text to be freed: at which user counts or, if there
 * are several sets of values, at how many points. NULL: memory is short. */
static char *print_valid(const struct result *result)
{
	size_t bytes, count = 0, i;
	char *text = NULL;
	FILE *stream = open_memstream(&text, &bytes);
	unsigned users = 0;

	if (stream == NULL)
		return NULL;
	for (i = 0; i < result->point_count; i++) {
		if (!result_is_valid(&result->points[i]))
			continue;
		users = result->points[i].users;
		if (result->run.variant_count == 1)
			fprintf(stream, "%s%u", count > 0 ? ", " : "valid with ", users);
		count++;
	}
	if (count == 0)
		fputs("no point is valid", stream);
	else if (result->run.variant_count == 1)
		fputs(users == 1 ? " user" : " users", stream);
	else
		fprintf(stream, "valid at %zu of %zu points", count, result->point_count);
	fclose(stream);
	return text;
}

/* Add where the sides are valid. */
static void add_valid(struct doc *doc, const struct view *view)
{
	const size_t count = view->side_count;
	const char **names = list_names(view);
	char **texts = calloc(count, sizeof(*texts));
	size_t bytes, i;

	for (i = 0; texts != NULL && i < count; i++)
		texts[i] = print_valid(view->sides[i].result);
	for (i = 0; names != NULL && texts != NULL && i < count; i++) {
		char *sides = NULL;
		FILE *stream = texts[i] != NULL ? open_memstream(&sides, &bytes) : NULL;

		if (stream != NULL) {
			write_names(names, texts, count, i, stream);
			fclose(stream);
			doc_item(doc, DOC_BAD, "Not valid", "not valid", "%s%s%s",
				 count > 1 ? sides : "", count > 1 ? ": " : "", texts[i]);
		}
		free(sides);
		free(texts[i]);
	}
	free(names);
	free(texts);
}

void section_invalid(struct doc *doc, const struct view *view)
{
	struct notices invalid = merge_sides(doc, view, describe_invalid);

	section_notices(doc, &invalid, true);
	if (invalid.count > 0)
		add_valid(doc, view);
	notices_free(&invalid);
}

void section_warnings(struct doc *doc, const struct view *view)
{
	struct notices warnings = merge_sides(doc, view, describe_warnings);

	section_notices(doc, &warnings, false);
	notices_free(&warnings);
}
