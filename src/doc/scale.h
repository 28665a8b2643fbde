/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scales of axes: the place of a value on an axis, and the axis' ticks.
 */
#ifndef DOC_SCALE_H
#define DOC_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum { SCALE_TICKS = 24 };

struct scale {
	bool logarithmic;
	double from, to;   /* the values at both ends */
	double start, end; /* the places of both ends, in drawing units */
	double ticks[SCALE_TICKS];
	size_t tick_count;
	/* Distance between ticks if it is constant; else 1 if all ticks are
	 * integers; else 0. */
	double step;
};

/* Return the place of a value. Values outside the axis are put at its ends. */
double scale_place(const struct scale *scale, double value);

/*
 * The following functions choose the ends and the ticks of a scale. The caller
 * must have set `start` and `end`.
 */

/* Make a linear scale from 0 to a round number that is at least `max`. */
void scale_linear(struct scale *scale, double max);

/* Make a linear scale from 0 to exactly `max`, as for an axis of time. */
void scale_up_to(struct scale *scale, double max);

/*
 * Make a scale for values from `min` to `max`, both > 0, with round numbers as
 * ends: logarithmic if they are far apart, otherwise linear from 0.
 */
void scale_wide(struct scale *scale, double min, double max);

/*
 * Make a logarithmic scale for ratios from `min` to `max`, both > 0. It includes 1,
 * and its ticks are round numbers such as 0.9, 0.95, 1, 1.05.
 */
void scale_ratios(struct scale *scale, double min, double max);

/*
 * Make a scale for `count` >= 1 ascending numbers, such as user counts. Ticks
 * are at the numbers that have room for a label, and always at the last number.
 * The scale is logarithmic if the numbers roughly double.
 */
void scale_numbers(struct scale *scale, const double *numbers, size_t count);

#endif
