/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts that come from outside (labels, paths, names of hosts, words of loads)
 * on their way into each family of formats. They may be any bytes: whatever
 * could end a line, steer a terminal or mean something to the format loses its
 * effect here and nowhere else.
 */
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

#include <stdio.h>

/*
 * Write for people, terminals and CI logs: a character that cannot be shown, or
 * begins a command of a workflow, becomes `?`. The caller frees the copy; NULL:
 * no memory.
 */
void escape_text(const char *text, FILE *stream);
char *escape_text_copy(const char *text);

/*
 * Write as escape_text does, filled up with spaces to a number of columns.
 * Returns the number of characters, which may be more.
 */
int escape_column(const char *text, int columns, FILE *stream);

/*
 * Write as content or attribute of HTML and XML. What cannot be shown becomes
 * its number: \x1B, \u202E.
 */
void escape_markup(const char *text, FILE *stream);

/* Write as GitHub flavoured Markdown that shows the text as it is. */
void escape_markdown(const char *text, FILE *stream);

/*
 * Write as data of a workflow command of GitHub Actions, or as one of its
 * properties, where more characters have a meaning.
 */
void escape_workflow(const char *text, FILE *stream);
void escape_workflow_property(const char *text, FILE *stream);

/*
 * Write a cell of CSV (RFC 4180) as escape_text does, quoted where it must be.
 * An apostrophe comes before what a spreadsheet would take for a formula.
 */
void escape_csv(const char *text, FILE *stream);

/*
 * Write a part of a benchmark's name in the Go benchmark format. A slash would
 * begin another part, and a dash before digits the number of processors.
 */
void escape_benchmark(const char *text, FILE *stream);

#endif
