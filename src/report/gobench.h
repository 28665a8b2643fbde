/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results in the Go benchmark data format, which benchstat reads, a line for
 * each operation of each valid repeat: throng-results(5), and
 * golang.org/design/14313-benchmark-format.
 */
#ifndef REPORT_GOBENCH_H
#define REPORT_GOBENCH_H

#include "result/result.h"

#include <stdio.h>

/* For output's list of formats; one result after the other. */
int gobench_write(const struct result *results, size_t count, FILE *stream);

#endif
