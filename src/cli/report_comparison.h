/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a comparison that `throng compare -o` stored.
 */
#ifndef CLI_REPORT_COMPARISON_H
#define CLI_REPORT_COMPARISON_H

#include <stddef.h>

/*
 * Write the page of the comparison in the file to each output. Returns the exit
 * code.
 */
int report_comparison(const char *path, const char *const *outputs,
		      size_t count);

#endif
