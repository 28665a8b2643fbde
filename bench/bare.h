/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bare loop of a client library's calls: what throng is measured against on
 * file servers (bench/network). All is prepared before the clock runs, and
 * while it runs there are the calls and nothing else: no statistics, no
 * judgement of what comes back, one look at the clock in 256 operations.
 *
 *	bare-LIBRARY LOADFILE URL SECONDS
 *
 * plays the recording as user 0 does, its prologue before the clock, and
 * prints operations a second. URL is a directory that holds no `clients`.
 */
#ifndef BENCH_BARE_H
#define BENCH_BARE_H

#include "program/program.h"

#include <stdbool.h>
#include <stdint.h>

/* What the load has open under one of its handles. */
struct bare_handle {
	bool open;
	void *file;        /* the library's; NULL: a directory, held by nobody */
	const char *path;
	uint64_t position; /* for a library that has one */
};

/* What the loop works with; the paths are as the library takes them. */
struct bare {
	const char **paths; /* by the program's numbers */
	const char **texts; /* the same, relative to the target */
	struct bare_handle *handles;
	char *read_buffer, *data;
};
extern struct bare bare;

typedef void bare_visit(const char *directory, const char *name,
			bool is_directory);

/* What each of the two programs brings along. */
struct bare_library {
	void (*connect)(const char *url);
	void (*disconnect)(void);
	/* The library's form of a path; lasts to the end. */
	const char *(*path)(const char *text);
	bool (*can)(const struct op *op);
	/* Returns nothing: nobody would look. */
	void (*play)(const struct op *op);
	void (*close)(struct bare_handle *handle);
	/* 0, or not. The directory is given as text. */
	int (*mkdir)(const char *path);
	int (*rmdir)(const char *path);
	int (*unlink)(const char *path);
	void (*list)(const char *directory, bare_visit *visit);
};

int bare_main(int argc, char **argv, const struct bare_library *library);

/* Keeps what an OPEN has opened, or closes it where it was to fail. */
void bare_keep(const struct op *op, void *file);

/* Removes all that a directory holds, given as text. */
void bare_empty(const char *directory);

/* Ends the program, with a sentence. */
void bare_die(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

#endif
