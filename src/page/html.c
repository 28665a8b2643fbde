/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/html.h"

#include "page/page.h"
#include "report/naming.h"
#include "report/rate.h"
#include "result/combine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Max length of a result's name in a chart. */
enum { MARK_COLUMNS = 8 };

/* Return the row of a point. Insert it if it is missing: by user count, or at
 * the end if it has a set. */
static struct page_row *find_row(struct page *page, const struct result_point *point)
{
	const bool has_set = page->verdict != NULL && point->set_count > 0;
	const struct page_row wanted = {
		.users = point->users,
		.set = has_set ? point->set : NULL,
		.set_count = has_set ? point->set_count : 0,
	};
	size_t i;

	for (i = 0; i < page->row_count; i++)
		if (page->rows[i].users == wanted.users &&
		    variant_same_set(page->rows[i].set, page->rows[i].set_count, wanted.set,
				     wanted.set_count))
			return &page->rows[i];
	while (!has_set && i > 0 && page->rows[i - 1].users > wanted.users)
		i--;
	memmove(&page->rows[i + 1], &page->rows[i], (page->row_count++ - i) * sizeof(*page->rows));
	page->rows[i] = wanted;
	return &page->rows[i];
}

static int collect_rows(struct page *page)
{
	size_t all = 1, i, j;

	for (i = 0; i < page->count; i++)
		all += page->results[i]->point_count;
	page->rows = calloc(all, sizeof(*page->rows));
	if (page->rows == NULL)
		return -ENOMEM;
	for (i = 0; i < page->count; i++) {
		for (j = 0; j < page->results[i]->point_count; j++) {
			const struct result_point *point = &page->results[i]->points[j];

			find_row(page, point)->points[i] = point;
		}
	}
	return 0;
}

/* Set the figure and the unit of throughput, and find the max over all valid
 * repeats. */
static void choose_rate(struct page *page, enum figure rate, const char *unit)
{
	double max = 0;
	size_t i, j;

	page->rate = rate;
	page->unit = unit;
	for (i = 0; i < page->count; i++)
		for (j = 0; j < page->results[i]->point_count; j++)
			max = fmax(max, combine_range(&page->results[i]->points[j], rate).max);
	page->max_rate = rate_value_of(figure_unit(rate), max);
}

/*
 * Return the faster of two points, or `one` if they are equally fast. A point
 * that is NULL counts as slower than any other. `one` must be valid or NULL; if
 * `other` is not valid, return `one`.
 */
static const struct result_point *faster(const struct page *page, const struct result_point *one,
					 const struct result_point *other)
{
	if (other == NULL || !result_is_valid(other))
		return one;
	if (one == NULL)
		return other;
	return page_rate(page, &other->records) > page_rate(page, &one->records) ? other : one;
}

static void choose_points(struct page *page)
{
	const struct page_row *best = NULL;
	size_t i, j;

	for (i = 0; i < page->row_count; i++) {
		const struct page_row *row = &page->rows[i];
		bool is_common = true;

		for (j = 0; j < page->count; j++) {
			page->peaks[j] = faster(page, page->peaks[j], row->points[j]);
			is_common = is_common && row->points[j] != NULL &&
				    result_is_valid(row->points[j]);
		}
		if (is_common && (best == NULL ||
				  faster(page, best->points[0], row->points[0]) == row->points[0]))
			best = row;
	}
	memcpy(page->chosen, best != NULL && page->count == 2 ? best->points : page->peaks,
	       sizeof(page->chosen));
}

static void write_title(const struct page *page)
{
	if (page->count == 1 || page->whole != NULL)
		page_common_title(page);
	else
		fprintf(page->stream, "%s%zu results",
			page->verdict != NULL ? "comparison of " : "", page->count);
}

static void write_style(const struct page *page)
{
	fputs(page_css, page->stream);
}

