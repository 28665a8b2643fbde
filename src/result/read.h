/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A JSON result file back into the structure.
 */
#ifndef RESULT_READ_H
#define RESULT_READ_H

#include "base/error.h"
#include "result/result.h"

/*
 * Reads a file that json_write wrote, or that claims it: nothing in it is
 * believed before it is looked at, and names that are not known are passed
 * over. What follows from the repeats is not read but made anew. Written
 * again, it is the same file.
 *
 * Returns 0, to be freed with result_free; or -errno with `error` set, which
 * says where in the file what was found instead of what, and nothing to free.
 */
int read_result(const char *path, struct result *result, struct error *error);

/*
 * Reads the two results, base and new, out of a file that comparison_json
 * wrote; what follows from them is not read. Returns as read_result does, with
 * both to be freed or neither.
 */
int read_comparison(const char *path, struct result results[2],
		    struct error *error);

#endif
