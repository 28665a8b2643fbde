/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result as CSV (RFC 4180): one row per record of each point and of each of
 * its repeats. throng-results(5) describes the columns.
 */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include "result/result.h"

#include <stdio.h>

/* Write results[0], for the list of formats in cli/output.c. Return 0. */
int csv_write(const struct result *results, size_t count, FILE *stream);

#endif
