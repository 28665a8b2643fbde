/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/chart.h"

#include "page/markup.h"
#include "doc/escape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Min vertical distance between the labels at the ends of lines. */
#define MARK_ROOM 19.0

/* About the width of a letter below the x axis. */
#define LETTER_WIDTH 7.5

char *chart_label_number(double value, double step, char *text)
{
	int decimals = 0;

	while (step > 0 && decimals < 6 && step * pow(10, decimals) < 0.999)
		decimals++;
	return markup_number(value, decimals, text);
}

/* Print the label without trailing zeros: "5 ms" rather than "5.00 ms". */
char *chart_label_ms(double value, double step, char *text)
{
	static const char *const units[] = {"ms", "\u00b5s", "ns"};
	size_t unit = 0;

	if (value >= 1e3 * (1 - 1e-9)) {
		snprintf(text, MARKUP_TEXT, "%.4g s", value / 1e3);
		return text;
	}
	if (value <= 0)
		return strcpy(text, "0");
	for (; unit < 2 && value < 1 - 1e-9; unit++)
		value *= 1e3;
	snprintf(text, MARKUP_TEXT, "%.4g %s", value, units[unit]);
	return text;
}

size_t chart_colour(size_t series)
{
	return series % CHART_COLOURS + 1;
}

struct chart chart_of(FILE *stream, const char *id)
{
	return (struct chart){
		.stream = stream,
		.id = id,
		.width = 640,
		.height = 380,
		.left = 76,
		.top = 30,
		.right = 628,
		.bottom = 322,
	};
}

void chart_begin(const struct chart *chart, const char *name, const char *description)
{
	fprintf(chart->stream,
		"<figure>\n<h2>%s</h2>\n<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %d %d\" "
		"aria-labelledby=\"%s-name %s-text\">\n"
		"<title id=\"%s-name\">%s</title>\n"
		"<desc id=\"%s-text\">%s</desc>\n",
		name, chart->width, chart->height, chart->id, chart->id, chart->id, name, chart->id,
		description);
}

void chart_end(const struct chart *chart)
{
	fputs("</svg>\n", chart->stream);
}

void chart_y_axis(const struct chart *chart, const struct scale *scale, const char *name,
		  chart_label *label)
{
	char text[MARKUP_TEXT];
	size_t i;

	fputs("<g class=\"y axis\">\n", chart->stream);
	for (i = 0; i < scale->tick_count; i++) {
		double y = scale_place(scale, scale->ticks[i]);

		fprintf(chart->stream,
			"<path d=\"M%g %.1fH%g\"/><text x=\"%g\" y=\"%.1f\" "
			"dy=\".35em\">%s</text>\n",
			chart->left, y, chart->right, chart->left - 8, y,
			label(scale->ticks[i], scale->step, text));
	}
	fprintf(chart->stream, "<text class=\"name\" x=\"0\" y=\"%g\">%s</text>\n</g>\n",
		scale->end - 15, name);
}

void chart_x_name(const struct chart *chart, const char *name)
{
	fprintf(chart->stream, "<text class=\"name\" x=\"%g\" y=\"%d\" dy=\"-.3em\">%s</text>\n",
		(chart->left + chart->right) / 2, chart->height, name);
}

void chart_x_axis(const struct chart *chart, const struct scale *scale, const char *name)
{
	char text[MARKUP_TEXT];
	size_t i;

	fprintf(chart->stream, "<g class=\"x axis\">\n<path d=\"M%g %gH%g\"/>\n", chart->left,
		chart->bottom, chart->right);
	for (i = 0; i < scale->tick_count; i++) {
		double x = scale_place(scale, scale->ticks[i]);

		fprintf(chart->stream,
			"<path d=\"M%.1f %gv5\"/><text x=\"%.1f\" y=\"%g\" dy=\"1em\">%s</text>\n",
			x, chart->bottom, x, chart->bottom + 7,
			chart_label_number(scale->ticks[i], scale->step, text));
	}
	chart_x_name(chart, name);
	fputs("</g>\n", chart->stream);
}

