/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a reader came for, before anything else: how fast, with how many users,
 * and whether that is to be believed.
 */
#include "page/page.h"

/* --- whether to believe it ----------------------------------------------- */

static void write_share(const struct page *page, size_t part, size_t all)
{
	if (all == 1)
		return;
	if (part == all)
		fputs(" at all points", page->stream);
	else
		fprintf(page->stream, " at %zu of %zu points", part, all);
}

static void write_verdict(const struct page *page, const struct result *result)
{
	size_t invalid = 0, weakened = 0, i;

	for (i = 0; i < result->point_count; i++) {
		invalid += !result_is_valid(&result->points[i]);
		weakened += result->points[i].warnings.count > 0;
	}
	if (invalid > 0) {
		fputs("<a class=\"verdict bad\" href=\"#invalid\">not valid",
		      page->stream);
		write_share(page, invalid, result->point_count);
		fputs("</a>\n", page->stream);
	}
	if (weakened > 0) {
		fputs("<a class=\"verdict warning\" href=\"#warnings\">with warnings",
		      page->stream);
		write_share(page, weakened, result->point_count);
		fputs("</a>\n", page->stream);
	}
	if (invalid == 0 && weakened == 0)
		fputs("<span class=\"verdict good\">valid, no warnings</span>\n",
		      page->stream);
}

/* --- one result ---------------------------------------------------------- */

static void tile(const struct page *page, const char *name, const char *value,
		 const char *remark)
{
	fprintf(page->stream, "<div><dt>%s</dt><dd>%s", name, value);
	if (remark[0] != '\0')
		fprintf(page->stream, " <small>%s</small>", remark);
	fputs("</dd></div>\n", page->stream);
}

static void tile_spread(const struct page *page,
			const struct result_point *peak)
{
	struct page_range range = page_range(page, peak);
	char value[MARKUP_TEXT], remark[64];

	if (range.repeats < 2) {
		tile(page, "Spread", "unknown", "measured once");
		return;
	}
	snprintf(value, sizeof(value), "%.1f %%", 100 * range.spread);
	snprintf(remark, sizeof(remark), "over %zu repeats", range.repeats);
	tile(page, "Spread", value, remark);
}

/* How often the throughput of the first point. */
static void tile_scaling(const struct page *page,
			 const struct result_point *peak)
{
	const struct result *result = page->results;
	const struct result_point *first = NULL;
	char value[MARKUP_TEXT], remark[PAGE_USERS + 8] = "that of ";
	size_t i;

	for (i = 0; i < result->point_count && first == NULL; i++)
		if (result_is_valid(&result->points[i]))
			first = &result->points[i];
	if (first == NULL || first == peak ||
	    page_rate(page, &first->figures) <= 0)
		return;
	snprintf(value, sizeof(value), "%.3g \u00d7",
		 page_rate(page, &peak->figures) /
			 page_rate(page, &first->figures));
	page_print_users(first->users, remark + 8);
	tile(page, "Scaling", value, remark);
}

static void tile_limits(const struct page *page)
{
	const struct result *result = page->results;
	char users[PAGE_USERS];
	size_t i;

	for (i = 0; i < result->limit_count; i++) {
		const struct result_limit *limit = &result->limits[i];

		fputs("<div><dt>", page->stream);
		escape_markup(limit->condition, page->stream);
		fprintf(page->stream, "</dt><dd>%s</dd></div>\n",
			limit->users > 0 ? page_print_users(limit->users, users)
					 : "at no point");
	}
}

static void write_tiles(const struct page *page,
			const struct result_point *peak)
{
	const struct result_latency *latency = &peak->figures.latency;
	char value[MARKUP_TEXT], remark[MARKUP_TEXT + 8];
	char number[MARKUP_TEXT];

	fputs("<dl class=\"tiles\">\n", page->stream);
	tile_spread(page, peak);
	snprintf(remark, sizeof(remark), "p50 %s",
		 markup_latency(latency->p50_ns, number));
	tile(page, "p99 there",
	     markup_latency(latency->p99_ns, value), remark);
	if (!page->by_operations)
		tile(page, "Operations there",
		     markup_number(peak->figures.ops_per_s, 0, value),
		     "a second");
	tile_scaling(page, peak);
	tile_limits(page);
	fputs("</dl>\n", page->stream);
}

