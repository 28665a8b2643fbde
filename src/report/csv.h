/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result as CSV (RFC 4180), a row for each operation of each repeat, and of
 * each point: throng-results(5).
 */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include "result/result.h"

#include <stdio.h>

/* For output's list of formats; writes one result. */
int csv_write(const struct result *results, size_t count, FILE *stream);

#endif
