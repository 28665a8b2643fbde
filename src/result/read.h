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
 * Read a file that these rows describe into `record`, which must be all zeros.
 * Derived values stay 0, also in results that the record contains. Return 0,
 * or -EINVAL with `error` set. In both cases the caller frees the record's
 * members with schema_free.
 */
int read_rows(const char *path, const struct schema_row *rows, void *record, struct error *error);

/* Read the rows of a record from an object, or set the cursor's error. `valid`
 * says if the record is part of a valid measurement. */
void read_members(const struct json_cursor *object, const struct schema_row *rows, void *record,
		  bool valid);

#endif
