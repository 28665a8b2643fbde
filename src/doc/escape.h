/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Escape text from outside (labels, paths, host names, words of loads) for each
 * output format. Such text may contain any bytes. Characters that could end a
 * line, control a terminal or mean something in the format are made harmless
 * here, and nowhere else.
 */
#ifndef DOC_ESCAPE_H
#define DOC_ESCAPE_H

#include <stdio.h>

/*
 * Write text for people, terminals and CI logs. Characters that cannot be shown
 * or that begin a workflow command of GitHub Actions become `?`.
 */
void escape_text(const char *text, FILE *stream);

/* Write the beginning of a text, which must not end within a character. */
void escape_part(const char *text, size_t length, FILE *stream);

/* Return the number of characters that escape_text writes. */
size_t escape_length(const char *text);

/* Write like escape_text, but keep the ends of lines. */
void escape_lines(const char *text, FILE *stream);

/*
 * Write like escape_text, padded with spaces to `columns`. Return the number of
 * characters of the text, which may be larger than `columns`.
 */
int escape_column(const char *text, int columns, FILE *stream);

/*
 * Write text as content or attribute of HTML or XML. Characters that cannot be
 * shown are written as their number: \x1B, \u202E.
 */
void escape_markup(const char *text, FILE *stream);

/*
 * Write markup like fprintf. The texts of %s are escaped; NULL is an empty text. There
 * are also %u, and %g and %f with a precision.
 */
void escape_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Write text as GitHub-flavoured Markdown, so that GitHub renders the original
 * text, also where a list or a paragraph begins.
 */
void escape_markdown(const char *text, FILE *stream);

/*
 * Write text as data of a workflow command of GitHub Actions, or as the value
 * of one of its properties (in which more characters must be escaped).
 */
void escape_workflow(const char *text, FILE *stream);
void escape_workflow_property(const char *text, FILE *stream);

/*
 * Write text as a cell of CSV (RFC 4180), in quotes if needed. Characters
 * that cannot be shown become `?`. An apostrophe is put before text that a
 * spreadsheet would take for a formula.
 */
void escape_csv(const char *text, FILE *stream);

/*
 * Write like escape_text, as part of the name of a benchmark. CI services show
 * such names in code spans and tables of Markdown, so ` and | become `_`.
 */
void escape_benchmark(const char *text, FILE *stream);

/*
 * Write text as the value of a label of Prometheus, in quotes. Characters that
 * cannot be shown are written as their number, so that values still differ.
 */
void escape_label(const char *text, FILE *stream);

#endif
