/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results in the Go benchmark data format, which benchstat reads: for each
 * valid repeat, one line for all operations and one per operation. See
 * throng-results(5) and golang.org/design/14313-benchmark-format.
 */
#ifndef REPORT_GOBENCH_H
#define REPORT_GOBENCH_H

#include "result/result.h"

#include <stdio.h>

/* Write all results, for the list of formats in cli/output.c. Return 0. */
int gobench_write(const struct result *results, size_t count, FILE *stream);

#endif
