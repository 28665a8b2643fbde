/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a page in words: the reasons why points are not valid, the
 * warnings, and the configuration of the runs.
 */
#include "page/page.h"

#include "report/describe.h"

#include <stdlib.h>

static void write_notices(const struct page *page, const struct notices *notices)
{
	size_t i;

	for (i = 0; i < notices->count; i++) {
		char *text = notice_text(&notices->list[i]);

		fputs("<li>", page->stream);
		escape_markup(text != NULL ? text : "", page->stream);
		fputs("</li>\n", page->stream);
		free(text);
	}
}

static void begin_section(const struct page *page, const char *class, const char *id,
			  const char *heading)
{
	fprintf(page->stream,
		"<section class=\"reasons %s\" id=\"%s\">\n"
		"<h2>%s</h2>\n<ul>\n",
		class, id, heading);
}

static void end_section(const struct page *page)
{
	fputs("</ul>\n</section>\n", page->stream);
}

/* Merge the notices of one kind of all results. */
static struct notices notices_of(const struct page *page, describe_kind *kind)
{
	struct notices notices = {0};

	if (page->whole != NULL)
		describe_notices(&page->whole, NULL, 1, kind, &notices);
	else
		describe_notices(page->results, page->count > 1 ? page->names : NULL, page->count,
				 kind, &notices);
	return notices;
}

/* Write which points of a result are valid: "valid with 1, 2 users" or "no
 * point is valid". */
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
	fprintf(page->stream, "%s</li>\n",
		last == 0   ? "no point is valid"
		: last == 1 ? " user"
			    : " users");
}

void page_invalid(const struct page *page)
{
	struct notices invalid = notices_of(page, describe_invalid);
	size_t i;

	if (invalid.count > 0) {
		begin_section(page, "bad", "invalid", "Not valid");
		write_notices(page, &invalid);
		for (i = 0; i < page->count; i++)
			write_valid(page, i);
		end_section(page);
	}
	notices_free(&invalid);
}

void page_warnings(const struct page *page)
{
	struct notices own = {0};
	const struct notices *warnings = &own;

	if (page->verdict != NULL)
		warnings = page->verdict->warnings;
	else
		own = notices_of(page, describe_warnings);
	if (warnings->count > 0) {
		begin_section(page, "warning", "warnings", "Warnings");
		write_notices(page, warnings);
		end_section(page);
	}
	notices_free(&own);
}

static void write_fact(void *context, const char *name, const char *text)
{
	const struct page *page = context;

	fprintf(page->stream, "<div><dt>%s</dt><dd>", name);
	escape_markup(text, page->stream);
	fputs("</dd></div>\n", page->stream);
}

static void write_facts(const struct page *page, const struct result_run *run)
{
	fputs("<dl class=\"facts\">\n", page->stream);
	describe_run(run, DESCRIBE_ALL, write_fact, (void *)page);
	fputs("</dl>\n", page->stream);
}

void page_configuration(const struct page *page)
{
	size_t i;

	fputs("<section>\n<h2>Configuration</h2>\n", page->stream);
	if (page->whole != NULL)
		write_facts(page, &page->whole->run);
	for (i = 0; page->whole == NULL && i < page->count; i++) {
		page_subheading(page, i);
		write_facts(page, &page->results[i]->run);
	}
	fputs("</section>\n", page->stream);
}