void chart_x_names(const struct chart *chart, const struct scale *scale, const char *const *names,
		   size_t count, const char *name)
{
	double free_from = 0;
	size_t i;

	fprintf(chart->stream, "<g class=\"x axis\">\n<path d=\"M%g %gH%g\"/>\n", chart->left,
		chart->bottom, chart->right);
	for (i = 0; i < count; i++) {
		double x = scale_place(scale, (double)i + 1);
		double half = LETTER_WIDTH * (double)strlen(names[i]) / 2;

		fprintf(chart->stream, "<path d=\"M%.1f %gv5\"/>", x, chart->bottom);
		if (x - half < free_from)
			continue;
		free_from = x + half + LETTER_WIDTH;
		fprintf(chart->stream, "<text x=\"%.1f\" y=\"%g\" dy=\"1em\">", x,
			chart->bottom + 7);
		escape_markup(names[i], chart->stream);
		fputs("</text>\n", chart->stream);
	}
	fprintf(chart->stream, "<text class=\"name\" x=\"%g\" y=\"%d\" dy=\"-.3em\">",
		(chart->left + chart->right) / 2, chart->height);
	escape_markup(name, chart->stream);
	fputs("</text>\n</g>\n", chart->stream);
}

void chart_line(const struct chart *chart, const char *class, size_t series,
		const struct chart_dot *dots, size_t count)
{
	bool is_down = false; /* the path continues from the last dot */
	size_t i;

	fprintf(chart->stream, "<path class=\"%s s%zu\" d=\"", class, chart_colour(series));
	for (i = 0; i < count; i++) {
		bool is_known = !isnan(dots[i].y);

		if (is_known)
			fprintf(chart->stream, "%s%.1f %.1f", is_down ? "L" : "M", dots[i].x,
				dots[i].y);
		is_down = is_known;
	}
	fputs("\"/>\n", chart->stream);
}

void chart_dot(const struct chart *chart, const char *class, size_t series, struct chart_dot dot,
	       double radius, const char *title)
{
	fprintf(chart->stream,
		"<circle class=\"%s s%zu\" cx=\"%.1f\" cy=\"%.1f\" "
		"r=\"%g\"><title>%s</title></circle>\n",
		class, chart_colour(series), dot.x, dot.y, radius, title);
}

void chart_cross(const struct chart *chart, struct chart_dot dot)
{
	fprintf(chart->stream, "<path class=\"void\" d=\"M%.1f %.1fl10 10m0 -10l-10 10\"/>\n",
		dot.x - 5, dot.y - 5);
}

static int by_height(const void *a, const void *b)
{
	const struct chart_mark *one = a, *other = b;

	return (one->y > other->y) - (one->y < other->y);
}

/*
 * Move labels apart. First, move each label down until it is below the label
 * above it. Then, from the bottom up, move the labels that left the drawing
 * back into it.
 */
static void move_apart(const struct chart *chart, struct chart_mark *marks, size_t count)
{
	double limit = chart->bottom - 4;
	size_t i;

	qsort(marks, count, sizeof(*marks), by_height);
	for (i = 1; i < count; i++)
		marks[i].y = fmax(marks[i].y, marks[i - 1].y + MARK_ROOM);
	for (i = count; i-- > 0; limit -= MARK_ROOM)
		marks[i].y = fmin(marks[i].y, limit);
}

void chart_marks(const struct chart *chart, struct chart_mark *marks, size_t count)
{
	size_t known = 0, i;

	for (i = 0; i < count; i++)
		if (!isnan(marks[i].y) && marks[i].text[0] != '\0')
			marks[known++] = marks[i];
	move_apart(chart, marks, known);
	for (i = 0; i < known; i++) {
		fprintf(chart->stream,
			"<text class=\"mark s%zu\" x=\"%g\" y=\"%.1f\" dy=\".35em\">",
			chart_colour(marks[i].series), chart->right + 6, marks[i].y);
		escape_markup(marks[i].text, chart->stream);
		fputs("</text>\n", chart->stream);
	}
}
