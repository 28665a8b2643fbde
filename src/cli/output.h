/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Result files: the list of the formats of -o, and functions that replace a
 * file only by a whole new one.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "base/error.h"
#include "result/result.h"

#include <stdbool.h>
#include <stdio.h>

/* The help of --output. */
#define OUTPUT_HELP "Write a result: FILE.json, .csv, .html or .bench; -: JSON to stdout"

struct output_format {
	const char *ending; /* of file names: ".json" */
	bool several;       /* one file can hold several results */
	/* Max number of variants of all results together (result/variant.h); 0:
	 * any number. */
	size_t variants_max;
	/* Write `count` results or, if `several` is false, the first one.
	 * Return 0 or -errno. The caller must check ferror for errors of the
	 * stream. */
	int (*write)(const struct result *results, size_t count, FILE *stream);
};

/*
 * Return the format for a path, which depends on its ending; or NULL with
 * `error` set. Two kinds of paths stand for standard output: "-" for JSON, and
 * "csv:-" for CSV, likewise "json:-" and so on.
 */
const struct output_format *output_find(const char *path, struct error *error);

/* Check that each path, up to a NULL, has a format, and that at most one of them
 * stands for standard output. No list is a NULL. Return 0, or -EINVAL with
 * `error` set. */
int output_find_all(const char *const *paths, struct error *error);

bool output_is_stdout(const char *path);

/*
 * Keep standard output for output_write: from now on, what the process and its
 * children print there goes to standard error. Return 0, or -errno with `error`
 * set.
 */
int output_keep_stdout(struct error *error);

/*
 * Check if output_write can write `count` results to `path`; leave no trace.
 * Standard output can always be written. The results need not be measured yet, but have their variants. Return 0, or
 * -errno with `error` set: an unknown ending, several results for a format that
 * holds one, too many variants, a directory that is not writable, or a path
 * that exists and is not a regular, writable file.
 */
int output_check(const char *path, const struct result *results, size_t count, struct error *error);

/*
 * Write `count` results to `path`, under the conditions of output_check. Write
 * them to a temporary file in the same directory, and then rename it: if throng
 * dies, there is never half a file. There is no fsync, because it would disturb
 * other measurements on this disk. Symbolic links are not followed. Standard
 * output can be written once, after output_keep_stdout. Return 0, or -errno with
 * `error` set and an older file unchanged.
 */
int output_write(const struct result *results, size_t count, const char *path, struct error *error);

/*
 * Write other contents in the same way: `write` prints them, and returns 0 or
 * -errno. output_check_place checks the path without writing.
 */
int output_replace(const char *path, int (*write)(const void *what, FILE *stream), const void *what,
		   struct error *error);
int output_check_place(const char *path, struct error *error);

/* Return whether two paths name the same file, or the same entry of a directory,
 * which need not exist yet. */
bool output_is_same(const char *one, const char *other);

#endif
