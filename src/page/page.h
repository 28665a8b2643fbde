/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data and functions that the parts of a page share. html.c fills in struct
 * page, and calls the parts in the order of page.html. Each part writes to the
 * page's stream, or writes nothing if it has nothing to show.
 */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "page/html.h"
#include "page/markup.h"
#include "doc/escape.h"
#include "result/result.h"
#include "result/variant.h"

#include <stdio.h>

/* The points of all results that have the same user count; in a comparison,
 * also the same values of the axes of --sweep. */
struct page_row {
	unsigned users;
	char *const *set; /* these values, as in struct result_point */
	size_t set_count; /* 0: the results have no axes, or are divided */
	/* NULL: the result has no such point. */
	const struct result_point *points[HTML_RESULTS];
};

struct page {
	FILE *stream;
	const struct html_verdict *verdict; /* NULL: not a comparison */
	size_t count;
	/* The results, and their names: the labels, if they have any, or "A",
	 * "B" ..., or "base" and "new". Labels must be escaped. A result with
	 * axes is divided: it counts as one result per variant, unless it is a
	 * side of a comparison. */
	const struct result *results[HTML_RESULTS];
	const char *names[HTML_RESULTS];
	const struct result *whole; /* all are variants of this; or NULL */
	/* Their names in charts, which have little room: the same if all are
	 * short, otherwise the letters, or "base" and "new". */
	const char *marks[HTML_RESULTS];
	/* The valid point with the best throughput of each result, or NULL. */
	const struct result_point *peaks[HTML_RESULTS];
	/* The point of each result for which the page shows the operations and
	 * the charts over time, or NULL. With two results, it is the point at
	 * the user count at which the first result is fastest, among the user
	 * counts at which both are valid. If there is no such user count, or
	 * with another number of results, it is each result's peak. */
	const struct result_point *chosen[HTML_RESULTS];
	struct page_row *rows; /* one per user count, ascending */
	size_t row_count;
	/* Throughput is in operations per second, because no bytes were
	 * moved. */
	bool by_operations;
	/* Latencies are response times, in all results. */
	bool paced;
	enum figure rate; /* the figure that it is */
	const char *unit; /* that of rate.h, or "ops/s" */
	double max_rate;  /* max throughput of all valid repeats; 0: none */
};

/* Return the value of a figure as the page shows it, in the unit of rate.h or in
 * per cent; or NAN if it is unknown or `record` is NULL. */
double page_value(enum figure figure, const struct record *record);

/* Return the throughput in the page's unit. */
double page_rate(const struct page *page, const struct records *records);

/* Return the number of valid repeats of a point. */
size_t page_repeats(const struct result_point *point);

/* Print "1,852 MB/s". Return `text`. */
enum { PAGE_RATE = MARKUP_TEXT + 8 };
char *page_print_rate(const struct page *page, double rate, char text[PAGE_RATE]);

/* Print "8 users". Return `text`. */
enum { PAGE_USERS = 24 };
char *page_print_users(unsigned users, char text[PAGE_USERS]);

/* On a page with a comparison of results with axes, write the values of a point
 * after its user count: ", bs=4Ki". On other pages such results are divided. */
void page_write_set(const struct page *page, char *const *set, size_t count);

/* Write a result's name in its colour. */
void page_swatch(const struct page *page, size_t index);

/* Write how a result differs from the others on the page. If it is the only
 * one, write its label, load and target. */
void page_title(const struct page *page, size_t index);

/* Write what the only result, or all variants of one, have in common: label,
 * load and targets. */
void page_common_title(const struct page *page);

/* Write a heading for a result, unless the page has only one. */
void page_subheading(const struct page *page, size_t index);

/* Write how many operations and bytes were counted at an invalid point. */
void page_counts(const struct page *page, const struct result_point *point);

/*
 * Write an entry of a legend. The caller has begun an element of class
 * "legend". `kind` is a class of page.css: dot, ring, fit, void, box.
 * page_legend_results writes an entry for each result, or nothing if the page
 * has only one.
 */
void page_legend(const struct page *page, const char *kind, size_t series, const char *text);
void page_legend_results(const struct page *page);

/*
 * page_results writes a table of all results, for the headline of a page with
 * several. page_verdict writes the badges of one result: not valid, or with
 * warnings.
 */
void page_results(const struct page *page);
void page_verdict(const struct page *page, const struct result *result);

/* Write the parts of the page. */
void page_headline(const struct page *page);
void page_invalid(const struct page *page);
void page_warnings(const struct page *page);
void page_throughput(const struct page *page);
void page_latency(const struct page *page);
void page_shares(const struct page *page);
void page_time(const struct page *page);
void page_sides(const struct page *page);
void page_points(const struct page *page);
void page_loads(const struct page *page);
void page_phases(const struct page *page);
void page_operations(const struct page *page);
void page_configuration(const struct page *page);

/* Write a table of the phases of a load (NULL: of the only one) at one point, or
 * at the points of two sides next to each other. The last one decides which
 * phases the table has. */
void page_phase_table(const struct page *page, const struct result_point *const *points,
		      size_t sides, const char *load);

/* The contents of page.css and page.html. */
extern const char page_css[], page_html[];

#endif
