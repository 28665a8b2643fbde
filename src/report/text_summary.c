/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void print_scaling(const struct result_point *point, FILE *stream)
{
	fprintf(stream, "%5u %9.2f", point->users, point->figures.mb_per_s);
	/* Of one alone nothing is known of that. */
	if (point->repeat_count == 1)
		fprintf(stream, " %9s %9s %7s", "-", "-", "-");
	else
		fprintf(stream, " %9.2f %9.2f %6.1f%%", point->mb_per_s_min,
			point->mb_per_s_max, 100 * point->spread);
	if (isnan(point->gain))
		fprintf(stream, " %8s", "-");
	else
		fprintf(stream, " %+7.1f%%", 100 * point->gain);
	if (point->figures.loop.count == 0)
		fprintf(stream, " %8s %6s\n", "-", "-");
	else
		fprintf(stream, " %8.3f %6" PRIu64 "\n",
			(double)point->figures.loop.p50_ns / 1e9,
			point->figures.loop.count);
}

static void print_share(const char *name, const struct result_estimate *share,
			FILE *stream)
{
	fprintf(stream, "%s %.3g %% (%.3g to %.3g)", name, 100 * share->value,
		100 * share->low, 100 * share->high);
}

static void print_usl(const struct result_usl *usl, FILE *stream)
{
	fputs("scaling  ", stream);
	print_share("contention", &usl->alpha, stream);
	print_share(", coherency", &usl->beta, stream);
	if (isnan(usl->peak_users))
		fputs(",\n         no peak within what was measured\n",
		      stream);
	else
		fprintf(stream, ",\n         peak at %.0f users by the fitted "
			"curve\n", usl->peak_users);
}

void text_summary(const struct result *result, FILE *stream)
{
	const struct result_point *first = result->points, *peak;
	const struct result_latency *loop;
	size_t i;

	if (result->peak >= result->point_count)
		return;
	loop = &first->figures.loop;
	if (result->point_count > 1 || first->repeat_count > 1) {
		/* How the points compare, and how far repeats are apart. */
		fprintf(stream, "\n%5s %9s %9s %9s %7s %8s %8s %6s\n",
			"users", "MB/s", "min", "max", "spread", "gain",
			"loop s", "loops");
		for (i = 0; i < result->point_count; i++)
			if (result_is_valid(&result->points[i]))
				print_scaling(&result->points[i], stream);
	} else if (loop->count > 0) {
		fprintf(stream, "\nloops    %" PRIu64 " whole %s: %.3f s in "
			"the middle, %.3f s at most\n", loop->count,
			loop->count == 1 ? "one" : "ones",
			(double)loop->p50_ns / 1e9,
			(double)loop->max_ns / 1e9);
	}
	if (result->point_count > 1) {
		peak = &result->points[result->peak];
		fprintf(stream, "\npeak     %.2f MB/s at %u %s\n",
			peak->figures.mb_per_s, peak->users,
			peak->users == 1 ? "user" : "users");
	}
	if (result->run.stopped_by != NULL)
		fprintf(stream, "stopped  %s\n", result->run.stopped_by);
	if (result->usl.fitted)
		print_usl(&result->usl, stream);
	for (i = 0; i < result->limit_count; i++) {
		const struct result_limit *limit = &result->limits[i];

		if (limit->users == 0)
			fprintf(stream, "limit    %s holds at no point\n",
				limit->condition);
		else
			fprintf(stream, "limit    %s holds up to %u %s\n",
				limit->condition, limit->users,
				limit->users == 1 ? "user" : "users");
	}
}
