/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Charts of a page that show something against users: what throughput and
 * latency have in common.
 */
#ifndef PAGE_PLOT_H
#define PAGE_PLOT_H

#include "page/chart.h"
#include "page/page.h"

struct plot {
	const struct page *page;
	struct chart chart;
	struct scale x, y;
	double radius;          /* of a dot */
	struct chart_dot *dots; /* room for a dot for each of the points */
	struct chart_mark *marks; /* room for one for each line */
	size_t mark_count;
};

/* Can there be one? Fewer than two numbers of users are no axis. */
bool plot_is_possible(const struct page *page);

/* Makes room for so many lines. Returns 0 or -ENOMEM; to be freed anyway. */
int plot_init(struct plot *plot, const struct page *page, size_t lines);
void plot_free(struct plot *plot);

/* Chooses the axis of users, once the chart has begun, and draws it. `room`:
 * that much is left for marks at its end. */
void plot_users(struct plot *plot, double room);

/*
 * A line, broken where a point has no value, with a ring for each; and a mark
 * at its end, unless `text` is NULL. The value is NAN where there is none.
 */
void plot_line(struct plot *plot, const struct result *result,
	       const char *class, size_t series,
	       double (*value)(const struct page *page,
			       const struct result_point *point,
			       size_t which),
	       size_t which, const char *text);

/* A cross on the axis for each point of the result that is not valid. */
void plot_invalid(const struct plot *plot, const struct result *result);

/* Areas that tell a pointer of the points; and the marks. */
void plot_finish(struct plot *plot);

#endif
