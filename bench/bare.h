/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bare loop of a client library's calls, as a reference for throng on file
 * servers (bench/network). Everything is prepared before the clock runs. Then
 * the loop only makes the calls: it has no statistics, ignores results and
 * reads the clock once per 256 operations.
 *
 *	bare-LIBRARY LOADFILE URL SECONDS
 *
 * plays the recording as user 0, with its prologue before the clock runs, and
 * prints operations per second. URL must be a directory without an entry
 * `clients`.
 */
#ifndef BENCH_BARE_H
#define BENCH_BARE_H

#include "program/program.h"

#include <stdbool.h>
#include <stdint.h>

/* The state of one of the load's handles. */
struct bare_handle {
	bool open;
	void *file; /* the library's file; NULL for a directory */
	const char *path;
	uint64_t position; /* for a library without pread and pwrite */
};

/* The data of the loop. */
struct bare {
	/* The program's paths, in the library's form and as text relative to
	 * the target. */
	const char **paths, **texts;
	struct bare_handle *handles;
	char *read_buffer, *data;
};
extern struct bare bare;

typedef void bare_visit(const char *directory, const char *name, bool is_directory);

/* The calls of one library. */
struct bare_library {
	void (*connect)(const char *url);
	void (*disconnect)(void);
	/* Convert a path to the library's form; it is never freed. */
	const char *(*path)(const char *text);
	bool (*can)(const struct op *op);
	/* Results are ignored. */
	void (*play)(const struct op *op);
	void (*close)(struct bare_handle *handle);
	/* Return 0 or an error. Paths are in the library's form, but `list`
	 * takes text. */
	int (*mkdir)(const char *path);
	int (*rmdir)(const char *path);
	int (*unlink)(const char *path);
	void (*list)(const char *directory, bare_visit *visit);
};

int bare_main(int argc, char **argv, const struct bare_library *library);

/* Store the file that an OPEN has opened in the OPEN's handle. If the OPEN was
 * recorded as failed, it has no handle: close the file. */
void bare_keep(const struct op *op, void *file);

/* Remove the contents of a directory, whose path is given as text. */
void bare_empty(const char *directory);

/* Print a message and exit. */
void bare_die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
