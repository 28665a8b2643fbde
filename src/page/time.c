/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Throughput over time: of the peak with the 99th percentile below it, and
 * small of every point, because what is steady at one need not be at another.
 */
#include "page/page.h"

#include <math.h>
#include <stdlib.h>

/* More seconds than that are drawn as the means of so many parts, beneath
 * which a band reaches from the least to the most. */
#define FINE_PARTS 280
#define COARSE_PARTS 50

/* --- a repeat as a line -------------------------------------------------- */

/* What is drawn of a second; NAN where it is not known. */
typedef double (*second_value)(const struct result_second *second);

static double rate_of(const struct result_second *second)
{
	return second->mb_per_s;
}

static double p99_of(const struct result_second *second)
{
	return second->p99_ns > 0 ? (double)second->p99_ns : NAN;
}

struct trace {
	const struct chart *chart;
	const struct scale *x, *y;
	second_value value;
	size_t parts;
};

/* The mean, the least and the most of a part's seconds. */
struct part {
	double at_s, mean, min, max;
};

static struct part take_part(const struct trace *trace,
			     const struct result_repeat *repeat, size_t from,
			     size_t to)
{
	struct part part = {.min = INFINITY, .max = -INFINITY};
	size_t known = 0, i;

	for (i = from; i < to; i++) {
		double value = trace->value(&repeat->per_second[i]);

		part.at_s += repeat->per_second[i].at_s / (double)(to - from);
		if (isnan(value))
			continue;
		known++;
		part.mean += value;
		part.min = fmin(part.min, value);
		part.max = fmax(part.max, value);
	}
	part.mean = known > 0 ? part.mean / (double)known : NAN;
	return part;
}

/* There and back again. */
static void draw_band(const struct trace *trace, const struct part *parts,
		      size_t count, size_t series)
{
	char class[CHART_CLASS];
	size_t i;

	fprintf(trace->chart->stream, "<path class=\"band %s\" d=\"",
		chart_series(series, class));
	for (i = 0; i < 2 * count; i++) {
		const struct part *part =
			&parts[i < count ? i : 2 * count - 1 - i];
		double value = i < count ? part->max : part->min;

		if (!isnan(part->mean))
			fprintf(trace->chart->stream, "%c%.1f %.1f",
				i == 0 ? 'M' : 'L',
				scale_place(trace->x, part->at_s),
				scale_place(trace->y, value));
	}
	fputs("\"/>\n", trace->chart->stream);
}

static void draw_trace(const struct trace *trace,
		       const struct result_repeat *repeat, size_t series)
{
	size_t seconds = repeat->second_count, i;
	/* Parts of hardly more than a second would be uneven. */
	size_t count = 2 * seconds < 3 * trace->parts ? seconds : trace->parts;
	struct part *parts = calloc(count + 1, sizeof(*parts));
	struct chart_dot *dots = calloc(count + 1, sizeof(*dots));
	bool known = count > 0;

	for (i = 0; parts != NULL && dots != NULL && i < count; i++) {
		parts[i] = take_part(trace, repeat, i * seconds / count,
				     (i + 1) * seconds / count);
		dots[i].x = scale_place(trace->x, parts[i].at_s);
		dots[i].y = isnan(parts[i].mean)
				    ? NAN
				    : scale_place(trace->y, parts[i].mean);
		known = known && !isnan(dots[i].y);
	}
	if (parts != NULL && dots != NULL && count > 0) {
		if (count < seconds && known)
			draw_band(trace, parts, count, series);
		chart_line(trace->chart, "trace", series, dots, count);
	}
	free(parts);
	free(dots);
}

/* --- what of a point is known -------------------------------------------- */

struct extent {
	double seconds, rate, min_p99, max_p99;
};

static void extend(struct extent *extent, const struct result_point *point)
{
	size_t i, j;

	for (i = 0; i < point->repeat_count; i++) {
		const struct result_repeat *repeat = &point->repeats[i];

		for (j = 0; j < repeat->second_count; j++) {
			const struct result_second *second =
				&repeat->per_second[j];
			double p99 = p99_of(second);

			extent->seconds = fmax(extent->seconds, second->at_s);
			extent->rate = fmax(extent->rate, second->mb_per_s);
			extent->min_p99 = fmin(extent->min_p99, p99);
			extent->max_p99 = fmax(extent->max_p99, p99);
		}
	}
}

static struct extent extent_of(const struct result_point *point)
{
	struct extent extent = {.min_p99 = INFINITY};

	if (point != NULL && result_is_valid(point))
		extend(&extent, point);
	return extent;
}

/* --- the peaks ----------------------------------------------------------- */

static void draw_peaks(const struct page *page, const struct trace *trace)
{
	size_t i, j;

	for (i = 0; i < page->count; i++) {
		const struct result_point *peak =
			page_peak(page, &page->results[i]);

		for (j = 0; peak != NULL && j < peak->repeat_count; j++)
			draw_trace(trace, &peak->repeats[j], i);
	}
}

