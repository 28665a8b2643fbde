/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawings as SVG elements inside a page. What they look like is page.css'
 * business: here they get classes. Those of a series are s1 to s8, its colour,
 * and d1 and so on, its dashes, where there are more than eight.
 *
 * Texts that are handed over are ours, never a loadfile's or a target's.
 */
#ifndef PAGE_CHART_H
#define PAGE_CHART_H

#include "page/scale.h"

#include <stdio.h>

struct chart {
	FILE *stream;
	const char *id; /* of the drawing within its page */
	const char *class;
	int width, height;
	/* Where the drawing proper begins and ends, inside the axes. */
	double left, top, right, bottom;
};

/* A value and where it lies; NAN: there is none, and lines are broken. */
struct chart_dot {
	double x, y;
};

/* How a tick's value is written, given the step between them. */
typedef char *(*chart_label)(double value, double step, char *text);

char *chart_label_number(double value, double step, char *text);
char *chart_label_duration(double ns, double step, char *text);

/*
 * Begins a drawing of the size of most charts here. `name` and `description`
 * are read out to whom does not see it. The caller sets the size before, or
 * leaves 0 there.
 */
void chart_begin(struct chart *chart, const char *name,
		 const char *description);
void chart_end(struct chart *chart);

/* An axis on the left, with a line across for each tick; and one below. */
void chart_y_axis(const struct chart *chart, const struct scale *scale,
		  const char *name, chart_label label);
void chart_x_axis(const struct chart *chart, const struct scale *scale,
		  const char *name, chart_label label);

/* The line through `count` dots, in the drawing's units. */
void chart_line(const struct chart *chart, const char *class, size_t series,
		const struct chart_dot *dots, size_t count);

/* A dot of the radius, unless it is NAN. */
void chart_dot(const struct chart *chart, const char *class, size_t series,
	       struct chart_dot dot, double radius);

/* What did not work out: a cross. */
void chart_cross(const struct chart *chart, struct chart_dot dot);

/* The classes of a series, counted from 0: "s1 d0". */
enum { CHART_CLASS = 32 };
char *chart_series(size_t series, char text[CHART_CLASS]);

/*
 * Labels at the right ends of lines: to be moved apart, then written. `y` is
 * NAN where there is none.
 */
struct chart_mark {
	char text[24];
	size_t series;
	double y;
};
void chart_marks(const struct chart *chart, struct chart_mark *marks,
		 size_t count);

/* The widest place for a pointer around x: up to halfway to its neighbours.
 * Begins an element whose title the caller writes, then chart_end_area. */
void chart_begin_area(const struct chart *chart, double from, double to);
void chart_end_area(const struct chart *chart);

#endif
