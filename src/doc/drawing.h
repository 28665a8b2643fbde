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
};

void drawing_mark(const struct drawing *drawing, const struct doc_mark *mark);

/* Write the class attribute of a mark or its swatch: its look and its colour. */
void drawing_class(const struct drawing *drawing, const char *look, const struct doc_mark *mark,
		   enum doc_class class);

#endif
