/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Throughput against users: repeats, medians and the law fitted to them. Of
 * one number of users alone: a bar for each repeat.
 */
#include "page/bars.h"
#include "page/page.h"
#include "page/plot.h"
#include "stats/usl.h"

#include <math.h>
#include <stdlib.h>

/* Of what the fitted curve is drawn. */
#define CURVE_DOTS 97

/* --- the law ------------------------------------------------------------- */

/* It is one of MB/s. */
static bool has_curve(const struct page *page, size_t index)
{
	return page->results[index].usl.fitted && !page->by_operations &&
	       page->results[index].point_count > 0;
}

/* Within what was measured; evenly along the axis, whichever that is. */
static void draw_curve(const struct plot *plot, size_t index)
{
	const struct result *result = &plot->page->results[index];
	unsigned first = result->points[0].users;
	unsigned last = result->points[result->point_count - 1].users;
	struct chart_dot dots[CURVE_DOTS];
	size_t i;

	for (i = 0; i < CURVE_DOTS; i++) {
		double share = (double)i / (CURVE_DOTS - 1);
		double users = plot->x.logarithmic
				       ? first * pow((double)last / first,
						     share)
				       : first + share * (last - first);

		dots[i].x = scale_place(&plot->x, users);
		dots[i].y = scale_place(&plot->y, usl_at(&result->usl, users));
	}
	chart_line(&plot->chart, "fit", index, dots, CURVE_DOTS);
}

static void tell_estimate(const struct page *page, const char *name,
			  const struct result_estimate *estimate)
{
	fprintf(page->stream, "%s\u00a0%.4g (%.4g to %.4g)", name,
		estimate->value, estimate->low, estimate->high);
}

static void tell_curve(const struct page *page, size_t index)
{
	const struct result_usl *law = &page->results[index].usl;

	fputs("<p class=\"note\">", page->stream);
	if (page->count > 1)
		page_swatch(page, index);
	fputs("Universal Scalability Law, in brackets its 95 % intervals: ",
	      page->stream);
	tell_estimate(page, "contention \u03b1", &law->alpha);
	tell_estimate(page, ", coherency \u03b2", &law->beta);
	tell_estimate(page, ", one user \u03b3", &law->gamma);
	fputs(" MB/s; ", page->stream);
	if (isnan(law->peak_users))
		fputs("no peak within what was measured", page->stream);
	else
		fprintf(page->stream, "peak at %.0f users", law->peak_users);
	fputs(".</p>\n", page->stream);
}

/* --- against users ------------------------------------------------------- */

static double rate_of(const struct page *page, const struct result_point *point,
		      size_t which)
{
	(void)which;
	return result_is_valid(point) ? page_rate(page, &point->figures) : NAN;
}

static void draw_result(struct plot *plot, size_t index)
{
	const struct page *page = plot->page;
	const struct result *result = &page->results[index];
	char letter[PAGE_LETTER];
	struct chart_dot dot;
	size_t i, j;

	if (has_curve(page, index))
		draw_curve(plot, index);
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		dot.x = scale_place(&plot->x, point->users);
		for (j = 0; j < point->repeat_count; j++) {
			const struct result_repeat *repeat = &point->repeats[j];

			if (!result_repeat_is_valid(repeat))
				continue;
			dot.y = scale_place(&plot->y,
					    page_rate(page, &repeat->figures));
			chart_dot(&plot->chart, "repeat", index, dot,
				  0.8 * plot->radius);
		}
	}
	plot_line(plot, result,
		  has_curve(page, index) ? "line fitted" : "line", index,
		  rate_of, 0,
		  page->count > 1 ? page_letter(index, letter) : NULL);
	plot_invalid(plot, result);
}

/* The best point of the only result. */
static void draw_peak(const struct plot *plot)
{
	const struct page *page = plot->page;
	const struct result_point *peak = page_peak(page, page->results);
	char rate[PAGE_RATE];
	double x, y, half = 52;

	if (page->count > 1 || peak == NULL)
		return;
	x = scale_place(&plot->x, peak->users);
	y = scale_place(&plot->y, page_range(page, peak).max);
	x = fmin(fmax(x, plot->chart.left + half), plot->chart.right - half);
	fprintf(page->stream,
		"<text class=\"peak\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", x,
		y - 11,
		page_print_rate(page, page_rate(page, &peak->figures), rate));
}

