/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds up results of one load, measured on several machines at the same time.
 */
#ifndef JOB_MERGE_H
#define JOB_MERGE_H

#include "base/error.h"
#include "result/result.h"

/*
 * Add up `count` results into `merged`, which the caller frees with result_free
 * in any case. `error` calls them by their `names`. Each must have a single
 * measurement, with histograms. Return 0, or -errno with `error` set: they
 * differ in version, load or options, their users' numbers overlap, or their
 * measured windows differ.
 */
int merge_results(const struct result *results, const char *const *names,
		  size_t count, struct result *merged, struct error *error);

#endif
