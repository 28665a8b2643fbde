/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of a page share: the results that it shows, what they have in
 * common, and the parts themselves. Each writes to the page's stream, or
 * nothing where there is nothing to show. Only html.c sets a page up.
 */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "page/chart.h"
#include "report/escape.h"
#include "report/markup.h"
#include "result/result.h"

#include <stdio.h>

struct page {
	FILE *stream;
	const struct result *results;
	size_t count;
	/* All the numbers of users, ascending, each once. */
	unsigned *users;
	size_t user_count;
	/* Of a load that moves no bytes the operations count. */
	bool by_operations;
	const char *unit; /* "MB/s" or "ops/s" */
	double max_rate;  /* of all valid repeats */
	int decimals;     /* with which rates are written */
};

/* The throughput, in the page's unit. */
double page_rate(const struct page *page, const struct result_figures *figures);

/* Of a point, and over its valid repeats. */
struct page_range {
	double middle, min, max;
	double spread; /* (max - min) / middle */
	size_t repeats;
};
struct page_range page_range(const struct page *page,
			     const struct result_point *point);

/* The valid point with the best throughput, or NULL. */
const struct result_point *page_peak(const struct page *page,
				     const struct result *result);

/* "1,852 MB/s". Returns `text`. */
enum { PAGE_RATE = MARKUP_TEXT + 8 };
char *page_print_rate(const struct page *page, double rate,
		      char text[PAGE_RATE]);

/* "8 users". Returns `text`. */
enum { PAGE_USERS = 24 };
char *page_print_users(unsigned users, char text[PAGE_USERS]);

/* The letter of a result among several. Returns `text`. */
enum { PAGE_LETTER = 8 };
char *page_letter(size_t index, char text[PAGE_LETTER]);

/* Its letter with its colour, in front of its name. */
void page_swatch(const struct page *page, size_t index);

/* By what a result differs from the others; of a single one, what it is. */
void page_name(const struct page *page, size_t index);

/* A table in a place of its own, which scrolls where it is too wide. */
void page_begin_table(const struct page *page, const char *class);
void page_end_table(const struct page *page);

/* A chart's place on the page, with its heading; what follows the drawing
 * comes before its end. */
void page_begin_figure(const struct page *page, const char *heading);
void page_end_figure(const struct page *page);

/* An entry of a chart's legend, between page_begin_legend and its end. The
 * kind is a class of page.css: dot, line, dash, box. */
void page_begin_legend(const struct page *page);
void page_legend(const struct page *page, const char *kind, size_t series,
		 const char *text);
void page_end_legend(const struct page *page);

/* The legend of a chart in which each result has its colour. */
void page_legend_results(const struct page *page, const char *kind);

/* --- the parts, from the top of the page down ---------------------------- */

void page_headline(const struct page *page);
void page_reasons(const struct page *page);
/* Throughput and latency against users, or of the only point. */
void page_throughput(const struct page *page);
void page_latency(const struct page *page);
void page_shares(const struct page *page);
void page_time(const struct page *page);
void page_comparison(const struct page *page);
void page_points(const struct page *page);
void page_operations(const struct page *page);
void page_configuration(const struct page *page);

/* The style sheet, which is page.css. */
extern const char page_style[];

#endif
