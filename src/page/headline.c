/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The top of a page: the best throughput and its number of users, or the
 * difference between two results, or the verdict of a comparison. Badges show
 * whether points are invalid or have warnings.
 */
#include "page/page.h"
#include "report/rate.h"
#include "result/combine.h"

#include <math.h>

/* Write a badge that links to the reasons, if any points have reasons: `part`
 * of all `all` points. */
static bool write_badge(const struct page *page, const char *class, const char *id,
			const char *text, size_t part, size_t all)
{
	if (part == 0)
		return false;
	fprintf(page->stream, "<a class=\"verdict %s\" href=\"#%s\">%s", class, id, text);
	if (all > 1)
		fprintf(page->stream, " at %zu of %zu points", part, all);
	fputs("</a>\n", page->stream);
	return true;
}

void page_verdict(const struct page *page, const struct result *result)
{
	size_t invalid = 0, warned = 0, all = result->point_count, i;
	bool any;

	for (i = 0; i < all; i++) {
		invalid += !result_is_valid(&result->points[i]);
		warned += result->points[i].warnings.count > 0;
	}
	any = write_badge(page, "bad", "invalid", "not valid", invalid, all);
	any |= write_badge(page, "warning", "warnings", "with warnings", warned, all);
	if (!any && all > 0)
		fputs("<span class=\"verdict good\">valid, no warnings</span>\n", page->stream);
}

/* Return the index of the result with the fastest peak; 0 if there is none. */
static size_t find_best(const struct page *page)
{
	double max = -1, rate;
	size_t best = 0, i;

	for (i = 0; i < page->count; i++) {
		if (page->peaks[i] == NULL)
			continue;
		rate = page_rate(page, &page->peaks[i]->records);
		if (rate <= max)
			continue;
		max = rate;
		best = i;
	}
	return best;
}

static void tile(const struct page *page, const char *name, const char *value, const char *remark)
{
	fputs("<div><dt>", page->stream);
	escape_markup(name, page->stream);
	fprintf(page->stream, "</dt><dd>%s <small>%s</small></dd></div>\n", value, remark);
}

static void write_tiles(const struct page *page, size_t index, const struct result_point *peak)
{
	const struct record *total = records_total(&peak->records);
	const struct result_point *first = page->rows[0].points[index];
	const struct result *result = page->results[index];
	double rate = page_rate(page, &peak->records);
	double read = page_value(FIGURE_READ_MB_PER_S, total);
	double write = page_value(FIGURE_WRITE_MB_PER_S, total);
	size_t repeats = page_repeats(peak), i;
	char value[MARKUP_TEXT], remark[MARKUP_TEXT + 8], users[PAGE_USERS];
	char both[2 * MARKUP_TEXT + 4];

	fputs("<dl class=\"tiles\">\n", page->stream);
	snprintf(value, sizeof(value), "%.1f %%", 100 * combine_range(peak, page->rate).spread);
	snprintf(remark, sizeof(remark), "over %zu repeats", repeats);
	if (repeats > 1)
		tile(page, "Spread", value, remark);
	else
		tile(page, "Spread", "unknown", "measured once");
	snprintf(remark, sizeof(remark), "p50 %s",
		 markup_time(FIGURE_P50_MS, record_value(total, FIGURE_P50_MS), value));
	tile(page, page->paced ? "Response p99" : "p99",
	     markup_time(FIGURE_P99_MS, record_value(total, FIGURE_P99_MS), value), remark);
	if (read > 0 && write > 0) {
		char parts[2][MARKUP_TEXT];

		snprintf(both, sizeof(both), "%s + %s",
			 markup_number(read, markup_decimals(read), parts[0]),
			 markup_number(write, markup_decimals(write), parts[1]));
		tile(page, "Read + written", both, rate_unit());
	}
	if (!page->by_operations)
		tile(page, "Operations",
		     markup_number(record_value(total, FIGURE_OPS_PER_S), 0, value), "per second");
	if (first != NULL && first != peak && result_is_valid(first)) {
		snprintf(value, sizeof(value), "%.3g \u00d7",
			 rate / page_rate(page, &first->records));
		snprintf(remark, sizeof(remark), "that of %s",
			 page_print_users(first->users, users));
		tile(page, "Scaling", value, remark);
	}
	for (i = 0; i < result->limit_count; i++)
		tile(page, result->limits[i].condition,
		     result->limits[i].users > 0 ? page_print_users(result->limits[i].users, users)
						 : "not met",
		     "");
	fputs("</dl>\n", page->stream);
}

