/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which operations the time went to: stacked columns, one for each number of
 * users; of a single point or of several results bars, at the peaks.
 */
#include "page/bars.h"
#include "page/page.h"
#include "page/ranking.h"

#include <math.h>
#include <stdlib.h>

/* So many operations have a colour; the last one stands for all others. */
#define COLOURS 8

/* So many have a bar. */
#define MOST_BARS 10

/* A column of the stack is no wider than that. */
#define WIDEST 72.0

/* --- columns ------------------------------------------------------------- */

struct stack {
	const struct page *page;
	struct chart chart;
	struct ranking ranking;
	const struct result_point **points; /* the valid ones */
	size_t count;
};

/* From below upwards; what a pointer is told is beside each. */
static void draw_column(const struct stack *stack,
			const struct result_point *point, double x,
			double width)
{
	const struct chart *chart = &stack->chart;
	double height = chart->bottom - chart->top, below = 0;
	char class[CHART_CLASS], users[PAGE_USERS];
	size_t i;

	for (i = 0; i < COLOURS && i < stack->ranking.count; i++) {
		const char *name = stack->ranking.names[i];
		bool others = i + 1 == COLOURS &&
			      stack->ranking.count > COLOURS;
		double share = others ? 1 - below
				      : ranking_share(&point->figures, name);

		if (isnan(share) || share <= 0)
			continue;
		below += share;
		fprintf(chart->stream,
			"<rect class=\"share %s\" x=\"%.1f\" y=\"%.1f\""
			" width=\"%.1f\" height=\"%.1f\"><title>%s\n",
			chart_series(i, class), x,
			chart->bottom - below * height, width, share * height,
			page_print_users(point->users, users));
		escape_markup(others ? "others" : name, chart->stream);
		fprintf(chart->stream, ": %.1f %%</title></rect>\n",
			100 * share);
	}
}

/* Names the columns for which there is room. */
static void draw_columns(const struct stack *stack)
{
	const struct chart *chart = &stack->chart;
	double room = (chart->right - chart->left) / (double)stack->count;
	double width = fmin(room * 0.82, WIDEST);
	size_t apart = (size_t)ceil(32 / room), i;

	fputs("<g class=\"x axis\">\n", chart->stream);
	for (i = 0; i < stack->count; i += apart)
		fprintf(chart->stream,
			"<text x=\"%.1f\" y=\"%g\" dy=\"1em\"%s>%u</text>\n",
			chart->left + room * ((double)i + 0.5),
			chart->bottom + 7,
			i / apart % 2 > 0 ? " class=\"roomy\"" : "",
			stack->points[i]->users);
	fprintf(chart->stream,
		"<text class=\"name\" x=\"%g\" y=\"%d\" dy=\"-.3em\">users"
		"</text>\n</g>\n",
		(chart->left + chart->right) / 2, chart->height);
	for (i = 0; i < stack->count; i++)
		draw_column(stack, stack->points[i],
			    chart->left + room * ((double)i + 0.5) - width / 2,
			    width);
}

static void write_legend(const struct stack *stack)
{
	const struct page *page = stack->page;
	char class[CHART_CLASS];
	size_t i;

	page_begin_legend(page);
	for (i = 0; i < COLOURS && i < stack->ranking.count; i++) {
		fprintf(page->stream, "<span><i class=\"box %s\"></i>",
			chart_series(i, class));
		escape_markup(i + 1 == COLOURS && stack->ranking.count > COLOURS
				    ? "others" : stack->ranking.names[i],
			    page->stream);
		fputs("</span>\n", page->stream);
	}
	page_end_legend(page);
}

static char *label_percent(double value, double step, char *text)
{
	(void)step;
	snprintf(text, MARKUP_TEXT, "%.0f %%", value);
	return text;
}

static void draw_stack(struct stack *stack)
{
	struct scale y = {0};

	write_legend(stack);
	chart_begin(&stack->chart, "Operations\u2019 share of the time",
		    "A column for each number of users, in it a part for each "
		    "operation.");
	y.start = stack->chart.bottom;
	y.end = stack->chart.top;
	scale_linear(&y, 100);
	chart_y_axis(&stack->chart, &y, "share of the time", label_percent);
	draw_columns(stack);
	chart_end(&stack->chart);
}

/* --- bars ---------------------------------------------------------------- */

static void fill_group(const struct page *page, struct bar_group *group,
		       const char *name, double *max)
{
	size_t i;

	group->label = name;
	for (i = 0; i < page->count; i++) {
		const struct result_point *peak =
			page_peak(page, &page->results[i]);
		struct bar *bar = &group->bars[group->count++];

		bar->series = i;
		bar->value = peak != NULL
				     ? ranking_share(&peak->figures, name)
				     : NAN;
		snprintf(bar->text, sizeof(bar->text), "%.1f %%",
			 100 * bar->value);
		*max = fmax(*max, bar->value);
	}
}

static void draw_bars(const struct page *page, const struct ranking *ranking)
{
	size_t count = ranking->count < MOST_BARS ? ranking->count : MOST_BARS;
	struct bar_group groups[MOST_BARS] = {0};
	struct bar *bars = calloc(MOST_BARS * page->count, sizeof(*bars));
	struct chart chart = {
		.stream = page->stream, .id = "shares", .class = "chart",
	};
	double max = 0;
	size_t i;

	if (bars == NULL)
		return;
	for (i = 0; i < count; i++) {
		groups[i].bars = &bars[i * page->count];
		fill_group(page, &groups[i], ranking->names[i], &max);
	}
	if (page->count > 1) {
		page_begin_legend(page);
		page_legend_results(page, "box");
		page_end_legend(page);
	}
	bars_draw(&chart, "Operations\u2019 share of the time",
		  "A bar for each operation.", max, groups, count);
	free(bars);
}

/* --- which of the two ---------------------------------------------------- */

/* The points that are asked: all valid ones, or the peaks. */
static size_t collect(const struct page *page,
		      const struct result_point **points)
{
	size_t count = 0, i;

	for (i = 0; page->count > 1 && i < page->count; i++) {
		points[count] = page_peak(page, &page->results[i]);
		count += points[count] != NULL;
	}
	for (i = 0; page->count == 1 && i < page->results->point_count; i++) {
		points[count] = &page->results->points[i];
		count += result_is_valid(points[count]);
	}
	return count;
}

void page_shares(const struct page *page)
{
	size_t room = page->count > 1 ? page->count : page->user_count, i;
	struct stack stack = {
		.page = page,
		.chart = {.stream = page->stream, .id = "shares",
			  .class = "chart"},
		.points = calloc(room + 1, sizeof(*stack.points)),
	};
	const struct result_figures **figures =
		calloc(room + 1, sizeof(*figures));
	bool columns, several = page->user_count > 1;

	if (stack.points != NULL && figures != NULL) {
		stack.count = collect(page, stack.points);
		for (i = 0; i < stack.count; i++)
			figures[i] = &stack.points[i]->figures;
		columns = page->count == 1 && stack.count > 1;
		if (ranking_make(&stack.ranking, figures, stack.count) == 0 &&
		    stack.ranking.count > 0) {
			page_begin_figure(page, several && !columns
						? "Operations\u2019 share of "
						  "the time, at the peak"
						: "Operations\u2019 share of "
						  "the time");
			if (columns)
				draw_stack(&stack);
			else
				draw_bars(page, &stack.ranking);
			page_end_figure(page);
		}
	}
	ranking_free(&stack.ranking);
	free(stack.points);
	free(figures);
}
