/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drop files of a local directory from the page cache.
 */
#ifndef TARGET_POSIX_PAGE_CACHE_H
#define TARGET_POSIX_PAGE_CACHE_H

#include <stdint.h>

/*
 * Write the file `name` in the directory `parent` (a descriptor) to disk and
 * drop it from the page cache. If it is a directory, do this with all files
 * below it, but without following links or entering other file systems. Files
 * that are removed meanwhile are skipped. *steps grows with the progress.
 *
 * Return 0, or -errno: -EBUSY if a file stays in the page cache, as it does
 * while another process has mapped it or writes to it.
 */
int posix_cache_drop(int parent, const char *name, uint64_t *steps);

#endif
