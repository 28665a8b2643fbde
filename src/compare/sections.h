/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sections of a comparison's document that have a file of their own, and what
 * tables of a comparison have in common.
 */
#ifndef COMPARE_SECTIONS_H
#define COMPARE_SECTIONS_H

#include "compare/comparison.h"
#include "doc/doc.h"

/* The colour of pairs and operations in charts. */
enum { PAIR_COLOUR = 3 };

/* Add a column for each side. */
void section_side_columns(struct doc *doc, const struct comparison *comparison,
			  enum number_form form);

/*
 * Add the operations whose mean latency changed most: a few as text and Markdown; on
 * the page more, with a chart.
 */
void section_changes(struct doc *doc, const struct comparison *comparison);

#endif
