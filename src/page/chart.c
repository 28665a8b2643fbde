/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/chart.h"

#include "report/markup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most colours that people can tell apart. */
#define COLOURS 8

/* Labels at the ends of lines are so far apart. */
#define MARK_ROOM 19.0

char *chart_label_number(double value, double step, char *text)
{
	int decimals = 0;

	while (step > 0 && decimals < 6 && step * pow(10, decimals) < 0.999)
		decimals++;
	return markup_number(value, decimals, text);
}

/* Round numbers stay round: "5 ms" rather than "5.00 ms". */
char *chart_label_duration(double ns, double step, char *text)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"s", 1e9}, {"ms", 1e6}, {"\u00b5s", 1e3}, {"ns", 1}};
	size_t i = 0;

	(void)step;
	if (ns <= 0)
		return strcpy(text, "0");
	while (i < 3 && ns < units[i].ns * (1 - 1e-9))
		i++;
	snprintf(text, MARKUP_TEXT, "%.4g %s", ns / units[i].ns, units[i].name);
	return text;
}

char *chart_series(size_t series, char text[CHART_CLASS])
{
	snprintf(text, CHART_CLASS, "s%zu d%zu", series % COLOURS + 1,
		 series / COLOURS % 4);
	return text;
}

void chart_begin(struct chart *chart, const char *name,
		 const char *description)
{
	if (chart->width == 0) {
		chart->width = 640;
		chart->height = 380;
		chart->left = 76;
		chart->top = 30;
		chart->right = 628;
		chart->bottom = 322;
	}
	fprintf(chart->stream,
		"<svg class=\"%s\" role=\"img\" viewBox=\"0 0 %d %d\""
		" aria-labelledby=\"%s-name %s-text\">\n"
		"<title id=\"%s-name\">%s</title>\n"
		"<desc id=\"%s-text\">%s</desc>\n",
		chart->class, chart->width, chart->height, chart->id,
		chart->id, chart->id, name, chart->id, description);
}

void chart_end(struct chart *chart)
{
	fputs("</svg>\n", chart->stream);
}

static const char *label_class(enum scale_label label)
{
	return label == SCALE_ALWAYS ? "" : " class=\"roomy\"";
}

void chart_y_axis(const struct chart *chart, const struct scale *scale,
		  const char *name, chart_label label)
{
	char text[MARKUP_TEXT];
	size_t i;

	fputs("<g class=\"y axis\">\n", chart->stream);
	for (i = 0; i < scale->tick_count; i++) {
		double y = scale_place(scale, scale->ticks[i]);

		fprintf(chart->stream,
			"<path d=\"M%g %.1fH%g\"/>"
			"<text x=\"%g\" y=\"%.1f\" dy=\".35em\"%s>%s</text>\n",
			chart->left, y, chart->right, chart->left - 8, y,
			label_class(scale->labels[i]),
			label(scale->ticks[i], scale->step, text));
	}
	fprintf(chart->stream,
		"<text class=\"name\" x=\"0\" y=\"%g\">%s</text>\n</g>\n",
		chart->top - 15, name);
}

void chart_x_axis(const struct chart *chart, const struct scale *scale,
		  const char *name, chart_label label)
{
	char text[MARKUP_TEXT];
	size_t i;

	fprintf(chart->stream,
		"<g class=\"x axis\">\n<path d=\"M%g %gH%g\"/>\n", chart->left,
		chart->bottom, chart->right);
	for (i = 0; i < scale->tick_count; i++) {
		double x = scale_place(scale, scale->ticks[i]);

		fprintf(chart->stream, "<path d=\"M%.1f %gv5\"/>", x,
			chart->bottom);
		if (scale->labels[i] != SCALE_NEVER)
			fprintf(chart->stream,
				"<text x=\"%.1f\" y=\"%g\" dy=\"1em\"%s>%s"
				"</text>",
				x, chart->bottom + 7,
				label_class(scale->labels[i]),
				label(scale->ticks[i], scale->step, text));
		fputc('\n', chart->stream);
	}
	fprintf(chart->stream,
		"<text class=\"name\" x=\"%g\" y=\"%d\" dy=\"-.3em\">%s</text>"
		"\n</g>\n",
		(chart->left + chart->right) / 2, chart->height, name);
}

void chart_line(const struct chart *chart, const char *class, size_t series,
		const struct chart_dot *dots, size_t count)
{
	char text[CHART_CLASS];
	bool down = false; /* is the pen? */
	size_t i;

	fprintf(chart->stream, "<path class=\"%s %s\" d=\"", class,
		chart_series(series, text));
	for (i = 0; i < count; i++) {
		if (isnan(dots[i].y)) {
			down = false;
			continue;
		}
		fprintf(chart->stream, "%s%.1f %.1f", down ? "L" : "M",
			dots[i].x, dots[i].y);
		down = true;
	}
	fputs("\"/>\n", chart->stream);
}

void chart_dot(const struct chart *chart, const char *class, size_t series,
	       struct chart_dot dot, double radius)
{
	char text[CHART_CLASS];

	if (!isnan(dot.y))
		fprintf(chart->stream,
			"<circle class=\"%s %s\" cx=\"%.1f\" cy=\"%.1f\""
			" r=\"%g\"/>\n",
			class, chart_series(series, text), dot.x, dot.y,
			radius);
}

void chart_cross(const struct chart *chart, struct chart_dot dot)
{
	fprintf(chart->stream,
		"<path class=\"void\" d=\"M%.1f %.1fl10 10m0 -10l-10 10\"/>\n",
		dot.x - 5, dot.y - 5);
}

static int by_height(const void *a, const void *b)
{
	const struct chart_mark *one = a, *other = b;

	return (one->y > other->y) - (one->y < other->y);
}

/* From the top down each gives way to the one above; then, from the bottom
 * up, to the lower end of the drawing. */
static void move_apart(const struct chart *chart, struct chart_mark *marks,
		       size_t count)
{
	double limit = chart->bottom - 4;
	size_t i;

	qsort(marks, count, sizeof(*marks), by_height);
	for (i = 1; i < count; i++)
		marks[i].y = fmax(marks[i].y, marks[i - 1].y + MARK_ROOM);
	for (i = count; i-- > 0; limit -= MARK_ROOM)
		marks[i].y = fmin(marks[i].y, limit);
}

void chart_marks(const struct chart *chart, struct chart_mark *marks,
		 size_t count)
{
	char text[CHART_CLASS];
	size_t known = 0, i;

	for (i = 0; i < count; i++)
		if (!isnan(marks[i].y))
			marks[known++] = marks[i];
	move_apart(chart, marks, known);
	for (i = 0; i < known; i++)
		fprintf(chart->stream,
			"<text class=\"mark %s\" x=\"%g\" y=\"%.1f\""
			" dy=\".35em\">%s</text>\n",
			chart_series(marks[i].series, text), chart->right + 6,
			marks[i].y, marks[i].text);
}

void chart_begin_area(const struct chart *chart, double from, double to)
{
	fprintf(chart->stream,
		"<rect class=\"area\" x=\"%.1f\" y=\"%g\" width=\"%.1f\""
		" height=\"%g\"><title>",
		from, chart->top, to - from, chart->bottom - chart->top);
}

void chart_end_area(const struct chart *chart)
{
	fputs("</title></rect>\n", chart->stream);
}
