/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The outputs of -o: their formats (export/formats.h), and functions that replace
 * a file only by a whole new one.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "base/error.h"
#include "doc/doc.h"
#include "export/formats.h"

#include <stdbool.h>
#include <stdio.h>

/* The help of --output. */
#define OUTPUT_HELP "Write .json, .csv, .html, .md, FORMAT:FILE or -"

/* The help of --table. */
#define TABLE_HELP "Print a table, such as 'mb_per_s by target'"

/*
 * Return the format of an output of results or, with `compares`, of a comparison:
 * FORMAT:FILE, or FILE, whose ending selects it; or NULL with `error` set. "-" stands
 * for JSON, and as FILE for standard output.
 */
const struct format *output_find(const char *output, bool compares, struct error *error);

/* Return the FILE of an output whose format is known. */
const char *output_file(const char *output);

/* Check that each output, up to a NULL, has a format, and that at most one of them
 * stands for standard output. No list is a NULL. Return 0, or -EINVAL with
 * `error` set. */
int output_find_all(const char *const *outputs, bool compares, struct error *error);

bool output_is_stdout(const char *output);

/*
 * Keep standard output for output_write: from now on, what the process and its
 * children print there goes to standard error. Return 0, or -errno with `error`
 * set.
 */
int output_keep_stdout(struct error *error);

/*
 * Check if output_write can write this to an output; leave no trace.
 * Standard output can always be written. Return 0, or -errno with `error` set: an
 * unknown format, several results for a format that holds one, a directory that is
 * not writable, or a path that exists and is not a regular, writable file.
 */
int output_check(const struct export *export, const char *output, struct error *error);

/*
 * Write it to an output, under the conditions of output_check: to a temporary file in the same directory, and then rename it: if throng
 * dies, there is never half a file. There is no fsync, because it would disturb
 * other measurements on this disk. Symbolic links are not followed. Standard
 * output can be written once, after output_keep_stdout. Return 0, or -errno with
 * `error` set and an older file unchanged.
 */
int output_write(const struct export *export, const char *output, struct error *error);

/*
 * Write other contents in the same way: `write` prints them, and returns 0 or
 * -errno. output_check_place checks the path without writing.
 */
int output_replace(const char *path, int (*write)(const void *what, FILE *stream), const void *what,
		   struct error *error);
int output_check_place(const char *path, struct error *error);

/* Print a document as text to standard output, and free it. `follows`: other text was
 * printed before. */
void output_document(struct doc *doc, bool follows);

/* Return whether two paths name the same file, or the same entry of a directory,
 * which need not exist yet. */
bool output_is_same(const char *one, const char *other);

#endif
