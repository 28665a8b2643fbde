/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A JSON result file back into the structure.
 */
#ifndef RESULT_READ_H
#define RESULT_READ_H

#include "base/error.h"
#include "result/schema.h"

/*
 * Read a file that json_write wrote, or that claims it: each value is checked,
 * and unknown names are passed over. Whatever follows from the repeats is not
 * read but made anew. Written again, it is the same file.
 *
 * Returns 0, to be freed with result_free; or -EINVAL with `error` set, which
 * says where in the file what was found and what was expected, and nothing to
 * free.
 */
int read_result(const char *path, struct result *result, struct error *error);

/*
 * Read a file of these rows into `record`, which is all zeros before and which
 * the caller frees with schema_free, also after an error. Whatever follows from
 * results in it is not made yet. Returns 0, or -EINVAL with `error` set.
 */
int read_rows(const char *path, const struct schema_row *rows, void *record,
	      struct error *error);

#endif
