/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The load that throng brings along.
 */
#ifndef LOAD_BUILTIN_H
#define LOAD_BUILTIN_H

#include "base/error.h"

#include <limits.h>

/* What people are told it is. */
#define BUILTIN_NAME "netbench (built in)"

/*
 * Finds the file: in loadfiles/ beside the program (a build), or where `make
 * install` put it. Returns 0, or -ENOENT with `error` naming both places.
 */
int builtin_find(char path[PATH_MAX], struct error *error);

#endif
