/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draw charts as SVG elements of a page. Elements have classes, whose look page.css
 * defines. The classes s1 to s8 are the colours of the series; s0 is grey.
 */
#ifndef DOC_SVG_H
#define DOC_SVG_H

#include "doc/tree.h"

#include <stdio.h>

/* Number of colours that people can tell apart. Further series use the same colours
 * again, and their lines are dashed. */
enum { SVG_COLOURS = 8 };

/* The content of page.css. */
extern const char doc_css[];

/* Return the colour of a series, from 1; or 0 for 0. */
unsigned svg_colour(unsigned series);

/* Check if a chart has any values to draw. */
bool svg_has_values(const struct doc_chart *chart);

/* Write a chart that has values, and its legend. `heading` is its name for screen
 * readers. Return 0 or -ENOMEM. */
int svg_write(const struct doc_chart *chart, const char *heading, FILE *stream);

#endif
