/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as a page to look at: one file that needs nothing else, neither the
 * network nor scripts, with its charts drawn in SVG.
 */
#ifndef PAGE_HTML_H
#define PAGE_HTML_H

#include "result/result.h"

#include <stdio.h>

/* Writes `count` > 0 results, overlaid where they are several. Returns 0 or
 * -errno. */
int html_write(const struct result *results, size_t count, FILE *stream);

#endif
