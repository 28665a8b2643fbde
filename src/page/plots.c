/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plots of throughput and latency by number of users. If there is only one user
 * count, they are by value of --sweep or, without it, by repeat. The fitted
 * scaling law is drawn with the throughput.
 */
#include "page/chart.h"
#include "page/page.h"
#include "report/rate.h"
#include "stats/usl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distance of the first and last dot from the ends of the axis. */
#define MARGIN 14.0

/* Room for the name of a result (A, B ...) at the end of its line. */
#define LETTER_ROOM 12.0

/* A plot with more steps than this on its x axis has smaller dots. */
#define CROWD 32

/* Number of dots that make up the fitted curve. */
enum { CURVE_DOTS = 97 };

/* A kind of line in a plot. */
struct line {
	enum figure figure; /* FIGURES: the throughput */
	const char *class;
	/* Its colour in a plot of one result. With several results, each result
	 * has a colour. */
	size_t series;
	bool is_overlaid; /* also drawn in a plot of several results */
};

static const struct line throughput[] = {
	{FIGURES, "line", 0, true},
};

static const struct line latency[] = {
	{FIGURE_P50_MS, "line", 2, true},
	{FIGURE_P95_MS, "line", 4, false},
	{FIGURE_P99_MS, "line", 1, true},
	{FIGURE_MAX_MS, "line faint", 7, false},
};

struct plot {
	const struct page *page;
	const struct line *lines;
	size_t line_count;
	bool is_latency, by_repeat, by_value;
	/* Number of results that have lines of their own. By value, there is
	 * one: the variants of a result are the steps of its lines. */
	size_t series_count;
	/* The numbers on the x axis: user counts, or repeats or variants from
	 * 1. */
	unsigned *steps;
	size_t step_count;
	struct chart chart;
	struct scale x, y;
	struct chart_dot *dots;   /* room for one per step */
	struct chart_mark *marks; /* room for one per line and result */
	size_t mark_count;
	/* Which kinds of marks were drawn: only these are in the legend. */
	bool has_curves, has_repeats, has_warnings, has_invalid;
};

/* A result at a step of the x axis: the figures of a point or of a repeat. */
struct step {
	const struct record *total; /* NULL: not measured */
	bool is_valid, is_warned;
};

static const struct result_point *point_at(const struct plot *plot, size_t index, size_t step)
{
	const struct page_row *rows = plot->page->rows;

	if (plot->by_value)
		return rows[0].points[step];
	return rows[plot->by_repeat ? 0 : step].points[index];
}

static struct step step_at(const struct plot *plot, size_t index, size_t step)
{
	const struct result_point *point = point_at(plot, index, step);
	const struct result_repeat *repeat;

	if (point == NULL || (plot->by_repeat && step >= point->repeat_count))
		return (struct step){0};
	if (!plot->by_repeat)
		return (struct step){records_total(&point->records), result_is_valid(point),
				     point->warnings.count > 0};
	repeat = &point->repeats[step];
	return (struct step){records_total(&repeat->records), result_repeat_is_valid(repeat),
			     repeat->warnings.count > 0 && point->warnings.count > 0};
}

/* Return the value of a line, or NAN if it is unknown or not valid. */
static double value_at(const struct plot *plot, const struct line *line, size_t index, size_t step)
{
	enum figure figure = line->figure < FIGURES ? line->figure : plot->page->rate;
	struct step at = step_at(plot, index, step);

	return at.is_valid ? page_value(figure, at.total) : NAN;
}

static bool is_shown(const struct plot *plot, const struct line *line)
{
	return plot->series_count == 1 || line->is_overlaid;
}

/*
 * Choose the steps of the x axis. Return whether there are enough for an axis.
 */
static bool choose_steps(struct plot *plot)
{
	const struct page *page = plot->page;
	size_t count = page->row_count, i;

	plot->by_value = count == 1 && page->whole != NULL;
	plot->by_repeat = count == 1 && page->whole == NULL;
	plot->series_count = plot->by_value ? 1 : page->count;
	if (plot->by_value)
		count = page->count;
	for (i = 0; plot->by_repeat && i < page->count; i++) {
		const struct result_point *point = page->rows[0].points[i];

		if (point != NULL && point->repeat_count > count)
			count = point->repeat_count;
	}
	plot->step_count = count;
	plot->steps = calloc(count + 1, sizeof(*plot->steps));
	plot->dots = calloc(count + 1, sizeof(*plot->dots));
	plot->marks = calloc(plot->line_count * page->count, sizeof(*plot->marks));
	if (plot->steps == NULL || plot->dots == NULL || plot->marks == NULL)
		return false;
	for (i = 0; i < count; i++)
		plot->steps[i] = plot->by_repeat || plot->by_value ? (unsigned)i + 1
								   : page->rows[i].users;
	return count >= 2;
}

