/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merge traces by strace that were made at the same time, such as those of
 * strace -ff, which has a file for each process.
 */
#ifndef CAPTURE_STRACE_MERGE_H
#define CAPTURE_STRACE_MERGE_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

/*
 * Read `count` files, and write their lines to `merged` in the order of their
 * times, as strace -f writes them. Lines without a PID get that at the end of the
 * file's name. Return 0, or -errno with `error` set: -EINVAL with the place for a
 * file that cannot be merged.
 */
int strace_merge(const char *const *names, size_t count, FILE *merged, struct error *error);

#endif
