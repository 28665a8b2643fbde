/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `throng report` on a comparison that `throng compare -o` stored.
 */
#ifndef CLI_REPORT_COMPARISON_H
#define CLI_REPORT_COMPARISON_H

#include <stddef.h>

/*
 * Write the comparison in the file `path` to each output, as an HTML page.
 * Return the exit code.
 */
int report_comparison(const char *path, const char *const *outputs, size_t count);

#endif
