/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run in words: the reasons that void its points, warnings, and all that is
 * needed to do it again.
 */
#include "page/page.h"

#include "report/describe.h"

static void write_item(void *context, const char *name, const char *text)
{
	const struct page *page = context;

	(void)name;
	fputs("<li>", page->stream);
	escape_markup(text, page->stream);
	fputs("</li>\n", page->stream);
}

/* Write the reasons of one kind in a section, if there are any: the caller
 * ends it. */
static bool begin_section(const struct page *page, describe_kind *kind,
			  const char *class, const char *id,
			  const char *heading)
{
	size_t count = 0, i, j;

	for (i = 0; i < page->count; i++)
		for (j = 0; j < page->results[i]->point_count; j++)
			count += kind(&page->results[i]->points[j])->count;
	if (count == 0)
		return false;
	fprintf(page->stream, "<section class=\"reasons %s\" id=\"%s\">\n"
		"<h2>%s</h2>\n<ul>\n", class, id, heading);
	describe_reasons(page->results, page->count > 1 ? page->names : NULL,
			 page->count, kind, "", write_item, (void *)page);
	return true;
}

static void end_section(const struct page *page)
{
	fputs("</ul>\n</section>\n", page->stream);
}

/* Write "valid with 1, 2 users", or that no point is. */
static void write_valid(const struct page *page, size_t index)
{
	const struct result *result = page->results[index];
	unsigned last = 0;
	size_t i;

	fputs("<li>", page->stream);
	if (page->count > 1)
		page_swatch(page, index);
	for (i = 0; i < result->point_count; i++) {
		if (!result_is_valid(&result->points[i]))
			continue;
		fprintf(page->stream, "%s%u", last > 0 ? ", " : "valid with ",
			result->points[i].users);
		last = result->points[i].users;
	}
	fprintf(page->stream, "%s</li>\n", last == 0 ? "no point is valid"
		: last == 1 ? " user" : " users");
}

void page_invalid(const struct page *page)
{
	size_t i;

	if (!begin_section(page, describe_invalid, "bad", "invalid",
			   "Not valid"))
		return;
	for (i = 0; i < page->count; i++)
		write_valid(page, i);
	end_section(page);
}

void page_warnings(const struct page *page)
{
	if (begin_section(page, describe_warnings, "warning", "warnings",
			  "Warnings"))
		end_section(page);
}

/* --- configuration -------------------------------------------------------- */

static void write_fact(void *context, const char *name, const char *text)
{
	const struct page *page = context;

	fprintf(page->stream, "<div><dt>%s</dt><dd>", name);
	escape_markup(text, page->stream);
	fputs("</dd></div>\n", page->stream);
}

void page_configuration(const struct page *page)
{
	size_t i;

	fputs("<section>\n<h2>Configuration</h2>\n", page->stream);
	for (i = 0; i < page->count; i++) {
		page_subheading(page, i);
		fputs("<dl class=\"facts\">\n", page->stream);
		describe_run(&page->results[i]->run, DESCRIBE_ALL, write_fact,
			     (void *)page);
		fputs("</dl>\n", page->stream);
	}
	fputs("</section>\n", page->stream);
}
