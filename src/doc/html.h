/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the renderer of HTML pages share: html.c and html_table.c.
 */
#ifndef DOC_HTML_H
#define DOC_HTML_H

#include "doc/tree.h"

#include <stdio.h>

struct page {
	FILE *stream;
	const struct doc_block **blocks; /* those that are shown */
	size_t count;
	bool in_section, in_charts;
	unsigned folds;         /* that are open */
	bool has_ids[DOC_BEST]; /* by class: its list of items was written */
};

/* Return the CSS class of a class; or "". */
const char *html_class(enum doc_class class);

/* Add a CSS class to others; or nothing, if it is "". */
enum { HTML_CLASSES = 64 };
void html_add_class(char classes[HTML_CLASSES], const char *class);

/* Return the id of the list of items of a class; or NULL if the page has none. */
const char *html_list(const struct page *page, enum doc_class class);

/* Begin an element; `classes` may be "". */
void html_open(const struct page *page, const char *tag, const char *classes);

/* Write an element with a text. */
void html_element(const struct page *page, const char *tag, const char *classes, const char *text);

void html_table(const struct page *page, const struct doc_table *table);

#endif
