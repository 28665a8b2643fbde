/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The points of a view as the lines of a chart. The x axis has the user counts; if
 * there is only one, the values of the last axis of --sweep that has several; or
 * else the repeats. There is a line per side and combination of the other values.
 */
#ifndef REPORT_CHARTS_LINES_H
#define REPORT_CHARTS_LINES_H

#include "report/view.h"

struct line {
	const struct view_side *side; /* that of the first point */
	const struct result_point *first;
	const struct result_point **points; /* one per step; NULL: it has none */
	/* The name tells it from the others, the mark is a short form, and the legend
	 * has both if they differ. "": it is the only one. */
	char *name, *mark, *legend;
};

struct lines {
	const struct view *view;
	enum { LINES_BY_USERS, LINES_BY_VALUE, LINES_BY_REPEAT } across;
	const char *axis; /* by value: its name */
	/* The steps of the x axis, ascending: user counts, or 1, 2 ... */
	unsigned *steps;
	const char **values; /* by value: the names of the steps, which the view has */
	size_t step_count;
	struct line *list;
	size_t count;
};

/* The view must outlive the lines. Return 0 or -ENOMEM; call lines_free in both
 * cases. */
int lines_make(struct lines *lines, const struct view *view);
void lines_free(struct lines *lines);

/* Check if a mark needs no explanation beside a name: it is the name or, without the
 * names of axes, its values, as "a, 16Ki" of "a, record=16Ki". */
bool lines_is_clear(const char *mark, const char *name);

/* The measurement of a line at a step: a point, or a repeat of it. */
struct line_spot {
	const struct record *total; /* NULL: not measured */
	bool is_valid, is_warned;
};
struct line_spot line_spot(const struct lines *lines, const struct line *line, size_t step);

#endif
