/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats in which -o and --format write results and comparisons.
 */
#ifndef EXPORT_FORMATS_H
#define EXPORT_FORMATS_H

#include "compare/comparison.h"

#include <stdio.h>

/* The running second of a measurement, for formats that are live. */
struct export_second {
	unsigned users;
	size_t variant;
	double bytes_per_s, ops_per_s;
	double p99_s; /* NAN: unknown */
};

/* The results or the comparison to write, and how. */
struct export
{
	const struct comparison *comparison; /* NULL: write results */
	const struct result *results;
	size_t count; /* at least 1 */
	/* The files of the results, for people. NULL: none are shown. */
	const char *const *files;
	bool shows_operations; /* text has a table of operations after each point */
	/* The figures for formats that have some of them (--figures). NULL: the
	 * default ones of values.h. */
	const struct metric *figures;
	size_t figure_count;
	const struct export_second *second; /* NULL: nothing is measured now */
};

struct format {
	const char *name;   /* "json" */
	const char *ending; /* of file names: ".json"; NULL: none selects it */
	bool several;       /* one file can hold several results */
	bool live;          /* a file is rewritten each second of a run */
	/* Write the results or, if `several` is false, the first one; or a
	 * comparison. NULL: the format has none. Return 0 or -errno. The caller must
	 * check ferror for errors of the stream. */
	int (*write)(const struct export *export, FILE *stream);
	int (*compare)(const struct comparison *comparison, FILE *stream);
};

extern const struct format *const formats;

/* The names of the formats of results, ended by NULL, in the order of the table. */
extern const char *const format_names[];

/* Return the format that the first `length` bytes of a text name, or NULL. */
const struct format *format_named(const char *name, size_t length);

/* Return the format whose ending a file name has, or NULL. */
const struct format *format_of_file(const char *name);

/* The writers, for the table; each has a file of its own. */
int text_write(const struct export *export, FILE *stream);
int markdown_write(const struct export *export, FILE *stream);
int csv_write(const struct export *export, FILE *stream);
int dbench_write(const struct export *export, FILE *stream);
int bencher_write(const struct export *export, FILE *stream);
int benchmark_write_bigger(const struct export *export, FILE *stream);
int benchmark_write_smaller(const struct export *export, FILE *stream);
int otava_write(const struct export *export, FILE *stream);
int prometheus_write(const struct export *export, FILE *stream);

#endif
