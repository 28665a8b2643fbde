/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keep everything that is derived from the repeats up to date: their derived
 * figures, each point's records, reasons and warnings (combine.h), and the peak
 * and the scaling law of the sweep.
 */
#ifndef STATS_SUMMARY_H
#define STATS_SUMMARY_H

#include "base/error.h"
#include "result/result.h"

/* Update the result after a repeat was filled in. Return 0, or -ENOMEM with an
 * incomplete summary. */
int summary_repeat(struct result *result, struct result_repeat *repeat);

/* Do the same for all repeats. */
int summary_update(struct result *result);

/*
 * Read a result file. The file is not trusted: every value is checked. Unknown
 * names are ignored. Values that can be derived from others are not read, but
 * computed again. Therefore, writing the result again gives the same file.
 *
 * Return 0, and the caller frees the result with result_free; or -EINVAL with
 * nothing to free and `error` set to the place in the file, what was found
 * there and what was expected.
 */
int summary_read(const char *path, struct result *result, struct error *error);

#endif