static void write_one(const struct page *page)
{
	const struct result_point *peak = page_peak(page, page->results);
	char rate[PAGE_RATE], users[PAGE_USERS];

	fputs("<p class=\"what\">", page->stream);
	page_name(page, 0);
	fputs("</p>\n", page->stream);
	if (peak == NULL)
		fprintf(page->stream, "<h1>%s</h1>\n",
			page->user_count > 0 ? "Not valid: no figures"
					     : "Nothing was measured");
	else
		fprintf(page->stream,
			"<h1><strong>%s</strong> <span>%s %s</span></h1>\n",
			page_print_rate(page,
					page_rate(page, &peak->figures), rate),
			page->results->point_count > 1 ? "at" : "with",
			page_print_users(peak->users, users));
	if (page->user_count > 0) {
		fputs("<p class=\"verdicts\">", page->stream);
		write_verdict(page, page->results);
		fputs("</p>\n", page->stream);
	}
	if (peak != NULL)
		write_tiles(page, peak);
}

/* --- several results ----------------------------------------------------- */

/* How the result's peak compares with that of the first one. */
static void write_row(const struct page *page, size_t index)
{
	const struct result *result = &page->results[index];
	const struct result_point *base = page_peak(page, page->results);
	const struct result_point *peak = page_peak(page, result);
	char text[MARKUP_TEXT];

	fputs("<tr><th scope=\"row\">", page->stream);
	page_swatch(page, index);
	page_name(page, index);
	fputs("</th>", page->stream);
	if (peak == NULL) {
		fputs("<td colspan=\"6\">no figures</td><td>", page->stream);
	} else {
		double rate = page_rate(page, &peak->figures);
		struct page_range range = page_range(page, peak);

		fprintf(page->stream, "<td><b>%s</b></td>",
			markup_number(rate, page->decimals, text));
		fprintf(page->stream, "<td>%s</td>",
			index == 0 || base == NULL
				? ""
				: markup_change(rate / page_rate(page,
							  &base->figures) - 1,
						text));
		fprintf(page->stream, "<td>%u</td>", peak->users);
		if (range.repeats > 1)
			fprintf(page->stream, "<td>%.1f %%</td>",
				100 * range.spread);
		else
			fputs("<td>\u2013</td>", page->stream);
		fprintf(page->stream, "<td>%s</td>",
			markup_latency(peak->figures.latency.p50_ns, text));
		fprintf(page->stream, "<td>%s</td><td>",
			markup_latency(peak->figures.latency.p99_ns, text));
	}
	write_verdict(page, result);
	fputs("</td></tr>\n", page->stream);
}

static size_t best_result(const struct page *page)
{
	double max = -1;
	size_t best = SIZE_MAX, i;

	for (i = 0; i < page->count; i++) {
		const struct result_point *peak =
			page_peak(page, &page->results[i]);

		if (peak != NULL && page_rate(page, &peak->figures) > max) {
			max = page_rate(page, &peak->figures);
			best = i;
		}
	}
	return best;
}

static void write_several(const struct page *page)
{
	size_t best = best_result(page), i;
	char rate[PAGE_RATE], users[PAGE_USERS], letter[PAGE_LETTER];

	fprintf(page->stream, "<p class=\"what\">%zu results</p>\n",
		page->count);
	if (best == SIZE_MAX) {
		fputs("<h1>Not valid: no figures</h1>\n", page->stream);
	} else {
		const struct result_point *peak =
			page_peak(page, &page->results[best]);

		fprintf(page->stream,
			"<h1><strong>%s</strong> <span>at %s, the most, by %s"
			"</span></h1>\n",
			page_print_rate(page,
					page_rate(page, &peak->figures), rate),
			page_print_users(peak->users, users),
			page_letter(best, letter));
	}
	page_begin_table(page, "results");
	fprintf(page->stream, "<thead><tr>"
		"<th scope=\"col\">result</th><th scope=\"col\">peak %s</th>"
		"<th scope=\"col\">against A</th><th scope=\"col\">users</th>"
		"<th scope=\"col\">spread</th><th scope=\"col\">p50</th>"
		"<th scope=\"col\">p99</th><th scope=\"col\">verdict</th>"
		"</tr></thead>\n<tbody>\n", page->unit);
	for (i = 0; i < page->count; i++)
		write_row(page, i);
	fputs("</tbody>\n", page->stream);
	page_end_table(page);
}

void page_headline(const struct page *page)
{
	fputs("<header>\n", page->stream);
	if (page->count == 1)
		write_one(page);
	else
		write_several(page);
	fputs("</header>\n", page->stream);
}
