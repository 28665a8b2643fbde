/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An axis of a chart: it collects the values of all marks, chooses a scale for them,
 * and prints its labels.
 */
#ifndef DOC_AXIS_H
#define DOC_AXIS_H

#include "doc/doc.h"
#include "doc/scale.h"

struct axis {
	const struct doc_axis *of;
	/* Each value or name has a part of the axis, and is in its middle. */
	bool is_ordinal;
	struct scale scale;
	/* The values of DOC_STEPS: ascending and different, after axis_choose. */
	double *values;
	size_t count;    /* of these values, or of the names */
	double min, max; /* of the positive values, as shown */
	bool failed;     /* memory was short */
};

/* Add a value; values that are not above 0 or not finite are ignored. Call axis_free in
 * the end. */
void axis_add(struct axis *axis, double value);
void axis_free(struct axis *axis);

/* Sort the values of DOC_STEPS, and count the names. */
void axis_complete(struct axis *axis);

/*
 * Choose the scale between two places in the drawing. `room` is the part of the
 * largest value that is left free above it. `margin` is between the ends and the
 * first and last step.
 */
void axis_choose(struct axis *axis, double start, double end, double room, double margin);

/* Return the place of a value in the drawing, or NAN. */
double axis_place(const struct axis *axis, double value);

/* Print the label of a tick. Return `text`. */
char *axis_print(const struct axis *axis, double tick, char text[NUMBER_TEXT]);

/* Return the name of the axis, with the unit of a rate. It may use `text`. */
const char *axis_name(const struct axis *axis, char text[NUMBER_TEXT]);

/* Return the name at a place of an ordinal axis, from 0. It may use `text`. */
const char *axis_name_at(const struct axis *axis, size_t index, char text[NUMBER_TEXT]);

#endif
