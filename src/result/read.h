/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read a result file that json.h has written. Files are untrusted, so every
 * value is checked.
 */
#ifndef RESULT_READ_H
#define RESULT_READ_H

#include "base/error.h"
#include "result/schema.h"

/*
 * Read a result file. The file is not trusted: every value is checked. Unknown
 * names are ignored. Values that can be derived from the repeats are not read,
 * but computed again. Therefore, writing the result again gives the same file.
 *
 * Return 0, and the caller frees the result with result_free; or -EINVAL with
 * nothing to free and `error` set to the place in the file, what was found
 * there and what was expected.
 */
int read_result(const char *path, struct result *result, struct error *error);

/*
 * Read a file that these rows describe into `record`, which must be all zeros.
 * Derived values stay 0, also in results that the record contains. Return 0,
 * or -EINVAL with `error` set. In both cases the caller frees the record's
 * members with schema_free.
 */
int read_rows(const char *path, const struct schema_row *rows, void *record, struct error *error);

#endif
