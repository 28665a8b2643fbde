/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Add up the results of one load that was measured on several machines at the
 * same time, as if it had been measured on one (throng report --merge).
 */
#ifndef SWEEP_MERGE_H
#define SWEEP_MERGE_H

#include "base/error.h"
#include "result/result.h"

/*
 * Add up `count` results into `merged`. The caller frees `merged` with
 * result_free, even after an error. Messages contain the results' `names`.
 *
 * Each result must have a single measurement, with histograms. All must have
 * the same version, load, options and measured window, and the numbers of their
 * users must not overlap. Return 0, or -errno with `error` set.
 */
int merge_results(const struct result *results, const char *const *names, size_t count,
		  struct result *merged, struct error *error);

#endif
