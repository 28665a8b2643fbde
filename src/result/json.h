/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result as JSON, schema "throng-results/1": throng-results(5).
 */
#ifndef RESULT_JSON_H
#define RESULT_JSON_H

#include "result/result.h"

#include <stdio.h>

/* For output's list of formats; writes one result. */
int json_write(const struct result *results, size_t count, FILE *stream);

#endif
