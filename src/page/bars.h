/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Horizontal bars, in groups that have a label: one bar a group, or one for
 * each of several results.
 */
#ifndef PAGE_BARS_H
#define PAGE_BARS_H

#include "page/chart.h"
#include "report/markup.h"

struct bar {
	double value; /* NAN: there is none */
	char text[MARKUP_TEXT + 8]; /* what is written beside it */
	size_t series;
};

struct bar_group {
	const char *label; /* any bytes */
	struct bar *bars;
	size_t count;
};

/* The longest bar is that of `max` > 0. The chart's size is chosen here. */
void bars_draw(struct chart *chart, const char *name, const char *description,
	       double max, const struct bar_group *groups, size_t count);

#endif
