/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scales of charts: the place of a value on an axis, and the values at which
 * the axis has its ticks.
 */
#ifndef PAGE_SCALE_H
#define PAGE_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum { SCALE_TICKS = 24 };

struct scale {
	bool logarithmic;
	double from, to;   /* the values at both ends */
	double start, end; /* the places of both ends, in drawing units */
	double ticks[SCALE_TICKS];
	size_t tick_count;
	/* Between two ticks, where it is always the same or all values are
	 * integers; else 0. */
	double step;
};

/* Return the place of a value; those beyond an end are placed at the end. */
double scale_place(const struct scale *scale, double value);

/*
 * The following choose the ends and the ticks. The caller sets `start` and
 * `end` before.
 */

/* From 0 to a round number that is at least `max`. */
void scale_linear(struct scale *scale, double max);

/* From 0 to `max` itself; for time. */
void scale_up_to(struct scale *scale, double max);

/*
 * From a round number below `min` to one above `max`: logarithmic where they
 * are far apart, else from 0. Both are > 0.
 */
void scale_wide(struct scale *scale, double min, double max);

/*
 * The ticks are as many of these numbers as there is room for, always with the
 * last one. They are ascending, at least two. Logarithmic where they double.
 */
void scale_numbers(struct scale *scale, const unsigned *numbers, size_t count);

#endif
