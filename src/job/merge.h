/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results of one load, measured at the same time on several machines, added up.
 */
#ifndef JOB_MERGE_H
#define JOB_MERGE_H

#include "base/error.h"
#include "result/result.h"

/*
 * Add up `count` results into `merged`, to be freed with result_free in any
 * case; `names` are what they are called in `error`. Each has one measurement,
 * with histograms. Return 0, or -errno with `error` set: they do not fit
 * together, because of the version, the load, how it was measured, the users'
 * numbers or the windows.
 */
int merge_results(const struct result *results, const char *const *names,
		  size_t count, struct result *merged, struct error *error);

#endif