/* Choose the scale of the y axis. Return whether there are any values. */
static bool choose_values(struct plot *plot)
{
	double min = INFINITY;
	double max = plot->is_latency ? 0 : plot->page->max_rate;
	size_t i, j, k;

	for (i = 0; i < plot->line_count; i++) {
		for (j = 0; is_shown(plot, &plot->lines[i]) && j < plot->series_count; j++) {
			for (k = 0; k < plot->step_count; k++) {
				double value = value_at(plot, &plot->lines[i], j, k);

				if (!(value > 0))
					continue;
				min = fmin(min, value);
				max = fmax(max, value);
			}
		}
	}
	if (isinf(min))
		return false;
	plot->y.start = plot->chart.bottom;
	plot->y.end = plot->chart.top;
	if (plot->is_latency)
		scale_wide(&plot->y, min, 1.05 * max);
	else
		scale_linear(&plot->y, 1.05 * max);
	return true;
}

/* Return the text for the variant at a step: the value, if there is only one
 * axis. */
static const char *value_text(const struct plot *plot, size_t step, char text[VARIANT_TEXT])
{
	const struct result_variant *variant = &plot->page->whole->run.variants[step];

	if (variant->set_count == 1)
		return variant->set[1];
	return variant_print(variant->set, variant->set_count, text);
}

/* Draw an x axis with the values of the variants, at equal distances. */
static void draw_values(struct plot *plot)
{
	const struct result_run *run = &plot->page->whole->run;
	char(*texts)[VARIANT_TEXT] = calloc(plot->step_count, sizeof(*texts));
	const char **names = calloc(plot->step_count, sizeof(*names));
	size_t i;

	plot->x.from = 1;
	plot->x.to = (double)plot->step_count;
	for (i = 0; texts != NULL && names != NULL && i < plot->step_count; i++)
		names[i] = value_text(plot, i, texts[i]);
	if (texts != NULL && names != NULL)
		chart_x_names(&plot->chart, &plot->x, names, plot->step_count,
			      run->axis_count == 1 ? run->axes[0].name : "values");
	free(texts);
	free(names);
}

static size_t longest_mark(const struct page *page)
{
	size_t longest = 0, i;

	for (i = 0; i < page->count; i++)
		if (strlen(page->marks[i]) > longest)
			longest = strlen(page->marks[i]);
	return longest;
}

static const char *latency_title(const struct plot *plot)
{
	if (plot->page->paced)
		return plot->y.logarithmic ? "response time, logarithmic" : "response time";
	return plot->y.logarithmic ? "latency, logarithmic" : "latency";
}

static void draw_axes(struct plot *plot)
{
	const struct page *page = plot->page;
	struct chart *chart = &plot->chart;
	size_t letters = plot->is_latency ? strlen("p99") : 0;

	if (plot->series_count > 1)
		letters += longest_mark(page);
	chart->right -= LETTER_ROOM * (double)letters;
	plot->x.start = chart->left + MARGIN;
	plot->x.end = chart->right - MARGIN;
	if (plot->by_value) {
		draw_values(plot);
	} else {
		scale_numbers(&plot->x, plot->steps, plot->step_count);
		chart_x_axis(chart, &plot->x, plot->by_repeat ? "repeat" : "users");
	}
	chart_y_axis(chart, &plot->y, plot->is_latency ? latency_title(plot) : page->unit,
		     plot->is_latency ? chart_label_ms : chart_label_number);
}

static struct chart_dot place(const struct plot *plot, size_t step, double value)
{
	return (struct chart_dot){
		.x = scale_place(&plot->x, plot->steps[step]),
		.y = isnan(value) ? NAN : scale_place(&plot->y, value),
	};
}

