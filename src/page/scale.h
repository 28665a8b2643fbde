/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scales of charts: where on an axis a value is, and at which values the axis
 * has its ticks.
 */
#ifndef PAGE_SCALE_H
#define PAGE_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum { SCALE_TICKS = 24 };

struct scale {
	bool logarithmic;
	double from, to;   /* the values at both ends */
	double start, end; /* where those are, in the drawing's units */
	double ticks[SCALE_TICKS];
	/* Whether a tick has a label: where there is little room, too; or where
	 * there is some. */
	enum scale_label {
		SCALE_ALWAYS,
		SCALE_ROOMY,
		SCALE_NEVER
	} labels[SCALE_TICKS];
	size_t tick_count;
	/* Between the ticks, where it is always the same or all values are
	 * whole; else 0. */
	double step;
};

/* Where a value is; one beyond the ends is there. */
double scale_place(const struct scale *scale, double value);

/*
 * The following choose the ends and the ticks; `start` and `end` must have
 * been set.
 */

/* From 0 to a round number that is at least `max`. */
void scale_linear(struct scale *scale, double max);

/* From 0 to `max` itself, as time goes. */
void scale_up_to(struct scale *scale, double max);

/*
 * From a round number below `min` to one above `max`: logarithmic where they
 * are far apart, else from 0. Both are > 0.
 */
void scale_wide(struct scale *scale, double min, double max);

/*
 * Numbers of users, ascending, at least two: the ticks are these numbers where
 * they are few. Logarithmic where they double.
 */
void scale_users(struct scale *scale, const unsigned *users, size_t count);

#endif
