/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/summary.h"

#include "result/combine.h"
#include "result/read.h"
#include "result/variant.h"
#include "stats/usl.h"

#include <errno.h>

/* Check if the throughput is higher. Loads that move no data have only
 * operations. */
static bool is_faster(const struct record *one, const struct record *other)
{
	double mb_per_s = record_count(one, FIGURE_MB_PER_S);
	double than = record_count(other, FIGURE_MB_PER_S);

	if (mb_per_s == than)
		return record_count(one, FIGURE_OPS_PER_S) > record_count(other, FIGURE_OPS_PER_S);
	return mb_per_s > than;
}

static void find_peak(struct result *result)
{
	size_t i;

	result->peak = SIZE_MAX;
	for (i = 0; i < result->point_count; i++)
		if (result_is_valid(&result->points[i]) &&
		    (result->peak == SIZE_MAX ||
		     is_faster(records_total(&result->points[i].records),
			       records_total(&result->points[result->peak].records))))
			result->peak = i;
}

/* Fit a law to the points of each variant: it has no term for the values of an
 * axis. */
static int fit_laws(struct result *result)
{
	struct result_run *run = &result->run;
	int rc = 0;
	size_t i;

	for (i = 0; i < run->variant_count && rc == 0; i++) {
		const struct result view = variant_result(result, i);

		rc = usl_fit(&view, &run->variants[i].usl);
	}
	return rc;
}

static int update_sweep(struct result *result)
{
	find_peak(result);
	return fit_laws(result);
}

int summary_repeat(struct result *result, struct result_repeat *repeat)
{
	int rc;

	combine_derive(&result->run, repeat);
	rc = combine_point(&result->run, result_find_point(result, repeat->variant, repeat->users));
	return rc == 0 ? update_sweep(result) : rc;
}

int summary_update(struct result *result)
{
	int rc = 0;
	size_t i, j;

	for (i = 0; i < result->point_count && rc == 0; i++) {
		struct result_point *point = &result->points[i];

		for (j = 0; j < point->repeat_count; j++)
			combine_derive(&result->run, &point->repeats[j]);
		rc = combine_point(&result->run, point);
	}
	return rc == 0 ? update_sweep(result) : rc;
}

int summary_read(const char *path, struct result *result, struct error *error)
{
	*result = (struct result){.peak = SIZE_MAX};
	if (read_rows(path, schema_result, result, error) == 0 && summary_update(result) < 0)
		error_no_memory(error);
	if (error->set)
		result_free(result);
	return error->set ? -EINVAL : 0;
}
