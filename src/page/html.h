/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as an HTML page: one file that needs nothing else, neither the
 * network nor scripts, with its charts drawn in SVG.
 */
#ifndef PAGE_HTML_H
#define PAGE_HTML_H

#include "result/result.h"
#include "stats/ratio.h"

#include <stdio.h>

/* A page has room for this many results: A to Z. */
enum { HTML_RESULTS = 26 };

/* Write `count` > 0 results, overlaid where they are several. Returns 0 or
 * -errno: -E2BIG where they are too many. */
int html_write(const struct result *results, size_t count, FILE *stream);

/* The verdict of a comparison in words, none of them escaped. */
struct html_verdict {
	enum verdict verdict;
	const char *answer;          /* "no regression" */
	struct result_reasons facts; /* what was measured, and what follows */
	const struct result_reasons *warnings; /* those of both results, too */
};

/* Write both results of a comparison, base first, below its verdict. Returns 0
 * or -errno. */
int html_write_comparison(const struct result results[SIDES],
			  const struct html_verdict *verdict, FILE *stream);

#endif
