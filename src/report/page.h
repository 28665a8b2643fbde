/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as an HTML page: one file without scripts and without links to the network.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "result/result.h"

#include <stdio.h>

/* Write a page with `count` > 0 results, which share the charts. `files` are their
 * files, or NULL. Return 0 or -errno. */
int page_write(const struct result *results, size_t count, const char *const *files, FILE *stream);

#endif
