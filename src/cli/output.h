/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Result files: the list of formats, one row each, and how a file of any
 * format comes to be.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "base/error.h"
#include "result/result.h"

#include <stdio.h>

/* Help of the options that take such files. */
#define OUTPUT_HELP \
	"Write a result: FILE.json, .csv, .html or .bench"

struct output_format {
	const char *ending; /* of the file's name: ".json" */
	bool several;       /* can one file hold several results? */
	/*
	 * Writes `count` results, one where `several` is false. Returns 0 or
	 * -errno; an error of the stream may be left to the caller, too.
	 */
	int (*write)(const struct result *results, size_t count, FILE *stream);
};

/*
 * The format that the ending of a file's name picks, or NULL with `error`
 * set.
 */
const struct output_format *output_find(const char *path, struct error *error);

/*
 * Could output_write write so many results to `path`? Leaves everything as it
 * was. Returns 0, or -errno with `error` set: an unknown ending, more results
 * than such a file holds, a directory that cannot be written, or something in
 * the file's place that is no file of one's own.
 */
int output_check(const char *path, size_t count, struct error *error);

/*
 * Writes as many results to `path` as output_check allows: into a file beside
 * it first, which then takes its name, so that there is never half a result,
 * whenever throng dies. The disk is not waited for, as others may be measuring
 * it. No link is followed. Returns 0, or -errno with `error` set and an older
 * file untouched.
 */
int output_write(const struct result *results, size_t count, const char *path,
		 struct error *error);

/* The same for what is no list of results: `write` returns 0 or -errno. */
int output_replace(const char *path,
		   int (*write)(const void *what, FILE *stream),
		   const void *what, struct error *error);
int output_check_place(const char *path, struct error *error);

#endif
