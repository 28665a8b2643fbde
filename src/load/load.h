/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open a loadfile, detect its dialect, and compile it.
 */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include "base/error.h"
#include "program/program.h"

/* The default memory limit for a load. A limit is needed, as a few megabytes of
 * gzip can expand to gigabytes of operations. */
#define LOAD_BYTES_MAX UINT64_C(1000000000)

/*
 * Compile the loadfile `path`, plain or gzip. Refuse it if the program takes
 * more than about `bytes_max` bytes of memory; 0 means LOAD_BYTES_MAX. Return
 * the program, which the caller frees, or NULL with all errors of the file in
 * `errors`.
 */
struct program *load_file(const char *path, uint64_t bytes_max,
			  struct errors *errors);

#endif
