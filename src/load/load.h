/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loadfiles: opens one, finds its dialect, and compiles it.
 */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include "base/error.h"
#include "program/program.h"

/*
 * Compiles the loadfile `path`, plain or gzip. Returns the program, which the
 * caller frees, or NULL with `errors` filled: all that is wrong with the file,
 * not only the first thing.
 */
struct program *load_file(const char *path, struct errors *errors);

#endif
