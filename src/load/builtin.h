/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The built-in load.
 */
#ifndef LOAD_BUILTIN_H
#define LOAD_BUILTIN_H

#include "base/error.h"

#include <limits.h>

/* Its name in output. */
#define BUILTIN_NAME "netbench (built in)"

/*
 * Find its file: in loadfiles/ beside the program (a build), or where `make
 * install` put it. Returns 0, or -ENOENT with `error` naming both places.
 */
int builtin_find(char path[PATH_MAX], struct error *error);

#endif
