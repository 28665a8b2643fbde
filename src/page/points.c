/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures of the points as tables; of several results also side by side.
 */
#include "page/page.h"

#include <inttypes.h>
#include <math.h>

/* --- columns ------------------------------------------------------------- */

/* All times of a column have the same number of decimals, with which the
 * least of them still has two digits. */
enum { P50, P95, P99, MAX, LOOP, TIMES };
static const double units_ns[TIMES] = {1e6, 1e6, 1e6, 1e6, 1e9};

static uint64_t time_of(const struct result_point *point, int which)
{
	const struct result_figures *figures = &point->figures;

	switch (which) {
	case P50:
		return figures->latency.p50_ns;
	case P95:
		return figures->latency.p95_ns;
	case P99:
		return figures->latency.p99_ns;
	case MAX:
		return figures->latency.max_ns;
	default:
		return figures->loop.p50_ns;
	}
}

struct table {
	const struct page *page;
	const struct result *result;
	int decimals[TIMES];
	bool loops; /* is their time known? */
};

static void choose_decimals(struct table *table)
{
	size_t i;
	int j;

	for (j = 0; j < TIMES; j++) {
		double min = INFINITY;

		for (i = 0; i < table->result->point_count; i++) {
			uint64_t ns = time_of(&table->result->points[i], j);

			if (ns > 0)
				min = fmin(min, (double)ns / units_ns[j]);
		}
		table->decimals[j] = min < 0.01  ? 4
				     : min < 1   ? 3
				     : min < 10  ? 2
				     : min < 100 ? 1
						      : 0;
		if (j == LOOP)
			table->loops = isfinite(min);
	}
}

/* --- rows ---------------------------------------------------------------- */

static void write_time(const struct table *table,
		       const struct result_point *point, int which)
{
	uint64_t ns = time_of(point, which);
	char text[MARKUP_TEXT];

	if (ns == 0)
		fputs("<td>\u2013</td>", table->page->stream);
	else
		fprintf(table->page->stream, "<td>%s</td>",
			markup_number((double)ns / units_ns[which],
				      table->decimals[which], text));
}

/* Against the valid point before it; NAN: there is none. */
static double gain_of(const struct table *table,
		      const struct result_point *point)
{
	double rate = page_rate(table->page, &point->figures);

	if (!table->page->by_operations)
		return point->gain;
	while (point > table->result->points) {
		point--;
		if (result_is_valid(point))
			return rate / page_rate(table->page,
						&point->figures) - 1;
	}
	return NAN;
}

static void write_rates(const struct table *table,
			const struct result_point *point)
{
	const struct page *page = table->page;
	struct page_range range = page_range(page, point);
	char one[MARKUP_TEXT], other[MARKUP_TEXT];
	double gain = gain_of(table, point);

	fprintf(page->stream, "<td><b>%s</b></td>",
		markup_number(range.middle, page->decimals, one));
	if (range.repeats > 1)
		fprintf(page->stream, "<td>%s to %s</td>",
			markup_number(range.min, page->decimals, one),
			markup_number(range.max, page->decimals, other));
	else
		fputs("<td>\u2013</td>", page->stream);
	fprintf(page->stream, "<td>%s</td>",
		isfinite(gain) ? markup_change(gain, one) : "\u2013");
	if (!page->by_operations)
		fprintf(page->stream, "<td>%s</td>",
			markup_number(point->figures.ops_per_s, 0, one));
}

static void write_row(const struct table *table,
		      const struct result_point *point)
{
	const struct page *page = table->page;
	const struct result_cpu *cpu = &point->figures.client_cpu;
	bool valid = result_is_valid(point);
	char text[MARKUP_TEXT];
	int i;

	fprintf(page->stream, "<tr%s><th scope=\"row\">%u%s</th>",
		point == page_peak(page, table->result) ? " class=\"best\""
							 : "",
		point->users,
		!valid ? " <a class=\"flag bad\" href=\"#invalid\">not valid"
			 "</a>"
		: point->warnings.count > 0
			? " <a class=\"flag warning\" href=\"#warnings\" "
			  "title=\"warning\">?</a>"
			: "");
	if (valid)
		write_rates(table, point);
	else
		fprintf(page->stream, "<td colspan=\"%d\">no figures</td>",
			page->by_operations ? 3 : 4);
	for (i = 0; i < TIMES; i++)
		if (i != LOOP || table->loops)
			write_time(table, point, i);
	fprintf(page->stream, "<td>%" PRIu64 "</td><td>%.0f %%</td><td>%s</td>",
		point->figures.mismatches, 100 * cpu->utilisation,
		markup_number(cpu->per_op_us, 1, text));
	fputs("</tr>\n", page->stream);
}

