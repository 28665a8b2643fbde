/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A JSON result file back into the structure.
 */
#ifndef RESULT_READ_H
#define RESULT_READ_H

#include "base/error.h"
#include "result/schema.h"

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
 * Read a file of these rows into `record`, which is all zeros and, also after an
 * error, the caller's to be freed with schema_free. What follows from results
 * in it is not made yet. Returns 0, or -EINVAL with `error` set.
 */
int read_rows(const char *path, const struct schema_row *rows, void *record,
	      struct error *error);

#endif
