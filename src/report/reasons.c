/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merge the reasons why points are invalid or have warnings: write each once,
 * with the points that it applies to.
 */
#include "report/describe.h"
#include "result/variant.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parameters of describe_reasons. */
struct job {
	const struct result *const *results;
	const char *const *names;
	size_t count;
	describe_kind *kind;
	/* Merge reasons that differ only in their numbers. This is for warnings
	 * only. Reasons why a point is invalid contain line numbers and the
	 * numbers of single users, and a range of these would be of no use. */
	bool merges;
};

const struct result_reasons *describe_invalid(const struct result_point *point)
{
	return &point->invalid;
}

const struct result_reasons *describe_warnings(const struct result_point *point)
{
	return &point->warnings;
}

/*
 * Return the first number in `text` that begins at or after `at`, or the end of
 * the text if there is none. Digits within a word, as in READ3, or in quotes,
 * as in the name of a load, are not a number.
 */
static const char *find_number(const char *text, const char *at)
{
	const char *quote;

	for (; *at != '\0'; at++) {
		quote = *at == '"' ? strchr(at + 1, '"') : NULL;
		if (quote != NULL)
			at = quote;
		else if (isdigit((unsigned char)*at) &&
			 (at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')))
			break;
	}
	return at;
}

/* Return the end of a number. A number may have decimals. */
static const char *skip_number(const char *number)
{
	number += strspn(number, "0123456789");
	if (number[0] == '.' && isdigit((unsigned char)number[1]))
		number += 1 + strspn(number + 1, "0123456789");
	return number;
}

/* Check if two texts are equal, apart from their numbers. */
static bool is_alike(const char *one, const char *other)
{
	const char *at = one, *other_at = other;

	for (;;) {
		const char *number = find_number(one, at);
		const char *other_number = find_number(other, other_at);
		size_t length = (size_t)(number - at);

		if ((size_t)(other_number - other_at) != length ||
		    memcmp(at, other_at, length) != 0)
			return false;
		if (*number == '\0' || *other_number == '\0')
			return *number == *other_number;
		at = skip_number(number);
		other_at = skip_number(other_number);
	}
}

/* Check if a reason is described together with `text`: if they are equal
 * or, with job->merges, differ only in their numbers. */
static bool matches(const struct job *job, const char *reason, const char *text)
{
	return job->merges ? is_alike(reason, text) : strcmp(reason, text) == 0;
}

/* Return the point's first reason that matches the text, or NULL. */
static const char *find(const struct job *job, const struct result_point *point, const char *text)
{
	const struct result_reasons *reasons = job->kind(point);
	size_t i;

	for (i = 0; i < reasons->count; i++)
		if (matches(job, reasons->texts[i], text))
			return reasons->texts[i];
	return NULL;
}

/* Check if a reason applies at all points of a result, and that there are
 * several. */
static bool is_everywhere(const struct job *job, const struct result *result, const char *text)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		if (find(job, &result->points[i], text) == NULL)
			return false;
	return result->point_count > 1;
}

/* Write the user counts of a variant at which a reason applies. */
static void write_users(const struct job *job, const struct result *result, const char *text,
			FILE *stream)
{
	size_t count = result->point_count, i, first;
	const char *comma = " ";
	unsigned users = 0;

	if (is_everywhere(job, result, text)) {
		fputs(" all points", stream);
		return;
	}
	for (i = 0; i < count; i++) {
		if (find(job, &result->points[i], text) == NULL)
			continue;
		for (first = i; i + 1 < count && find(job, &result->points[i + 1], text);)
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

/* Write the user counts of a result at which a reason applies, with the values
 * of the axes. */
static void write_points(const struct job *job, const struct result *result, const char *text,
			 FILE *stream)
{
	const struct result_run *run = &result->run;
	const char *between = "";
	char set[VARIANT_TEXT];
	size_t i, j;

	if (run->variant_count < 2 || is_everywhere(job, result, text)) {
		write_users(job, result, text, stream);
		return;
	}
	for (i = 0; i < run->variant_count; i++) {
		const struct result part = variant_result(result, i);

		for (j = 0; j < part.point_count; j++)
			if (find(job, &part.points[j], text) != NULL)
				break;
		if (j == part.point_count)
			continue;
		fputs(between, stream);
		write_users(job, &part, text, stream);
		fprintf(stream, " with %s",
			variant_print(run->variants[i].set, run->variants[i].set_count, set));
		between = ";";
	}
}

/*
 * Return the user counts of a result at which a reason applies, as text to be
 * freed, or NULL if there are none.
 */
static char *print_points(const struct job *job, size_t index, const char *text)
{
	const struct result *result = job->results[index];
	char *points = NULL;
	size_t bytes, i;
	FILE *stream;

	for (i = 0; i < result->point_count; i++)
		if (find(job, &result->points[i], text) != NULL)
			break;
	if (i == result->point_count)
		return NULL;
	stream = open_memstream(&points, &bytes);
	if (stream == NULL)
		return NULL;
	write_points(job, result, text, stream);
	fclose(stream);
	return points;
}

/* Write the results and user counts to which a reason applies. */
static void write_place(const struct job *job, const char *text, FILE *stream)
{
	char *before = NULL, *points;
	size_t i;

	for (i = 0; i < job->count; i++) {
		points = print_points(job, i, text);
		if (points == NULL)
			continue;
		if (before != NULL && strcmp(points, before) == 0)
			fputs(" and ", stream);
		else if (before != NULL)
			fprintf(stream, " at%s, ", before);
		if (job->names != NULL)
			fputs(job->names[i], stream);
		free(before);
		before = points;
	}
	fprintf(stream, "%sat%s: ", job->names != NULL ? " " : "", before);
	free(before);
}

/*
 * Return number `index` (counted from 0) of a text. The text must have this
 * number.
 */
static const char *number_of(const char *text, size_t index)
{
	const char *number = find_number(text, text);

	while (index-- > 0)
		number = find_number(text, skip_number(number));
	return number;
}

/* The smallest and the largest of several numbers, as pointers into texts. */
struct range {
	const char *min, *max;
};

/* Extend the range by number `index` of each reason of the point that matches
 * `text`. */
static void widen(struct range *range, const struct job *job, const struct result_point *point,
		  const char *text, size_t index)
{
	const struct result_reasons *reasons = job->kind(point);
	size_t i;

	for (i = 0; i < reasons->count; i++) {
		const char *number;

		if (!matches(job, reasons->texts[i], text))
			continue;
		number = number_of(reasons->texts[i], index);
		if (strtod(number, NULL) < strtod(range->min, NULL))
			range->min = number;
		if (strtod(number, NULL) > strtod(range->max, NULL))
			range->max = number;
	}
}

/* Write number `index` of a reason as its range over all points: "0.40 to
 * 0.45". */
static void write_range(const struct job *job, const char *text, size_t index, FILE *stream)
{
	const char *number = number_of(text, index);
	struct range range = {number, number};
	size_t i, j;

	for (i = 0; i < job->count; i++)
		for (j = 0; j < job->results[i]->point_count; j++)
			widen(&range, job, &job->results[i]->points[j], text, index);
	fwrite(range.min, 1, (size_t)(skip_number(range.min) - range.min), stream);
	if (range.max != range.min)
		fprintf(stream, " to %.*s", (int)(skip_number(range.max) - range.max), range.max);
}

static void write_reason(const struct job *job, const char *text, FILE *stream)
{
	const char *at = text, *number;
	size_t index;

	write_place(job, text, stream);
	if (!job->merges) {
		fputs(text, stream);
		return;
	}
	for (index = 0;; index++) {
		number = find_number(text, at);
		fwrite(at, 1, (size_t)(number - at), stream);
		if (*number == '\0')
			return;
		write_range(job, text, index, stream);
		at = skip_number(number);
	}
}

/* Check that no earlier result or point has a matching reason, because only the
 * first of the matching reasons is written. */
static bool is_first(const struct job *job, size_t index, size_t point, const char *text)
{
	size_t i, j;

	for (i = 0; i < index; i++)
		for (j = 0; j < job->results[i]->point_count; j++)
			if (find(job, &job->results[i]->points[j], text))
				return false;
	for (j = 0; j < point; j++)
		if (find(job, &job->results[index]->points[j], text))
			return false;
	return find(job, &job->results[index]->points[point], text) == text;
}

static void describe_reason(const struct job *job, const char *text, const char *name,
			    describe_line *line, void *context)
{
	char *clause = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&clause, &bytes);

	if (stream == NULL)
		return;
	write_reason(job, text, stream);
	if (fclose(stream) == 0)
		line(context, name, clause);
	free(clause);
}

void describe_reasons(const struct result *const *results, const char *const *names, size_t count,
		      describe_kind *kind, const char *name, describe_line *line, void *context)
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
			const struct result_reasons *reasons = kind(&results[i]->points[j]);

			for (k = 0; k < reasons->count; k++)
				if (is_first(&job, i, j, reasons->texts[k]))
					describe_reason(&job, reasons->texts[k], name, line,
							context);
		}
	}
}
