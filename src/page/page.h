/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A page's results and what its parts share. html.c sets it up and calls the
 * parts in the order of page.html. Each writes to the page's stream, or nothing
 * where there is nothing to show.
 */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "page/html.h"
#include "report/escape.h"
#include "report/markup.h"
#include "result/metric.h"
#include "result/result.h"

#include <stdio.h>

/* The points of all results with one user count. */
struct page_row {
	unsigned users;
	const struct result_point *points[HTML_RESULTS]; /* NULL: it has none */
};

struct page {
	FILE *stream;
	const struct html_verdict *verdict; /* NULL: nothing was compared */
	size_t count;
	/* The results and their names, "A", "B" ... or "base" and "new". */
	const struct result *results[HTML_RESULTS];
	const char *names[HTML_RESULTS];
	/* The valid point of each result with the best throughput, or NULL. */
	const struct result_point *peaks[HTML_RESULTS];
	/*
	 * The point that stands for each result, or NULL: its peak; or, of two
	 * results, the base's best point that is valid in both.
	 */
	const struct result_point *chosen[HTML_RESULTS];
	struct page_row *rows; /* by user count, ascending, each once */
	size_t row_count;
	/* Throughput is counted in operations where no bytes are moved. */
	bool by_operations;
	struct metric rate;
	const char *unit; /* "MB/s" or "ops/s" */
	double max_rate;  /* of all valid repeats; 0: there are no figures */
};

/* Return a metric's value, or NAN where it is not known or figures is NULL. */
double page_value(const struct metric *metric,
		  const struct result_figures *figures);

/* Return the throughput in the page's unit. */
double page_rate(const struct page *page, const struct result_figures *figures);

/* The throughput of a point's valid repeats. */
struct page_range {
	double min, max;
	double spread; /* (max - min) / median */
	size_t repeats;
};
struct page_range page_range(const struct page *page,
			     const struct result_point *point);

/* Print "1,852 MB/s". Returns `text`. */
enum { PAGE_RATE = MARKUP_TEXT + 8 };
char *page_print_rate(const struct page *page, double rate,
		      char text[PAGE_RATE]);

/* Print "8 users". Returns `text`. */
enum { PAGE_USERS = 24 };
char *page_print_users(unsigned users, char text[PAGE_USERS]);

/* Write a result's name in its colour. */
void page_swatch(const struct page *page, size_t index);

/* Write how a result differs from the others; of a single one, what it is. */
void page_title(const struct page *page, size_t index);

/* Write a heading for a result, unless there is one only. */
void page_subheading(const struct page *page, size_t index);

/* Write what an invalid point counted before it ended. */
void page_counts(const struct page *page, const struct result_point *point);

/*
 * Write an entry of a legend, or one for each of several results, inside an
 * element of the class "legend". The kind is a class of page.css: dot, line,
 * dash, box.
 */
void page_legend(const struct page *page, const char *kind, size_t series,
		 const char *text);
void page_legend_results(const struct page *page);

/* The headline's table of several results, and what it says of each: is it
 * valid, does it have warnings? */
void page_results(const struct page *page);
void page_verdict(const struct page *page, size_t index);

/* The parts. */
void page_headline(const struct page *page);
void page_invalid(const struct page *page);
void page_warnings(const struct page *page);
void page_throughput(const struct page *page);
void page_latency(const struct page *page);
void page_shares(const struct page *page);
void page_time(const struct page *page);
void page_sides(const struct page *page);
void page_points(const struct page *page);
void page_operations(const struct page *page);
void page_configuration(const struct page *page);

/* page.css and page.html. */
extern const char page_css[], page_html[];

#endif
