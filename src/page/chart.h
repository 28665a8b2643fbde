/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawings as SVG elements inside a page. Elements get classes, and page.css
 * decides how they look; the class of a series, s1 to s8, is its colour.
 *
 * Texts handed over are ours, never a loadfile's or a target's.
 */
#ifndef PAGE_CHART_H
#define PAGE_CHART_H

#include "page/scale.h"

#include <stdio.h>

/* Colours that people can tell apart; further series begin again. */
enum { CHART_COLOURS = 8 };

struct chart {
	FILE *stream;
	const char *id; /* of the drawing within its page */
	int width, height;
	/* The drawing proper, inside the axes. */
	double left, top, right, bottom;
};

/* A place in the drawing; y is NAN where there is no value. */
struct chart_dot {
	double x, y;
};

/* Write a tick's value, given the step between ticks. Returns `text`. */
typedef char *chart_label(double value, double step, char *text);

chart_label chart_label_number;
chart_label chart_label_ms; /* a duration in ms, as "20 µs" */

/* Return a drawing of the usual size, which has not begun. */
struct chart chart_of(FILE *stream, const char *id);

/*
 * Begin a figure with its heading and drawing; the description is for those who
 * do not see it. After the end of the drawing comes what the caller has to say
 * about it, and "</figure>".
 */
void chart_begin(const struct chart *chart, const char *name,
		 const char *description);
void chart_end(const struct chart *chart);

/* Draw an axis on the left, with a line across for each tick; or below. */
void chart_y_axis(const struct chart *chart, const struct scale *scale,
		  const char *name, chart_label *label);
void chart_x_axis(const struct chart *chart, const struct scale *scale,
		  const char *name);
void chart_x_name(const struct chart *chart, const char *name);

/* Draw a line, broken where there is no value. */
void chart_line(const struct chart *chart, const char *class, size_t series,
		const struct chart_dot *dots, size_t count);

/* Draw a dot, which shows its title to a pointer. */
void chart_dot(const struct chart *chart, const char *class, size_t series,
	       struct chart_dot dot, double radius, const char *title);

/* Draw a cross for what is not valid. */
void chart_cross(const struct chart *chart, struct chart_dot dot);

/* Return the number in a series' class, counted from 0: its class is s1. */
size_t chart_colour(size_t series);

/*
 * Labels at the right ends of lines, which are moved apart before they are
 * drawn. There is none where `y` is NAN or the text is empty.
 */
struct chart_mark {
	char text[24];
	size_t series;
	double y;
};
void chart_marks(const struct chart *chart, struct chart_mark *marks,
		 size_t count);

#endif
