/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loadfiles: opens one, finds its dialect, and compiles it.
 */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include "base/error.h"
#include "program/program.h"

/* The memory that a load may take unless told otherwise: a few megabytes of
 * gzip can hold gigabytes of operations. */
#define LOAD_BYTES_MAX UINT64_C(1000000000)

/*
 * Compiles the loadfile `path`, plain or gzip. One that takes more than about
 * `bytes_max` bytes of memory is refused (0: LOAD_BYTES_MAX). Returns the
 * program, which the caller frees, or NULL with `errors` filled: all that is
 * wrong with the file, not only the first thing.
 */
struct program *load_file(const char *path, uint64_t bytes_max,
			  struct errors *errors);

#endif
