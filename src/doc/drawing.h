/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draw the marks of a chart, in the area that svg.c has laid out.
 */
#ifndef DOC_DRAWING_H
#define DOC_DRAWING_H

#include "doc/axis.h"
#include "doc/tree.h"

#include <stdio.h>

struct drawing {
	const struct doc_chart *chart;
	FILE *stream;
	struct axis x, y;
	bool has_rows; /* the y axis has names */
	bool is_left;  /* which are left of the rows, not above them */
	size_t steep;  /* max length of the x axis' labels if they are steep; else 0 */
	/* The area inside the axes, and the height of the whole drawing. */
	double left, top, right, bottom, height;
	bool failed; /* memory was short */
};

void drawing_mark(const struct drawing *drawing, const struct doc_mark *mark);

/* Write a sample of a mark for the legend. */
void drawing_swatch(const struct drawing *drawing, const struct doc_mark *mark);

#endif
