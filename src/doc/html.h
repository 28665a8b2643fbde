/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the parts of the renderer of HTML pages: html.c and html_table.c.
 */
#ifndef DOC_HTML_H
#define DOC_HTML_H

#include "doc/tree.h"

#include <stdio.h>

struct page {
	FILE *stream;
	const struct doc_block **blocks; /* those that are shown */
	size_t count;
	bool has_title, in_section, in_charts;
	bool failed; /* memory was short */
};

/* Return the CSS class of a class; or "". */
const char *html_class(enum doc_class class);

/* Return the id of the list of items of a class; or NULL if the page has none. */
const char *html_list(const struct page *page, enum doc_class class);

/* Begin an element with those of these CSS classes that are not "". NULL ends them. */
void html_open(FILE *stream, const char *tag, const char *const classes[]);

void html_table(const struct page *page, const struct doc_table *table);

#endif
