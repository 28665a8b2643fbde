/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/page.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

double page_rate(const struct page *page, const struct result_figures *figures)
{
	return page->by_operations ? figures->ops_per_s : figures->mb_per_s;
}

struct page_range page_range(const struct page *page,
			     const struct result_point *point)
{
	struct page_range range = {
		.middle = page_rate(page, &point->figures),
		.min = INFINITY,
	};
	size_t i;

	for (i = 0; i < point->repeat_count; i++) {
		double rate = page_rate(page, &point->repeats[i].figures);

		if (!result_repeat_is_valid(&point->repeats[i]))
			continue;
		range.min = fmin(range.min, rate);
		range.max = fmax(range.max, rate);
		range.repeats++;
	}
	range.min = fmin(range.min, range.max);
	if (range.middle > 0)
		range.spread = (range.max - range.min) / range.middle;
	return range;
}

const struct result_point *page_peak(const struct page *page,
				     const struct result *result)
{
	const struct result_point *peak = NULL;
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (result_is_valid(point) &&
		    (peak == NULL || page_rate(page, &point->figures) >
					     page_rate(page, &peak->figures)))
			peak = point;
	}
	return peak;
}

char *page_print_rate(const struct page *page, double rate,
		      char text[PAGE_RATE])
{
	char number[MARKUP_TEXT];

	snprintf(text, PAGE_RATE, "%s %s",
		 markup_number(rate, markup_decimals(rate), number),
		 page->unit);
	return text;
}

char *page_print_users(unsigned users, char text[PAGE_USERS])
{
	char number[MARKUP_TEXT];

	snprintf(text, PAGE_USERS, "%.14s %s", markup_number(users, 0, number),
		 users == 1 ? "user" : "users");
	return text;
}

char *page_letter(size_t index, char text[PAGE_LETTER])
{
	if (index < 26)
		snprintf(text, PAGE_LETTER, "%c", (char)('A' + index));
	else
		snprintf(text, PAGE_LETTER, "%u",
			 (unsigned)(index + 1) % 10000);
	return text;
}

void page_swatch(const struct page *page, size_t index)
{
	char class[CHART_CLASS], letter[PAGE_LETTER];

	fprintf(page->stream, "<b class=\"letter %s\">%s</b> ",
		chart_series(index, class), page_letter(index, letter));
}

/* --- names --------------------------------------------------------------- */

/* A fact about a run, of which it may have several. */
typedef const char *(*fact_of)(const struct result_run *run, size_t index);

static const char *target_of(const struct result_run *run, size_t index)
{
	return index < run->target_count ? run->targets[index].url : NULL;
}

static const char *load_of(const struct result_run *run, size_t index)
{
	return index == 0 ? run->loadfile.name : NULL;
}

static const char *option_of(const struct result_run *run, size_t index)
{
	return index < 2 * run->option_count ? run->options[index] : NULL;
}

static const char *host_of(const struct result_run *run, size_t index)
{
	return index == 0 ? run->host : NULL;
}

static const char *kernel_of(const struct result_run *run, size_t index)
{
	return index == 0 ? run->kernel : NULL;
}

static const char *version_of(const struct result_run *run, size_t index)
{
	return index == 0 ? run->version : NULL;
}

static const char *start_of(const struct result_run *run, size_t index)
{
	return index == 0 ? run->started : NULL;
}

static bool is_same(fact_of fact, const struct result_run *one,
		    const struct result_run *other)
{
	size_t i;

	for (i = 0;; i++) {
		const char *text = fact(one, i), *against = fact(other, i);

		if (text == NULL || against == NULL)
			return text == against;
		if (strcmp(text, against) != 0)
			return false;
	}
}

/* Do the results differ in that? */
static bool tells_apart(const struct page *page, fact_of fact)
{
	size_t i;

	for (i = 1; i < page->count; i++)
		if (!is_same(fact, &page->results[0].run,
			     &page->results[i].run))
			return true;
	return false;
}

static void write_fact(const struct page *page, const struct result_run *run,
		       fact_of fact)
{
	size_t i;

	for (i = 0; fact(run, i) != NULL; i++) {
		if (i > 0)
			fputs(fact != option_of || i % 2 == 0 ? ", " : "=",
			      page->stream);
		escape_markup(fact(run, i), page->stream);
	}
	if (i == 0)
		fputs("no options", page->stream);
}

void page_name(const struct page *page, size_t index)
{
	static const fact_of facts[] = {
		load_of, target_of, option_of, host_of, kernel_of, version_of,
	};
	const struct result_run *run = &page->results[index].run;
	bool any = false;
	size_t i;

	if (page->count == 1) {
		write_fact(page, run, load_of);
		fputs(" on ", page->stream);
		write_fact(page, run, target_of);
		return;
	}
	for (i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		if (!tells_apart(page, facts[i]))
			continue;
		fputs(any ? "; " : "", page->stream);
		write_fact(page, run, facts[i]);
		any = true;
	}
	if (!any)
		write_fact(page, run, start_of);
}

/* --- tables, figures and legends ------------------------------------------ */

void page_begin_table(const struct page *page, const char *class)
{
	fprintf(page->stream,
		"<div class=\"wide\" tabindex=\"0\">\n<table class=\"%s\">\n",
		class);
}

void page_end_table(const struct page *page)
{
	fputs("</table>\n</div>\n", page->stream);
}

void page_begin_figure(const struct page *page, const char *heading)
{
	fprintf(page->stream, "<figure>\n<h2>%s</h2>\n", heading);
}

void page_end_figure(const struct page *page)
{
	fputs("</figure>\n", page->stream);
}

void page_begin_legend(const struct page *page)
{
	fputs("<p class=\"legend\">", page->stream);
}

void page_legend(const struct page *page, const char *kind, size_t series,
		 const char *text)
{
	char class[CHART_CLASS];

	fprintf(page->stream, "<span><i class=\"%s %s\"></i>%s</span>\n", kind,
		chart_series(series, class), text);
}

void page_end_legend(const struct page *page)
{
	fputs("</p>\n", page->stream);
}

void page_legend_results(const struct page *page, const char *kind)
{
	char class[CHART_CLASS], letter[PAGE_LETTER];
	size_t i;

	for (i = 0; i < page->count; i++) {
		fprintf(page->stream, "<span><i class=\"%s %s\"></i>%s ", kind,
			chart_series(i, class), page_letter(i, letter));
		page_name(page, i);
		fputs("</span>\n", page->stream);
	}
}
