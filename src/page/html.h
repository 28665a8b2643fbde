/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as an HTML page. The page is a single file without scripts and
 * without links to the network; its charts are SVG.
 */
#ifndef PAGE_HTML_H
#define PAGE_HTML_H

#include "result/result.h"
#include "stats/ratio.h"

#include <stdio.h>

/* Max number of results on a page; they are named A to Z. A result with axes
 * counts as one result per variant (result/variant.h). */
enum { HTML_RESULTS = 26 };

/* Write a page with `count` > 0 results. Several results share the charts.
 * Return 0 or -errno: -E2BIG if there are more than HTML_RESULTS. */
int html_write(const struct result *results, size_t count, FILE *stream);

/* The verdict of a comparison. Its texts are not escaped. */
struct html_verdict {
	enum verdict verdict;
	const char *answer;             /* "no regression" */
	struct result_reasons facts;    /* the figures and conclusions */
	const struct notices *warnings; /* with those of both results */
};

/*
 * Write a page with the verdict of a comparison and its two results, base
 * first. Return 0 or -errno.
 */
int html_write_comparison(const struct result results[SIDES], const struct html_verdict *verdict,
			  FILE *stream);

#endif
