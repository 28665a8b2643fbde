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

/* If a notice applies to more results, and to all, or at points of more combinations of
 * values, these are only counted. */
enum { NAMED_MAX = 4 };

/* The parameters of describe_notices. */
struct job {
	const struct view_side *sides;
	size_t count;
	describe_kind *kind;
};

const struct notices *describe_invalid(const struct result_point *point)
{
	return &point->invalid;
}

const struct notices *describe_warnings(const struct result_point *point)
{
	return &point->warnings;
}

/* Return the first notice of the list that is to be merged with `notice`, or NULL.
 * Warnings may differ in their numbers. Reasons why a point is invalid have the numbers
 * of single users, and a range of these would be of no use. */
static struct notice *find(const struct job *job, const struct notices *notices,
			   const struct notice *notice)
{
	size_t i, j;

	for (i = 0; i < notices->count; i++) {
		struct notice *other = &notices->list[i];
		bool equal = notice_is_alike(other, notice);

		for (j = 0; j < NOTICE_NUMBERS && job->kind != describe_warnings; j++)
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

/* Return at how many points of a result a notice applies. */
static size_t count_points(const struct job *job, const struct result *result,
			   const struct notice *notice)
{
	size_t count = 0, i;

	for (i = 0; i < result->point_count; i++)
		count += applies(job, &result->points[i], notice);
	return count;
}

/* Check if a notice applies at all points of a result, and that there are several. */
static bool is_everywhere(const struct job *job, const struct result *result,
			  const struct notice *notice)
{
	return result->point_count > 1 && count_points(job, result, notice) == result->point_count;
}

/* Write the user counts of a variant at which a notice applies: "2, 8 to 16 users". */
static void write_users(const struct job *job, const struct result *result,
			const struct notice *notice, FILE *stream)
{
	size_t count = result->point_count, i, first;
	const char *comma = "";
	unsigned users = 0;

	if (is_everywhere(job, result, notice)) {
		fputs("all points", stream);
		return;
	}
	for (i = 0; i < count; i++) {
		if (!applies(job, &result->points[i], notice))
			continue;
		for (first = i; i + 1 < count && applies(job, &result->points[i + 1], notice);)
			i++;
		users = result->points[i].users;
		fprintf(stream, "%s%u", comma, result->points[first].users);
		comma = ", ";
		if (i > first)
			fprintf(stream, "%s%u", i > first + 1 ? " to " : comma, users);
	}
	fprintf(stream, " %s", users == 1 ? "user" : "users");
}

/* Write the same for a result, with the values of the axes; nothing if the notice
 * applies nowhere. */
static void write_points(const struct job *job, const struct result *result,
			 const struct notice *notice, FILE *stream)
{
	const struct result_run *run = &result->run;
	const char *between = "";
	char set[VARIANT_TEXT];
	size_t variants = 0, i;

	if (count_points(job, result, notice) == 0)
		return;
	if (run->variant_count == 1 || is_everywhere(job, result, notice)) {
		write_users(job, result, notice, stream);
		return;
	}
	for (i = 0; i < run->variant_count; i++) {
		const struct result part = variant_result(result, i);

		variants += count_points(job, &part, notice) > 0;
	}
	if (variants > NAMED_MAX) {
		fprintf(stream, "%zu of %zu points", count_points(job, result, notice),
			result->point_count);
		return;
	}
	for (i = 0; i < run->variant_count; i++) {
		const struct result part = variant_result(result, i);

		if (count_points(job, &part, notice) == 0)
			continue;
		fputs(between, stream);
		write_users(job, &part, notice, stream);
		fprintf(stream, " with %s",
			variant_print(run->variants[i].set, run->variants[i].set_count, set));
		between = "; ";
	}
}

/* Return the same as text to be freed; NULL if memory is short. */
static char *print_points(const struct job *job, const struct result *result,
			  const struct notice *notice)
{
	char *points = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&points, &bytes);

	if (stream == NULL)
		return NULL;
	write_points(job, result, notice, stream);
	fclose(stream);
	return points;
}

/* Write the names of the sides whose text is equal to that of side `first`: "A, B and C"
 * or "all 10 results". The texts of the others are freed. */
static void write_names(const struct view_side *sides, char **texts, size_t count, size_t first,
			FILE *stream)
{
	size_t last = first, equal = 1, i;
	bool is_counted;

	for (i = first + 1; i < count; i++) {
		if (texts[i] == NULL || strcmp(texts[i], texts[first]) != 0)
			continue;
		last = i;
		equal++;
	}
	is_counted = equal == count && count > NAMED_MAX;
	if (is_counted)
		fprintf(stream, "all %zu results", count);
	else
		fputs(sides[first].name, stream);
	for (i = first + 1; i <= last; i++) {
		if (texts[i] == NULL || strcmp(texts[i], texts[first]) != 0)
			continue;
		if (!is_counted)
			fprintf(stream, "%s%s", i < last ? ", " : " and ", sides[i].name);
		free(texts[i]);
		texts[i] = NULL;
	}
}

/*
 * Return the sides and user counts to which a notice applies, such as "base and new at
 * 4 users", as text to be freed; NULL if memory is short.
 */
static char *print_place(const struct job *job, const struct notice *notice)
{
	const bool named = job->sides[0].name != NULL;
	char **points = calloc(job->count, sizeof(*points));
	const char *between = "";
	char *place = NULL;
	size_t bytes, i;
	FILE *stream = points != NULL ? open_memstream(&place, &bytes) : NULL;

	for (i = 0; stream != NULL && i < job->count; i++)
		points[i] = print_points(job, job->sides[i].result, notice);
	for (i = 0; stream != NULL && i < job->count; i++) {
		if (points[i] != NULL && points[i][0] != '\0') {
			fputs(between, stream);
			if (named)
				write_names(job->sides, points, job->count, i, stream);
			fprintf(stream, "%sat %s", named ? " " : "", points[i]);
			between = ", ";
		}
		free(points[i]);
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

void describe_notices(const struct view_side *sides, size_t count, describe_kind *kind,
		      struct notices *merged)
{
	const struct job job = {sides, count, kind};
	size_t i, j, k;

	for (i = 0; i < count; i++) {
		for (j = 0; j < sides[i].result->point_count; j++) {
			const struct notices *notices = kind(&sides[i].result->points[j]);

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

		doc_item(doc, invalid ? DOC_BAD : DOC_WARNING, invalid ? "Invalid" : "Warnings",
			 invalid ? "invalid" : "warning", "%s", text != NULL ? text : "");
		free(text);
	}
}

/* Merge the notices of one kind of all sides. Add them, and return if there are any. */
static bool add_notices(struct doc *doc, const struct view *view, describe_kind *kind)
{
	const struct view_side whole = {.result = view->whole};
	struct notices merged = {0};
	bool any;

	if (view->whole != NULL)
		describe_notices(&whole, 1, kind, &merged);
	else
		describe_notices(view->sides, view->side_count, kind, &merged);
	section_notices(doc, &merged, kind == describe_invalid);
	any = merged.count > 0;
	notices_free(&merged);
	return any;
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

/* Add where the sides with invalid points are valid. */
static void add_valid(struct doc *doc, const struct view *view)
{
	const size_t count = view->side_count;
	char **texts = calloc(count, sizeof(*texts));
	size_t bytes, i;

	for (i = 0; texts != NULL && i < count; i++)
		if (view_state_of(view->sides[i].result).invalid > 0)
			texts[i] = print_valid(view->sides[i].result);
	for (i = 0; texts != NULL && i < count; i++) {
		char *sides = NULL;
		FILE *stream = texts[i] != NULL ? open_memstream(&sides, &bytes) : NULL;

		if (stream != NULL) {
			write_names(view->sides, texts, count, i, stream);
			fclose(stream);
			doc_item(doc, DOC_BAD, "Invalid", "invalid", "%s%s%s",
				 count > 1 ? sides : "", count > 1 ? ": " : "", texts[i]);
		}
		free(sides);
		free(texts[i]);
	}
	free(texts);
}

void section_invalid(struct doc *doc, const struct view *view)
{
	if (add_notices(doc, view, describe_invalid))
		add_valid(doc, view);
}

void section_warnings(struct doc *doc, const struct view *view)
{
	add_notices(doc, view, describe_warnings);
}
