/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result as the last lines of dbench 4.0: one per valid point.
 */
#include "export/dbench.h"

#include "export/formats.h"
#include "result/variant.h"

#include <string.h>

void dbench_line(const struct dbench_line *line, FILE *stream)
{
	double mb_per_s = record_count(line->total, FIGURE_MB_PER_S);
	double latency_ms = record_count(line->total, FIGURE_MAX_MS);
	int decimals = mb_per_s < 1 ? 6 : 3;

	if (line->machine_readable)
		fprintf(stream, ";%.*f;%u;%u;%.03f;\n", decimals, mb_per_s, line->clients,
			line->procs, latency_ms);
	else
		fprintf(stream,
			"Throughput %.*f MB/sec%s%s  %u clients  %u procs  max_latency=%.03f ms\n",
			decimals, mb_per_s, line->sync_open ? " (sync open)" : "",
			line->sync_dirs ? " (sync dirs)" : "", line->clients, line->procs,
			latency_ms);
}

/* Check if an option without a value was in effect at a point. */
static bool was_given(const struct result_run *run, const struct result_point *point,
		      const char *name)
{
	const char *value = variant_set_value(point->set, point->set_count, name);

	if (value == NULL)
		value = variant_set_value(run->options, run->option_count, name);
	return value != NULL && strcmp(value, "yes") == 0;
}

int dbench_write(const struct export *export, FILE *stream)
{
	const struct result *result = &export->results[0];
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (result_is_valid(point))
			dbench_line(
				&(struct dbench_line){
					.total = records_total(&point->records),
					.clients = point->users,
					.procs = point->users,
					.sync_open = was_given(&result->run, point, "sync"),
					.sync_dirs = was_given(&result->run, point, "sync_dirs"),
				},
				stream);
	}
	return 0;
}
