/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The built-in load.
 */
#ifndef LOAD_BUILTIN_H
#define LOAD_BUILTIN_H

#include "base/error.h"

#include <limits.h>

/* The name of the built-in load in output. */
#define BUILTIN_NAME "netbench (built in)"

/*
 * Find the loadfile of the built-in load: in the folder loadfiles/ beside the
 * program (when run from a build), or where `make install` put it. Return 0,
 * or -ENOENT with `error` set.
 */
int builtin_find(char path[PATH_MAX], struct error *error);

#endif