static void write_table(const struct page *page, size_t index)
{
	static const char *const columns[] = {
		"p50 ms", "p95 ms", "p99 ms", "max ms", "loop s", "errors",
		"client CPU", "\u00b5s an operation",
	};
	struct table table = {.page = page, .result = &page->results[index]};
	size_t i;

	if (table.result->point_count == 0)
		return;
	choose_decimals(&table);
	if (page->count > 1) {
		fputs("<h3>", page->stream);
		page_swatch(page, index);
		page_name(page, index);
		fputs("</h3>\n", page->stream);
	}
	page_begin_table(page, "points");
	fprintf(page->stream,
		"<thead><tr><th scope=\"col\">users</th>"
		"<th scope=\"col\">%s</th><th scope=\"col\">range</th>"
		"<th scope=\"col\">gain</th>", page->unit);
	if (!page->by_operations)
		fputs("<th scope=\"col\">ops/s</th>", page->stream);
	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (i != LOOP || table.loops)
			fprintf(page->stream, "<th scope=\"col\">%s</th>",
				columns[i]);
	fputs("</tr></thead>\n<tbody>\n", page->stream);
	for (i = 0; i < table.result->point_count; i++)
		write_row(&table, &table.result->points[i]);
	fputs("</tbody>\n", page->stream);
	page_end_table(page);
}

void page_points(const struct page *page)
{
	size_t i;

	if (page->user_count == 0)
		return;
	fputs("<section>\n<h2>Points</h2>\n", page->stream);
	for (i = 0; i < page->count; i++)
		write_table(page, i);
	fputs("<p class=\"note\">Rates and times are medians of the repeats, "
	      "gain is against the point before, errors are outcomes that "
	      "differ from the recorded ones.</p>\n</section>\n",
	      page->stream);
}

/* --- side by side -------------------------------------------------------- */

/* NAN: the result has no valid point with so many users. */
static double rate_at(const struct page *page, size_t index, unsigned users)
{
	const struct result_point *point =
		result_find_point(&page->results[index], users);

	return point != NULL && result_is_valid(point)
		       ? page_rate(page, &point->figures) : NAN;
}

static void write_comparison(const struct page *page, unsigned users)
{
	double base = rate_at(page, 0, users);
	char text[MARKUP_TEXT];
	size_t i;

	fprintf(page->stream, "<tr><th scope=\"row\">%u</th>", users);
	for (i = 0; i < page->count; i++) {
		double rate = rate_at(page, i, users);

		fprintf(page->stream, "<td>%s</td>",
			isnan(rate) ? "\u2013"
				    : markup_number(rate, page->decimals,
						    text));
		if (i > 0)
			fprintf(page->stream, "<td>%s</td>",
				isnan(rate) || isnan(base) || base <= 0
					? "\u2013"
					: markup_change(rate / base - 1, text));
	}
	fputs("</tr>\n", page->stream);
}

void page_comparison(const struct page *page)
{
	char letter[PAGE_LETTER];
	size_t i;

	if (page->count < 2 || page->user_count == 0)
		return;
	fputs("<section>\n<h2>Side by side</h2>\n", page->stream);
	page_begin_table(page, "comparison");
	fputs("<thead><tr><th scope=\"col\">users</th>", page->stream);
	for (i = 0; i < page->count; i++) {
		fputs("<th scope=\"col\">", page->stream);
		page_swatch(page, i);
		fprintf(page->stream, "%s</th>", page->unit);
		if (i > 0)
			fprintf(page->stream,
				"<th scope=\"col\">%s against A</th>",
				page_letter(i, letter));
	}
	fputs("</tr></thead>\n<tbody>\n", page->stream);
	for (i = 0; i < page->user_count; i++)
		write_comparison(page, page->users[i]);
	fputs("</tbody>\n", page->stream);
	page_end_table(page);
	fputs("<p class=\"note\">Medians of the "
	      "repeats. Results measured one after the other may differ by "
	      "drift alone: throng compare measures in pairs.</p>\n"
	      "</section>\n", page->stream);
}