/* Write the headline for one result, or for all variants of one. */
static void write_one(const struct page *page)
{
	size_t best = find_best(page);
	const struct result_point *peak = page->peaks[best];
	char rate[PAGE_RATE], users[PAGE_USERS];

	fputs("<p class=\"what\">", page->stream);
	page_common_title(page);
	fputs("</p>\n", page->stream);
	if (peak == NULL)
		fprintf(page->stream, "<h1>%s</h1>\n",
			page->row_count > 0 ? "Not valid: no figures" : "Nothing was measured");
	else
		fprintf(page->stream, "<h1><strong>%s</strong> <span>%s %s",
			page_print_rate(page, page_rate(page, &peak->records), rate),
			page->row_count > 1 ? "at" : "with", page_print_users(peak->users, users));
	if (peak != NULL && page->whole != NULL) {
		fputs(", ", page->stream);
		page_title(page, best);
	}
	fputs(peak != NULL ? "</span></h1>\n" : "", page->stream);
	fputs("<p class=\"verdicts\">", page->stream);
	page_verdict(page, page->whole != NULL ? page->whole : page->results[0]);
	fputs("</p>\n", page->stream);
	if (peak != NULL)
		write_tiles(page, best, peak);
}

/*
 * Write "B is 12.3 % faster than A", "1,852 against 1,650 MB/s at 8 users". If
 * the two points have different user counts, write both counts.
 */
static void write_difference(const struct page *page)
{
	const struct result_point *base = page->chosen[0];
	const struct result_point *other = page->chosen[1];
	double base_rate = page_rate(page, &base->records);
	double rate = page_rate(page, &other->records);
	double percent = 100 * fabs(rate / base_rate - 1);
	char number[MARKUP_TEXT], text[PAGE_RATE], users[PAGE_USERS];

	fputs("<strong>", page->stream);
	escape_markup(page->names[1], page->stream);
	fputs(" is ", page->stream);
	/* A smaller difference would be printed as 0.0 %. */
	if (percent < 0.05)
		fputs("as fast as", page->stream);
	else
		fprintf(page->stream, "%s %% %s than",
			markup_number(percent, percent < 99.95, number),
			rate > base_rate ? "faster" : "slower");
	fputc(' ', page->stream);
	escape_markup(page->names[0], page->stream);
	fputs("</strong> <span>", page->stream);
	markup_number(rate, markup_decimals(base_rate), number);
	if (base->users != other->users)
		fprintf(page->stream, "peak against peak: %s at %u", number, other->users);
	else
		fputs(number, page->stream);
	fprintf(page->stream, " against %s at %s</span>", page_print_rate(page, base_rate, text),
		page_print_users(base->users, users));
}

static void write_several(const struct page *page)
{
	bool differs = page->count == 2 && page->peaks[0] != NULL && page->peaks[1] != NULL &&
		       page_rate(page, &page->chosen[0]->records) > 0;

	fputs("<h1>", page->stream);
	if (page->max_rate <= 0)
		fputs("Not valid: no figures", page->stream);
	else if (differs)
		write_difference(page);
	else
		fprintf(page->stream, "<strong>%zu results</strong>", page->count);
	fputs("</h1>\n", page->stream);
}

static void write_verdict(const struct page *page)
{
	static const char *const classes[] = {
		[VERDICT_PASS] = "good",
		[VERDICT_REGRESSION] = "bad",
		[VERDICT_INCONCLUSIVE] = "warning",
		[VERDICT_UNDECIDED] = "warning",
	};
	const struct html_verdict *verdict = page->verdict;
	size_t i;

	fprintf(page->stream,
		"<h1 class=\"%s\"><strong>%s</strong></h1>\n"
		"<ul class=\"answer\">\n",
		classes[verdict->verdict], verdict->answer);
	for (i = 0; i < verdict->facts.count; i++) {
		fputs("<li>", page->stream);
		escape_markup(verdict->facts.texts[i], page->stream);
		fputs("</li>\n", page->stream);
	}
	fputs("</ul>\n", page->stream);
}

void page_headline(const struct page *page)
{
	if (page->verdict != NULL)
		write_verdict(page);
	else if (page->count > 1 && page->whole == NULL)
		write_several(page);
	else
		write_one(page);
	if (page->count > 1)
		page_results(page);
}