static const struct part {
	const char *name; /* its placeholder in page.html */
	void (*write)(const struct page *page);
} parts[] = {
	{"TITLE", write_title},
	{"STYLE", write_style},
	{"HEADLINE", page_headline},
	{"INVALID", page_invalid},
	{"WARNINGS", page_warnings},
	{"THROUGHPUT", page_throughput},
	{"LATENCY", page_latency},
	{"SHARES", page_shares},
	{"TIME", page_time},
	{"SIDES", page_sides},
	{"POINTS", page_points},
	{"LOADS", page_loads},
	{"PHASES", page_phases},
	{"OPERATIONS", page_operations},
	{"CONFIGURATION", page_configuration},
};

static void write_part(const struct page *page, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strlen(parts[i].name) == length && memcmp(parts[i].name, name, length) == 0)
			parts[i].write(page);
}

static void write_page(const struct page *page)
{
	const char *at = page_html, *name, *end;

	for (; (name = strchr(at, '@')) != NULL; at = end + 1) {
		fwrite(at, 1, (size_t)(name - at), page->stream);
		end = strchr(name + 1, '@');
		write_part(page, name + 1, (size_t)(end - name - 1));
	}
	fputs(at, page->stream);
}

/*
 * Put the results on the page; except in a comparison, each variant becomes a
 * result. `views` has room for HTML_RESULTS. Return 0, or -E2BIG if they are too
 * many.
 */
static int divide(struct page *page, const struct result *results, struct result *views)
{
	size_t given = page->count, i, j;

	page->whole = given == 1 && results[0].run.variant_count > 1 ? &results[0] : NULL;
	page->count = 0;
	for (i = 0; i < given; i++) {
		size_t variants = page->verdict == NULL ? results[i].run.variant_count : 1;

		for (j = 0; j < variants; j++) {
			if (page->count == HTML_RESULTS)
				return -E2BIG;
			views[page->count] = variants > 1 ? variant_result(&results[i], j)
							  : results[i];
			page->results[page->count] = &views[page->count];
			page->count++;
		}
	}
	return 0;
}

/* Name each result by its label or, if it has none, by its default. If two names would
 * be equal, use the defaults for all results. */
static void choose_names(const struct result *const *results, size_t count,
			 const char *const *defaults, const char **names)
{
	bool differ = true;
	size_t i, j;

	for (i = 0; i < count; i++) {
		const char *label = results[i]->run.label;

		names[i] = label[0] != '\0' ? label : defaults[i];
		for (j = 0; j < i; j++)
			differ = differ && strcmp(names[i], names[j]) != 0;
	}
	for (i = 0; !differ && i < count; i++)
		names[i] = defaults[i];
}

static int write_results(struct page *page, const struct result *results)
{
	struct result views[HTML_RESULTS];
	static const char *const names[] = {
		"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M",
		"N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z",
	};
	const char *const *defaults = page->verdict != NULL ? side_names : names;
	bool are_short = true;
	size_t i;

	if (divide(page, results, views) < 0)
		return -E2BIG;
	choose_names(page->results, page->count, defaults, page->names);
	for (i = 0; i < page->count; i++)
		are_short &= naming_is_short(page->names[i], MARK_COLUMNS);
	for (i = 0; i < page->count; i++)
		page->marks[i] = (are_short ? page->names : defaults)[i];
	if (collect_rows(page) < 0)
		return -ENOMEM;
	page->paced = true;
	for (i = 0; i < page->count; i++)
		page->paced &= page->results[i]->run.paced;
	choose_rate(page, FIGURE_MB_PER_S, rate_unit());
	if (page->max_rate <= 0) {
		choose_rate(page, FIGURE_OPS_PER_S, "ops/s");
		page->by_operations = page->max_rate > 0;
	}
	choose_points(page);
	write_page(page);
	free(page->rows);
	return ferror(page->stream) ? -EIO : 0;
}

int html_write(const struct result *results, size_t count, FILE *stream)
{
	struct page page = {.stream = stream, .count = count};

	return write_results(&page, results);
}

int html_write_comparison(const struct result results[SIDES], const struct html_verdict *verdict,
			  FILE *stream)
{
	struct page page = {.stream = stream, .count = SIDES, .verdict = verdict};

	return write_results(&page, results);
}
