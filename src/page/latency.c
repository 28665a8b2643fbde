/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Percentiles of latency against users. Of one number of users alone: a row
 * for each percentile.
 */
#include "page/page.h"
#include "page/plot.h"

#include <math.h>

/* In the order of rows; the series are the colours that they have when one
 * result is shown. */
static const struct percentile {
	const char *name;
	size_t at; /* in struct result_latency */
	size_t series;
	const char *class; /* of its line where one result is shown */
	bool drawn;        /* against users */
	bool compared;     /* of several results, against users */
} percentiles[] = {
#define AT(field) offsetof(struct result_latency, field)
	{"p50", AT(p50_ns), 2, "line", true, true},
	{"p90", AT(p90_ns), 5, "line", false, false},
	{"p95", AT(p95_ns), 4, "line", true, false},
	{"p99", AT(p99_ns), 1, "line", true, true},
	{"p99.9", AT(p99_9_ns), 3, "line", false, false},
	{"max", AT(max_ns), 7, "line faint", true, false},
#undef AT
};
#define PERCENTILES (sizeof(percentiles) / sizeof(percentiles[0]))

/* NAN where it is not known. */
static double latency_of(const struct page *page,
			 const struct result_point *point, size_t which)
{
	uint64_t ns = *(const uint64_t *)((const char *)&point->figures.latency
					  + percentiles[which].at);

	(void)page;
	return result_is_valid(point) && ns > 0 ? (double)ns : NAN;
}

static bool is_shown(const struct page *page, size_t which)
{
	return !plot_is_possible(page) ||
	       (page->count > 1 ? percentiles[which].compared
				: percentiles[which].drawn);
}

/* The range of all that is shown. Is there any? */
static bool find_range(const struct page *page, double *min, double *max)
{
	size_t i, j, k;

	*min = INFINITY;
	*max = 0;
	for (i = 0; i < page->count; i++) {
		const struct result *result = &page->results[i];

		for (j = 0; j < result->point_count; j++) {
			for (k = 0; k < PERCENTILES; k++) {
				double ns = latency_of(
					page, &result->points[j], k);

				if (!is_shown(page, k))
					continue;
				*min = fmin(*min, ns);
				*max = fmax(*max, ns);
			}
		}
	}
	return *max > 0;
}

/* --- against users ------------------------------------------------------- */

static void draw_lines(struct plot *plot, size_t index)
{
	const struct page *page = plot->page;
	const struct result *result = &page->results[index];
	char letter[PAGE_LETTER], mark[24];
	size_t i;

	for (i = 0; i < PERCENTILES; i++) {
		const struct percentile *percentile = &percentiles[i];

		if (!is_shown(page, i))
			continue;
		if (page->count == 1) {
			plot_line(plot, result, percentile->class,
				  percentile->series, latency_of, i,
				  percentile->name);
			continue;
		}
		snprintf(mark, sizeof(mark), "%s %s",
			 page_letter(index, letter), percentile->name);
		plot_line(plot, result, i == 0 ? "line faint" : "line", index,
			  latency_of, i, mark);
	}
	plot_invalid(plot, result);
}

static void write_legend(const struct page *page)
{
	size_t i;

	page_begin_legend(page);
	if (page->count > 1) {
		page_legend_results(page, "line");
		page_legend(page, "line faint", 7, "p50");
		page_legend(page, "line", 7, "p99");
	} else {
		for (i = PERCENTILES; i-- > 0;)
			if (is_shown(page, i))
				page_legend(page, percentiles[i].class,
					    percentiles[i].series,
					    percentiles[i].name);
	}
	page_end_legend(page);
}

static void draw_curves(struct plot *plot, double min, double max)
{
	const struct page *page = plot->page;
	size_t i;

	write_legend(page);
	plot->chart.id = "latency";
	chart_begin(&plot->chart, "Latency against users",
		    page->count > 1
			    ? "Of each result a line for the median and one "
			      "for the 99th percentile."
			    : "A line for each percentile and one for the "
			      "longest.");
	plot_users(plot, page->count > 1 ? 52 : 42);
	scale_wide(&plot->y, min, 1.05 * max);
	chart_y_axis(&plot->chart, &plot->y,
		     plot->y.logarithmic ? "latency, logarithmic" : "latency",
		     chart_label_duration);
	for (i = 0; i < page->count; i++)
		draw_lines(plot, i);
	plot_finish(plot);
	chart_end(&plot->chart);
}

/* --- of one number of users ---------------------------------------------- */

#define ROW_HEIGHT 40.0

static void draw_row(const struct page *page, const struct chart *chart,
		     const struct scale *x, size_t which)
{
	double y = chart->top + ROW_HEIGHT * ((double)which + 0.5);
	char text[MARKUP_TEXT], class[CHART_CLASS];
	size_t i;

	fprintf(page->stream,
		"<g class=\"y axis\"><path d=\"M%g %gH%g\"/><text x=\"%g\" "
		"y=\"%g\" dy=\".35em\">%s</text></g>\n",
		chart->left, y, chart->right, chart->left - 8, y,
		percentiles[which].name);
	for (i = 0; i < page->count; i++) {
		const struct result_point *point = result_find_point(
			&page->results[i], page->users[0]);
		double ns = point != NULL ? latency_of(page, point, which)
					  : NAN;
		double place = isnan(ns) ? NAN : scale_place(x, ns);

		if (isnan(ns))
			continue;
		chart_dot(chart, "percentile", page->count > 1 ? i : 0,
			  (struct chart_dot){place, y}, 6);
		if (page->count == 1)
			fprintf(page->stream,
				"<text class=\"value %s\" x=\"%.1f\" y=\"%g\""
				" dy=\"-.6em\">%s</text>\n",
				chart_series(0, class), place, y,
				markup_duration(ns, text));
	}
}

static void draw_rows(const struct page *page, double min, double max)
{
	struct chart chart = {
		.stream = page->stream, .id = "latency",
		.class = "chart rows", .width = 640,
		.left = 72, .top = 14, .right = 610,
	};
	struct scale x = {.start = chart.left + 14, .end = chart.right - 14};
	size_t i;

	if (page->count > 1) {
		page_begin_legend(page);
		page_legend_results(page, "dot");
		page_end_legend(page);
	}
	chart.bottom = chart.top + ROW_HEIGHT * PERCENTILES + 4;
	chart.height = (int)chart.bottom + 58;
	scale_wide(&x, min, max);
	chart_begin(&chart, "Latency", "A row for each percentile.");
	chart_x_axis(&chart, &x,
		     x.logarithmic ? "latency, logarithmic" : "latency",
		     chart_label_duration);
	for (i = 0; i < PERCENTILES; i++)
		draw_row(page, &chart, &x, i);
	chart_end(&chart);
}

void page_latency(const struct page *page)
{
	char users[PAGE_USERS], heading[PAGE_USERS + 24];
	struct plot plot;
	double min, max;

	if (!find_range(page, &min, &max))
		return;
	if (plot_is_possible(page)) {
		page_begin_figure(page, "Latency against users");
		if (plot_init(&plot, page, page->count * PERCENTILES) == 0)
			draw_curves(&plot, min, max);
		plot_free(&plot);
	} else {
		snprintf(heading, sizeof(heading), "Latency with %s",
			 page_print_users(page->users[0], users));
		page_begin_figure(page, heading);
		draw_rows(page, min, max);
	}
	page_end_figure(page);
}
