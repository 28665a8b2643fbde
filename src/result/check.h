/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check that the values of a result file agree with each other. The functions are
 * hooks of schema rows (schema_row.check) and report errors through the cursor.
 */
#ifndef RESULT_CHECK_H
#define RESULT_CHECK_H

#include "result/json_cursor.h"

/* Max number of different operation names in a load. */
enum { CHECK_OPERATIONS_MAX = 250 };

/* Max number of loads of a run. */
enum { CHECK_LOADS_MAX = 256 };

/* Max number of hosts, and of processors of each. */
enum { CHECK_HOSTS_MAX = 1024, CHECK_CPUS_MAX = 1 << 20 };

/* Max number of points of a result, and of repeats of all of them. */
enum { CHECK_POINTS_MAX = 10000, CHECK_MEASUREMENTS_MAX = 1000000 };

/* Max number of rows of a repeat that are not operations: the total and each
 * load, with 64 phases each. */
enum { CHECK_PARTS_MAX = (1 + CHECK_LOADS_MAX) * (1 + 64) };

/* Max number of differences (--verify) that are described. */
enum { CHECK_DIFFERENCES_MAX = 64 };

/* For struct result_target: set `protection` to "" if the file has none. */
void check_facts(const struct json_cursor *facts, void *record);

/* For struct result: check that the axes have different names, that no axis has
 * a value twice, and that the variants are all combinations of the values, in
 * order, all with the same number of loads, which have weights if there are
 * several. */
void check_variants(const struct json_cursor *variants, void *record);

/* For struct result_run: check that the sampled commands have different names. */
void check_samples(const struct json_cursor *samples, void *record);

/* For struct result_run: check that the hosts have different names. */
void check_hosts(const struct json_cursor *hosts, void *record);

/* For struct result: put the sets of the limits in the order of the axes. Other
 * programs may have sorted them. */
void check_limits(const struct json_cursor *limits, void *record);

#endif
