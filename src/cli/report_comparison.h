/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write comparisons to files; and `throng report` on a comparison that `throng compare
 * -o` stored.
 */
#ifndef CLI_REPORT_COMPARISON_H
#define CLI_REPORT_COMPARISON_H

#include "base/error.h"
#include "compare/comparison.h"

#include <stddef.h>

/*
 * Check that an output names a format (comparison.h) and a file that can be written;
 * leave no trace. report_comparison_write writes it, and replaces the file only by a
 * whole new one. Return 0, or -errno with `error` set.
 */
int report_comparison_check(const char *output, struct error *error);
int report_comparison_write(const struct comparison *comparison, const char *output,
			    struct error *error);

/* Write the comparison in the file `path` to each output; "-" as FILE is standard
 * output. Return the exit code. */
int report_comparison(const char *path, const char *const *outputs, size_t count);

#endif