static void write_legend(const struct page *page)
{
	/* Among several the grey one stands for all. */
	size_t series = page->count > 1 ? 7 : 0;
	bool curves = false, warnings = false, invalid = false, repeats = false;
	size_t i, j;

	for (i = 0; i < page->count; i++) {
		curves = curves || has_curve(page, i);
		for (j = 0; j < page->results[i].point_count; j++) {
			const struct result_point *point =
				&page->results[i].points[j];

			warnings = warnings || point->warnings.count > 0;
			invalid = invalid || !result_is_valid(point);
			repeats = repeats || point->repeat_count > 1;
		}
	}
	page_begin_legend(page);
	if (page->count > 1)
		page_legend_results(page, "line");
	else
		page_legend(page, curves ? "line fitted" : "line", series,
			    "median");
	if (repeats)
		page_legend(page, "dot", series, "repeat");
	if (curves)
		page_legend(page, "fit", series, "fitted curve");
	if (warnings)
		page_legend(page, "ring", series, "warning");
	if (invalid)
		page_legend(page, "void", series, "not valid");
	page_end_legend(page);
}

static void draw_curves(struct plot *plot)
{
	const struct page *page = plot->page;
	char text[160];
	size_t i;

	snprintf(text, sizeof(text),
		 "A dot for each repeat and a line through their medians, for "
		 "%zu numbers of users from %u to %u.", page->user_count,
		 page->users[0], page->users[page->user_count - 1]);
	write_legend(page);
	plot->chart.id = "throughput";
	chart_begin(&plot->chart, "Throughput against users", text);
	plot_users(plot, page->count > 1 ? 20 : 0);
	scale_linear(&plot->y, 1.08 * page->max_rate);
	chart_y_axis(&plot->chart, &plot->y, page->unit, chart_label_number);
	for (i = 0; i < page->count; i++)
		draw_result(plot, i);
	draw_peak(plot);
	plot_finish(plot);
	chart_end(&plot->chart);
	for (i = 0; i < page->count; i++)
		if (has_curve(page, i))
			tell_curve(page, i);
}

/* --- of one number of users ---------------------------------------------- */

static void fill_group(const struct page *page, size_t index,
		       struct bar_group *group)
{
	const struct result_point *point =
		result_find_point(&page->results[index], page->users[0]);
	size_t i;

	for (i = 0; point != NULL && i < point->repeat_count; i++) {
		struct bar *bar = &group->bars[group->count];
		double rate = page_rate(page, &point->repeats[i].figures);

		if (!result_repeat_is_valid(&point->repeats[i]))
			continue;
		bar->value = rate;
		bar->series = index;
		page_print_rate(page, rate, bar->text);
		group->count++;
	}
}

/* A group for each result that has something to show. */
static void draw_bars(const struct page *page)
{
	struct chart chart = {
		.stream = page->stream, .id = "throughput", .class = "chart",
	};
	struct bar_group *groups = calloc(page->count, sizeof(*groups));
	char (*letters)[PAGE_LETTER] = calloc(page->count, sizeof(*letters));
	size_t count = 0, i;

	for (i = 0; groups != NULL && letters != NULL && i < page->count; i++) {
		struct bar_group *group = &groups[count];

		if (page->results[i].point_count == 0)
			continue;
		group->bars = calloc(page->results[i].points[0].repeat_count,
				     sizeof(*group->bars));
		if (group->bars == NULL)
			break;
		group->label = page->count > 1 ? page_letter(i, letters[i])
					       : "each repeat";
		fill_group(page, i, group);
		count++;
	}
	bars_draw(&chart, "Throughput", "A bar for each repeat.",
		  page->max_rate, groups, count);
	for (i = 0; i < count; i++)
		free(groups[i].bars);
	free(groups);
	free(letters);
}

/* A single bar says less than the headline. */
static bool is_worth_bars(const struct page *page)
{
	size_t repeats = 0, i;

	for (i = 0; i < page->count; i++)
		if (page->results[i].point_count > 0)
			repeats += page->results[i].points[0].repeat_count;
	return repeats > 1;
}

void page_throughput(const struct page *page)
{
	char users[PAGE_USERS], heading[PAGE_USERS + 24];
	struct plot plot;

	if (page->max_rate <= 0)
		return;
	if (plot_is_possible(page)) {
		page_begin_figure(page, "Throughput against users");
		if (plot_init(&plot, page, page->count) == 0)
			draw_curves(&plot);
		plot_free(&plot);
		page_end_figure(page);
	} else if (is_worth_bars(page)) {
		snprintf(heading, sizeof(heading), "Throughput with %s",
			 page_print_users(page->users[0], users));
		page_begin_figure(page, heading);
		draw_bars(page);
		page_end_figure(page);
	}
}
