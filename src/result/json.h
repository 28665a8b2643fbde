/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result as JSON, schema "throng-results/1".
 */
#ifndef RESULT_JSON_H
#define RESULT_JSON_H

#include "base/error.h"
#include "result/result.h"

/*
 * Could json_write write to `path`? Leaves everything as it was. Returns 0, or
 * -errno with `error` set.
 */
int json_check(const char *path, struct error *error);

/*
 * Writes the result to `path`: into a file beside it first, which then takes
 * its name, so that there is never half a result. Returns 0, or -errno with
 * `error` set.
 */
int json_write(const struct result *result, const char *path,
	       struct error *error);

#endif
