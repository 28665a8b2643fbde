/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A chart of throughput and 99th percentile over time, with a line for each
 * repeat of the chosen points.
 */
#include "page/chart.h"
#include "page/page.h"
#include "report/rate.h"

#include <math.h>
#include <stdlib.h>

/* Max number of parts of a line. A line of more seconds is divided into parts
 * of several seconds, and each part is drawn as one dot at its mean. */
enum { PARTS = 280 };

/* One of the two drawings, of throughput or of latency: it shows one value per
 * second. */
struct panel {
	const struct page *page;
	const struct chart *chart;
	struct scale x, y;
	/* The value, or NAN. */
	double (*value)(const struct result_second *second);
	/* The ranges of both axes: 0 to seconds, min to max. */
	double seconds, min, max;
	size_t longest; /* max number of seconds of a repeat */
};

static double rate_of(const struct result_second *second)
{
	return rate_shown(second->mb_per_s);
}

static double p99_of(const struct result_second *second)
{
	return second->p99_ms;
}

/* Call a function for each repeat that is shown. */
static void for_each(struct panel *panel,
		     void (*each)(struct panel *panel, const struct result_repeat *repeat,
				  size_t series))
{
	size_t i, j;

	for (i = 0; i < panel->page->count; i++) {
		const struct result_point *point = panel->page->chosen[i];

		for (j = 0; point != NULL && j < point->repeat_count; j++)
			each(panel, &point->repeats[j], i);
	}
}

/* Extend the ranges of the axes, so that they include a repeat. */
static void extend(struct panel *panel, const struct result_repeat *repeat, size_t series)
{
	size_t i;

	if (repeat->second_count > panel->longest)
		panel->longest = repeat->second_count;
	for (i = 0; i < repeat->second_count; i++) {
		double value = panel->value(&repeat->seconds[i]);

		panel->seconds = fmax(panel->seconds, repeat->seconds[i].at_s);
		panel->min = fmin(panel->min, value);
		panel->max = fmax(panel->max, value);
	}
}

/* Return the dot at the mean of the known values of some seconds. */
static struct chart_dot take_part(const struct panel *panel, const struct result_second *seconds,
				  size_t count)
{
	double at_s = 0, sum = 0;
	size_t known = 0, i;

	for (i = 0; i < count; i++) {
		double value = panel->value(&seconds[i]);

		at_s += seconds[i].at_s / (double)count;
		sum += isnan(value) ? 0 : value;
		known += !isnan(value);
	}
	return (struct chart_dot){
		.x = scale_place(&panel->x, at_s),
		.y = known > 0 ? scale_place(&panel->y, sum / (double)known) : NAN,
	};
}

static void draw_repeat(struct panel *panel, const struct result_repeat *repeat, size_t series)
{
	size_t seconds = repeat->second_count, i;
	/* Draw a dot per second if some parts would have one second and others
	 * two: such a line would be uneven. */
	size_t count = 2 * seconds < 3 * PARTS ? seconds : PARTS;
	struct chart_dot dots[3 * PARTS / 2];

	for (i = 0; i < count; i++) {
		size_t from = i * seconds / count;

		dots[i] = take_part(panel, &repeat->seconds[from],
				    (i + 1) * seconds / count - from);
	}
	if (count > 0)
		chart_line(panel->chart, "trace", series, dots, count);
}

void page_time(const struct page *page)
{
	struct chart chart = chart_of(page->stream, "time");
	struct panel rate = {
		.page = page,
		.chart = &chart,
		.value = rate_of,
		.x = {.start = chart.left, .end = chart.right - 6},
		.y = {.start = 186, .end = chart.top},
	};
	struct panel p99 = {
		.page = page,
		.chart = &chart,
		.value = p99_of,
		.y = {.start = chart.bottom, .end = 230},
		.min = INFINITY,
	};

	for_each(&rate, extend);
	for_each(&p99, extend);
	/* A line needs at least two dots, and so two seconds. */
	if (rate.longest < 2 || rate.max <= 0)
		return;
	chart_begin(&chart,
		    page->count == 1 && page->row_count > 1 ? "Over time, at the peak"
							    : "Over time",
		    "A line for each repeat.");
	scale_up_to(&rate.x, rate.seconds);
	chart_x_axis(&chart, &rate.x, "seconds");
	scale_linear(&rate.y, 1.05 * rate.max);
	chart_y_axis(&chart, &rate.y, rate_unit(), chart_label_number);
	for_each(&rate, draw_repeat);
	if (p99.max > 0) {
		p99.x = rate.x;
		scale_wide(&p99.y, p99.min, 1.05 * p99.max);
		chart_y_axis(&chart, &p99.y, p99.y.logarithmic ? "p99, logarithmic" : "p99",
			     chart_label_ms);
		for_each(&p99, draw_repeat);
	}
	chart_end(&chart);
	fputs("<p class=\"note\">A line for each repeat.</p>\n</figure>\n", page->stream);
}
