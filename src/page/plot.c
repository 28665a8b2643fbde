/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Dots stand off the ends of the axis by that. */
#define MARGIN 14.0

/* More numbers of users have small dots. */
#define CROWD 32

bool plot_is_possible(const struct page *page)
{
	return page->user_count >= 2;
}

int plot_init(struct plot *plot, const struct page *page, size_t lines)
{
	*plot = (struct plot){
		.page = page,
		.chart = {.stream = page->stream, .class = "chart"},
		.radius = page->user_count > CROWD ? 2.4 : 4,
		.dots = calloc(page->user_count, sizeof(*plot->dots)),
		.marks = calloc(lines, sizeof(*plot->marks)),
	};
	return plot->dots != NULL && plot->marks != NULL ? 0 : -ENOMEM;
}

void plot_free(struct plot *plot)
{
	free(plot->dots);
	free(plot->marks);
}

void plot_users(struct plot *plot, double room)
{
	plot->chart.right -= room;
	plot->x.start = plot->chart.left + MARGIN;
	plot->x.end = plot->chart.right - MARGIN;
	scale_users(&plot->x, plot->page->users, plot->page->user_count);
	plot->y.start = plot->chart.bottom;
	plot->y.end = plot->chart.top;
	chart_x_axis(&plot->chart, &plot->x, "users", chart_label_number);
}

static void add_mark(struct plot *plot, size_t series, size_t count,
		     const char *text)
{
	struct chart_mark *mark = &plot->marks[plot->mark_count++];

	*mark = (struct chart_mark){.series = series, .y = NAN};
	snprintf(mark->text, sizeof(mark->text), "%s", text);
	while (count > 0 && isnan(mark->y))
		mark->y = plot->dots[--count].y;
}

void plot_line(struct plot *plot, const struct result *result,
	       const char *class, size_t series,
	       double (*value)(const struct page *page,
			       const struct result_point *point,
			       size_t which),
	       size_t which, const char *text)
{
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		double known = value(plot->page, point, which);

		plot->dots[i].x = scale_place(&plot->x, point->users);
		plot->dots[i].y = isnan(known) ? NAN
					       : scale_place(&plot->y, known);
	}
	chart_line(&plot->chart, class, series, plot->dots,
		   result->point_count);
	for (i = 0; i < result->point_count; i++)
		chart_dot(&plot->chart,
			  result->points[i].warnings.count > 0 ? "middle warned"
							     : "middle",
			  series, plot->dots[i], plot->radius);
	if (text != NULL)
		add_mark(plot, series, result->point_count, text);
}

void plot_invalid(const struct plot *plot, const struct result *result)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		if (!result_is_valid(&result->points[i]))
			chart_cross(&plot->chart, (struct chart_dot){
				scale_place(&plot->x, result->points[i].users),
				plot->chart.bottom});
}

/* --- what a pointer is told ---------------------------------------------- */

static void tell_point(const struct page *page, size_t index,
		       const struct result_point *point)
{
	const struct result_latency *latency = &point->figures.latency;
	struct page_range range = page_range(page, point);
	char one[MARKUP_TEXT], other[MARKUP_TEXT], rate[PAGE_RATE];

	fputc('\n', page->stream);
	if (page->count > 1)
		fprintf(page->stream, "%s: ", page_letter(index, one));
	if (!result_is_valid(point)) {
		fputs("not valid", page->stream);
		return;
	}
	fputs(page_print_rate(page, range.middle, rate), page->stream);
	if (range.repeats > 1)
		fprintf(page->stream, " (%s to %s)",
			markup_number(range.min, page->decimals, one),
			markup_number(range.max, page->decimals, other));
	if (latency->p50_ns > 0)
		fprintf(page->stream, ", p50 %s",
			markup_latency(latency->p50_ns, one));
	if (latency->p99_ns > 0)
		fprintf(page->stream, ", p99 %s",
			markup_latency(latency->p99_ns, one));
	fprintf(page->stream, ", max %s", markup_latency(latency->max_ns, one));
	if (point->warnings.count > 0)
		fputs(" (warning)", page->stream);
}

void plot_finish(struct plot *plot)
{
	const struct page *page = plot->page;
	double from = plot->chart.left, to = from;
	size_t i, j;

	chart_marks(&plot->chart, plot->marks, plot->mark_count);
	for (i = 0; i < page->user_count; i++, from = to) {
		char users[PAGE_USERS];

		to = plot->chart.right;
		if (i + 1 < page->user_count)
			to = (scale_place(&plot->x, page->users[i]) +
			      scale_place(&plot->x, page->users[i + 1])) / 2;
		chart_begin_area(&plot->chart, from, to);
		fputs(page_print_users(page->users[i], users), page->stream);
		for (j = 0; j < page->count; j++) {
			const struct result_point *point = result_find_point(
				&page->results[j], page->users[i]);

			if (point != NULL)
				tell_point(page, j, point);
		}
		chart_end_area(&plot->chart);
	}
}