static void draw_rates(const struct page *page, struct chart *chart,
		       const struct scale *x, const struct extent *extent)
{
	struct scale y = {.start = chart->bottom, .end = chart->top};
	struct trace trace = {chart, x, &y, rate_of, FINE_PARTS};

	scale_linear(&y, 1.05 * extent->rate);
	chart_y_axis(chart, &y, "MB/s", chart_label_number);
	draw_peaks(page, &trace);
}

static void draw_p99(const struct page *page, struct chart *chart,
		     const struct scale *x, const struct extent *extent)
{
	struct scale y = {.start = chart->bottom, .end = chart->top};
	struct trace trace = {chart, x, &y, p99_of, FINE_PARTS};

	scale_wide(&y, extent->min_p99, 1.05 * extent->max_p99);
	chart_y_axis(chart, &y,
		     y.logarithmic ? "p99, logarithmic" : "p99",
		     chart_label_duration);
	draw_peaks(page, &trace);
}

/* The two share the axis of time, if there are two. */
static void draw_main(const struct page *page, const struct extent *extent)
{
	struct chart chart = {
		.stream = page->stream, .id = "time", .class = "chart",
	};
	bool both = extent->max_p99 > 0;
	struct scale x = {0};

	chart_begin(&chart, "Throughput over time",
		    "A line for each repeat, second by second.");
	x.start = chart.left;
	x.end = chart.right - 6;
	scale_up_to(&x, extent->seconds);
	chart_x_axis(&chart, &x, "seconds", chart_label_number);
	if (both) {
		chart.bottom = 186;
		draw_rates(page, &chart, &x, extent);
		chart.top = 230;
		chart.bottom = 322;
		draw_p99(page, &chart, &x, extent);
	} else {
		draw_rates(page, &chart, &x, extent);
	}
	chart_end(&chart);
}

/* --- all of them, small -------------------------------------------------- */

static void draw_small(const struct page *page,
		       const struct result_point *point, double seconds)
{
	struct extent extent = extent_of(point);
	struct chart chart = {
		.stream = page->stream, .class = "small", .id = "",
		.width = 200, .height = 84,
		.left = 1, .top = 4, .right = 199, .bottom = 83,
	};
	struct scale x = {.start = 1, .end = 199};
	struct scale y = {.start = 83, .end = 4};
	struct trace trace = {&chart, &x, &y, rate_of, COARSE_PARTS};
	char users[PAGE_USERS], rate[PAGE_RATE];
	size_t i;

	scale_up_to(&x, seconds);
	scale_up_to(&y, 1.05 * extent.rate);
	fprintf(page->stream,
		"<div><p>%s <span>%s</span></p>\n<svg class=\"small\" "
		"role=\"img\" viewBox=\"0 0 %d %d\"><title>%s over time"
		"</title>\n<path class=\"base\" d=\"M0 83.5H200\"/>\n",
		page_print_users(point->users, users),
		page_print_rate(page, page_rate(page, &point->figures), rate),
		chart.width, chart.height, users);
	for (i = 0; i < point->repeat_count; i++)
		draw_trace(&trace, &point->repeats[i], 0);
	fputs("</svg></div>\n", page->stream);
}

static void draw_all_small(const struct page *page)
{
	const struct result *result = page->results;
	double seconds = 0;
	size_t i;

	for (i = 0; i < result->point_count; i++)
		seconds = fmax(seconds, extent_of(&result->points[i]).seconds);
	fputs("<figure class=\"all\">\n<h2>Over time, each point</h2>\n"
	      "<p class=\"note\">Each from 0 to its own maximum: what counts "
	      "is the shape.</p>\n<div class=\"smalls\">\n", page->stream);
	for (i = 0; i < result->point_count; i++)
		if (extent_of(&result->points[i]).seconds > 0)
			draw_small(page, &result->points[i], seconds);
	fputs("</div>\n</figure>\n", page->stream);
}

void page_time(const struct page *page)
{
	struct extent extent = {.min_p99 = INFINITY};
	char heading[PAGE_USERS + 32], users[PAGE_USERS];
	const struct result_point *peak;
	size_t i;

	for (i = 0; i < page->count; i++) {
		peak = page_peak(page, &page->results[i]);
		if (peak != NULL)
			extend(&extent, peak);
	}
	if (extent.seconds <= 0 || extent.rate <= 0)
		return;
	peak = page_peak(page, page->results);
	if (page->count > 1 || peak == NULL)
		snprintf(heading, sizeof(heading), "Over time, at the peak");
	else
		snprintf(heading, sizeof(heading), "Over time, with %s",
			 page_print_users(peak->users, users));
	page_begin_figure(page, heading);
	page_begin_legend(page);
	if (page->count > 1)
		page_legend_results(page, "line");
	else
		page_legend(page, "line", 0, "a line for each repeat");
	page_end_legend(page);
	draw_main(page, &extent);
	page_end_figure(page);
	if (page->count == 1 && page->results->point_count > 1)
		draw_all_small(page);
}
