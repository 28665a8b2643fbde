/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draw charts as SVG elements in a page. Elements have classes, whose look
 * page.css defines. The classes s1 to s8 are the colours of the series.
 *
 * Texts are not escaped, except those of marks and chart_x_names, so they must
 * not come from a loadfile, a target or a label.
 */
#ifndef PAGE_CHART_H
#define PAGE_CHART_H

#include "doc/scale.h"

#include <stdio.h>

/* Number of colours that people can tell apart. Further series use the same
 * colours again. */
enum { CHART_COLOURS = 8 };

struct chart {
	FILE *stream;
	const char *id; /* id of the SVG element, unique in its page */
	int width, height;
	/* The area inside the axes. */
	double left, top, right, bottom;
};

/* A place in the drawing, for a dot or a corner of a line. y is NAN if there is
 * no value. */
struct chart_dot {
	double x, y;
};

/* Callback that prints the label of a tick, with the precision that fits the
 * step between ticks. Return `text`. */
typedef char *chart_label(double value, double step, char *text);

chart_label chart_label_number;
chart_label chart_label_ms; /* prints a number of ms as "20 µs" */

/* Return a chart of the usual size. Nothing is written yet. */
struct chart chart_of(FILE *stream, const char *id);

/*
 * Begin an HTML figure: write its heading, and begin the SVG with a description
 * for screen readers. After chart_end, the caller may write a
 * legend, and must then write "</figure>".
 */
void chart_begin(const struct chart *chart, const char *name, const char *description);
void chart_end(const struct chart *chart);

/* chart_y_axis draws the axis on the left, with a line across the chart for
 * each tick. chart_x_axis draws the axis at the bottom, and chart_x_name writes
 * only the name of that axis. */
void chart_y_axis(const struct chart *chart, const struct scale *scale, const char *name,
		  chart_label *label);
void chart_x_axis(const struct chart *chart, const struct scale *scale, const char *name);
void chart_x_name(const struct chart *chart, const char *name);

/* Draw the axis at the bottom with names instead of numbers: the first is at 1,
 * the next at 2 ... Names that have no room are left out. The names and `name`
 * are escaped. */
void chart_x_names(const struct chart *chart, const struct scale *scale, const char *const *names,
		   size_t count, const char *name);

/* Draw a line through dots, with gaps where a dot has no value. */
void chart_line(const struct chart *chart, const char *class, size_t series,
		const struct chart_dot *dots, size_t count);

/* Draw a dot. The browser shows its title under the mouse pointer. */
void chart_dot(const struct chart *chart, const char *class, size_t series, struct chart_dot dot,
	       double radius, const char *title);

/* Draw a cross, which stands for a measurement that is not valid. */
void chart_cross(const struct chart *chart, struct chart_dot dot);

/* Return the number in the class name of a series: 1 for series 0, whose class
 * is s1. */
size_t chart_colour(size_t series);

/*
 * A label at the right end of a line. Without a text, or with NAN as y, it is
 * not drawn.
 */
struct chart_mark {
	char text[24];
	size_t series;
	double y;
};

/* Move the labels apart so that they do not overlap, and draw them. */
void chart_marks(const struct chart *chart, struct chart_mark *marks, size_t count);

#endif
