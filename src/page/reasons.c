/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What voids points and what weakens them: each reason once, with the numbers
 * of users that it holds for.
 */
#include "page/page.h"

#include <string.h>

/* The reasons of one kind. */
typedef const struct result_reasons *(*reasons_of)(
	const struct result_point *point);

static const struct result_reasons *
invalid_of(const struct result_point *point)
{
	return &point->invalid;
}

static const struct result_reasons *
warnings_of(const struct result_point *point)
{
	return &point->warnings;
}

static bool holds(const struct result_reasons *reasons, const char *text)
{
	size_t i;

	for (i = 0; i < reasons->count; i++)
		if (strcmp(reasons->texts[i], text) == 0)
			return true;
	return false;
}

static bool is_told(const struct result *result, reasons_of kind, size_t until,
		    const char *text)
{
	size_t i;

	for (i = 0; i < until; i++)
		if (holds(kind(&result->points[i]), text))
			return true;
	return false;
}

static void write_run(const struct page *page,
		      const struct result_point *points, size_t count,
		      bool comma)
{
	size_t i;

	if (count > 2) {
		fprintf(page->stream, "%s %u to %u", comma ? "," : "",
			points[0].users, points[count - 1].users);
		return;
	}
	for (i = 0; i < count; i++)
		fprintf(page->stream, "%s %u", comma || i > 0 ? "," : "",
			points[i].users);
}

/* "At 2, 8 to 16 users". */
static void write_users(const struct page *page, const struct result *result,
			reasons_of kind, const char *text)
{
	size_t count = 0, i;
	unsigned last = 0;

	for (i = 0; i < result->point_count; i++)
		count += holds(kind(&result->points[i]), text);
	if (count == result->point_count && count > 1) {
		fputs("<b>At all points:</b> ", page->stream);
		return;
	}
	fputs("<b>At", page->stream);
	for (i = 0; i < result->point_count; i++) {
		size_t run = 0;

		while (i + run < result->point_count &&
		       holds(kind(&result->points[i + run]), text))
			run++;
		if (run == 0)
			continue;
		write_run(page, &result->points[i], run, last > 0);
		i += run - 1;
		last = result->points[i].users;
	}
	fprintf(page->stream, " %s:</b> ", last == 1 ? "user" : "users");
}

/* What had been counted, where no throughput may be told. */
static void write_counts(const struct page *page,
			 const struct result_point *point)
{
	char ops[MARKUP_TEXT], bytes[MARKUP_TEXT];

	fprintf(page->stream,
		" <small>(%s operations, %s MB had been counted)</small>",
		markup_number((double)point->figures.ops, 0, ops),
		markup_number((double)point->figures.bytes / 1e6, 1, bytes));
}

static void write_result(const struct page *page, size_t index, reasons_of kind)
{
	const struct result *result = &page->results[index];
	size_t i, j;

	for (i = 0; i < result->point_count; i++) {
		const struct result_reasons *reasons =
			kind(&result->points[i]);

		for (j = 0; j < reasons->count; j++) {
			const char *text = reasons->texts[j];

			if (is_told(result, kind, i, text))
				continue;
			fputs("<li>", page->stream);
			if (page->count > 1)
				page_swatch(page, index);
			write_users(page, result, kind, text);
			escape_markup(text, page->stream);
			if (kind == invalid_of)
				write_counts(page, &result->points[i]);
			fputs("</li>\n", page->stream);
		}
	}
}

static bool has_any(const struct page *page, reasons_of kind)
{
	size_t i, j;

	for (i = 0; i < page->count; i++)
		for (j = 0; j < page->results[i].point_count; j++)
			if (kind(&page->results[i].points[j])->count > 0)
				return true;
	return false;
}

static void write_section(const struct page *page, reasons_of kind,
			  const char *id, const char *class,
			  const char *heading)
{
	size_t i;

	if (!has_any(page, kind))
		return;
	fprintf(page->stream,
		"<section class=\"reasons %s\" id=\"%s\">\n<h2>%s</h2>\n<ul>\n",
		class, id, heading);
	for (i = 0; i < page->count; i++)
		write_result(page, i, kind);
	fputs("</ul>\n</section>\n", page->stream);
}

void page_reasons(const struct page *page)
{
	write_section(page, invalid_of, "invalid", "bad", "Not valid");
	write_section(page, warnings_of, "warnings", "warning", "Warnings");
}
