/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write a document (doc.h). All functions return 0, or -ENOMEM: the document is not
 * whole, and nothing is written; or memory is short for what is written. The caller
 * must check ferror for errors of the stream.
 */
#ifndef DOC_RENDER_H
#define DOC_RENDER_H

#include "doc/doc.h"

#include <stdio.h>

/*
 * Write as text for terminals, at most 80 columns wide where names allow it. Blank
 * lines are before titles, and around the headline, tables and lists of items; before
 * the first block, if `follows`: other text was written before.
 */
int doc_text(const struct doc *doc, bool follows, FILE *stream);

/* Write as GitHub-flavoured Markdown. */
int doc_markdown(const struct doc *doc, FILE *stream);

/* Write as an HTML page: one file without scripts and without links to the network;
 * charts are SVG. */
int doc_html(const struct doc *doc, const char *title, FILE *stream);

#endif