/* Draw a dot with its value as title, or nothing if the value is NAN. */
static void draw_dot(const struct plot *plot, const char *class, size_t series, size_t step,
		     double value)
{
	double radius = plot->step_count > CROWD ? 2.4 : 4;
	char text[PAGE_RATE], title[2 * PAGE_RATE];

	if (isnan(value))
		return;
	if (plot->is_latency)
		markup_time(FIGURE_P50_MS, value, text);
	else
		page_print_rate(plot->page, value, text);
	snprintf(title, sizeof(title), "%s %u: %s", plot->by_repeat ? "repeat" : "users",
		 plot->by_value ? plot->page->rows[0].users : plot->steps[step], text);
	chart_dot(&plot->chart, class, series, place(plot, step, value), radius, title);
}

static void draw_line(struct plot *plot, const struct line *line, size_t index)
{
	const struct page *page = plot->page;
	size_t series = plot->series_count > 1 ? index : line->series;
	struct chart_mark *mark = &plot->marks[plot->mark_count++];
	size_t count = 0, i;

	/* Skip steps that the result lacks, so that the line has no gaps
	 * there. */
	for (i = 0; i < plot->step_count; i++)
		if (step_at(plot, index, i).total != NULL)
			plot->dots[count++] = place(plot, i, value_at(plot, line, index, i));
	chart_line(&plot->chart, line->class, series, plot->dots, count);
	for (i = 0; i < plot->step_count; i++) {
		bool is_warned = step_at(plot, index, i).is_warned;

		plot->has_warnings |= is_warned;
		draw_dot(plot, is_warned ? "middle warned" : "middle", series, i,
			 value_at(plot, line, index, i));
	}
	*mark = (struct chart_mark){.series = series, .y = NAN};
	snprintf(mark->text, sizeof(mark->text), "%s%s%s",
		 plot->series_count > 1 ? page->marks[index] : "",
		 plot->series_count > 1 && plot->is_latency ? " " : "",
		 plot->is_latency ? figures[line->figure].heading : "");
	while (count > 0 && isnan(mark->y))
		mark->y = plot->dots[--count].y;
}

/* Draw a dot for each repeat of the points that have several repeats. */
static void draw_repeats(struct plot *plot, size_t index)
{
	size_t i, j;

	for (i = 0; i < plot->step_count; i++) {
		const struct result_point *point = point_at(plot, index, i);

		if (point == NULL || point->repeat_count < 2)
			continue;
		plot->has_repeats = true;
		for (j = 0; j < point->repeat_count; j++)
			if (result_repeat_is_valid(&point->repeats[j]))
				draw_dot(plot, "repeat", index, i,
					 page_rate(plot->page, &point->repeats[j].records));
	}
}

static void draw_invalid(struct plot *plot, size_t index)
{
	size_t i;

	for (i = 0; i < plot->step_count; i++) {
		struct step at = step_at(plot, index, i);

		if (at.total == NULL || at.is_valid)
			continue;
		plot->has_invalid = true;
		chart_cross(&plot->chart, place(plot, i, plot->y.from));
	}
}

/* Check if to draw the curve of the fitted scaling law. The law is only
 * fitted to MB/s. */
static bool has_curve(const struct plot *plot, size_t index)
{
	const struct result_run *run = &plot->page->results[index]->run;

	return run->variant_count == 1 && run->variants[0].usl.fitted && !plot->is_latency &&
	       !plot->page->by_operations && !plot->by_repeat && !plot->by_value;
}

/* Draw the fitted curve over the measured range of user counts, with evenly
 * spaced dots. */
static void draw_curve(struct plot *plot, size_t index)
{
	const struct result *result = plot->page->results[index];
	double first = result->points[0].users;
	double last = result->points[result->point_count - 1].users;
	struct chart_dot dots[CURVE_DOTS];
	size_t i;

	for (i = 0; i < CURVE_DOTS; i++) {
		double share = (double)i / (CURVE_DOTS - 1);
		double users = plot->x.logarithmic ? first * pow(last / first, share)
						   : first + share * (last - first);

		dots[i].x = scale_place(&plot->x, users);
		dots[i].y = scale_place(&plot->y,
					rate_shown(usl_at(&result->run.variants[0].usl, users)));
	}
	plot->has_curves = true;
	chart_line(&plot->chart, "fit", index, dots, CURVE_DOTS);
}

