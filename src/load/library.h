/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library: loads that are installed with the program and have a name. They
 * are the files NAME.load and NAME.load.gz in the folder loadfiles/ beside the
 * program (when run from a build), or else where `make install` put them.
 */
#ifndef LOAD_LIBRARY_H
#define LOAD_LIBRARY_H

#include "base/error.h"

#include <limits.h>
#include <stddef.h>

/* The load that is replayed if none is given, and its name in output. */
#define LIBRARY_DEFAULT "netbench"
#define LIBRARY_DEFAULT_SHOWN "netbench (built in)"

/* Names of loads, in alphabetical order. */
struct library {
	char **names;
	size_t count;
};

/*
 * Find the loadfile that a user means by `word`: the file with this path, if it
 * has a slash or exists, or else the load of the library with this name. Return 0, or
 * -ENOENT with `error` set.
 */
int library_resolve(const char *word, char path[PATH_MAX], struct error *error);

/* Find a load of the library. Return 0, or -ENOENT with `error` set. */
int library_find(const char *name, char path[PATH_MAX], struct error *error);

/* Return the length of the load's name in the name of a file, NAME.load or
 * NAME.load.gz, or 0 if it has neither ending. */
size_t library_name_length(const char *file);

/* List the library. Return 0, or -errno with `error` set. Call library_free
 * even after an error. */
int library_list(struct library *library, struct error *error);
void library_free(struct library *library);

#endif