static void write_estimate(const struct page *page, const char *name,
			   const struct result_estimate *estimate, double scale)
{
	fprintf(page->stream, "%s\u00a0%.4g (%.4g to %.4g)", name, scale * estimate->value,
		scale * estimate->low, scale * estimate->high);
}

static void write_law(const struct page *page, size_t index)
{
	const struct result_usl *law = &page->results[index]->run.variants[0].usl;

	fputs("<p class=\"note\">", page->stream);
	if (page->count > 1)
		page_swatch(page, index);
	fputs("Universal Scalability Law, with 95 % intervals: ", page->stream);
	write_estimate(page, "contention \u03b1", &law->alpha, 1);
	write_estimate(page, ", coherency \u03b2", &law->beta, 1);
	write_estimate(page, ", one user \u03b3", &law->gamma, rate_shown(1));
	fprintf(page->stream, " %s; ", rate_unit());
	if (isnan(law->peak_users))
		fputs("no fitted peak in the measured range", page->stream);
	else
		fprintf(page->stream, "fitted peak at %.0f %s", law->peak_users,
			law->peak_users < 1.5 ? "user" : "users");
	fputs(".</p>\n", page->stream);
}

/* Write the legend of the throughput: results, kinds of marks, fitted law. */
static void write_legend(const struct plot *plot)
{
	const struct page *page = plot->page;
	/* With several results, use grey for kinds of marks that each result
	 * has in its own colour. */
	size_t series = plot->series_count > 1 ? 7 : 0, i;

	fputs("<p class=\"legend\">", page->stream);
	if (plot->series_count > 1)
		page_legend_results(page);
	if (plot->has_repeats)
		page_legend(page, "dot", series, "repeat");
	if (plot->has_curves)
		page_legend(page, "fit", series, "fitted curve");
	if (plot->has_warnings)
		page_legend(page, "ring", series, "warning");
	if (plot->has_invalid)
		page_legend(page, "void", series, "not valid");
	fputs("</p>\n", page->stream);
	for (i = 0; i < plot->series_count; i++)
		if (has_curve(plot, i))
			write_law(page, i);
}

static void draw(struct plot *plot)
{
	size_t i, j;

	draw_axes(plot);
	for (i = 0; i < plot->series_count; i++) {
		if (has_curve(plot, i))
			draw_curve(plot, i);
		if (!plot->is_latency && !plot->by_repeat)
			draw_repeats(plot, i);
		for (j = 0; j < plot->line_count; j++)
			if (is_shown(plot, &plot->lines[j]))
				draw_line(plot, &plot->lines[j], i);
		draw_invalid(plot, i);
	}
	chart_marks(&plot->chart, plot->marks, plot->mark_count);
}

static void write_plot(struct plot *plot, const char *id, const char *what)
{
	const struct page *page = plot->page;
	char heading[64], users[PAGE_USERS];

	/* The rows of a comparison with axes are not user counts. */
	if (page->row_count > 0 && page->rows[0].set_count > 0)
		return;
	plot->chart = chart_of(page->stream, id);
	if (page->max_rate > 0 && choose_steps(plot) && choose_values(plot)) {
		snprintf(heading, sizeof(heading), "%s against users", what);
		if (plot->by_repeat || plot->by_value)
			snprintf(heading, sizeof(heading), "%s with %s, each %s", what,
				 page_print_users(page->rows[0].users, users),
				 plot->by_value ? "value" : "repeat");
		chart_begin(&plot->chart, heading, "The figures are in the table of points.");
		draw(plot);
		chart_end(&plot->chart);
		if (!plot->is_latency)
			write_legend(plot);
		fputs("</figure>\n", page->stream);
	}
	free(plot->steps);
	free(plot->dots);
	free(plot->marks);
}

void page_throughput(const struct page *page)
{
	struct plot plot = {.page = page, .lines = throughput, .line_count = 1};

	write_plot(&plot, "throughput", "Throughput");
}

void page_latency(const struct page *page)
{
	struct plot plot = {
		.page = page,
		.lines = latency,
		.line_count = sizeof(latency) / sizeof(latency[0]),
		.is_latency = true,
	};

	write_plot(&plot, "latency", page->paced ? "Response time" : "Latency");
}
