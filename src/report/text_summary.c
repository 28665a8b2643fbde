/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"

#include "base/units.h"
#include "report/axes.h"
#include "report/escape.h"
#include "result/variant.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Which optional columns of the second table have any values. */
struct columns {
	bool repeats, loops;
};

static void print_headings(const struct result_run *run,
			   const struct columns *columns, FILE *stream)
{
	fprintf(stream, "\n%5s", "users");
	axes_headings(run, stream);
	fprintf(stream, " %9s", "MB/s");
	if (columns->repeats)
		fprintf(stream, " %9s %9s %7s", "min", "max", "spread");
	fprintf(stream, " %8s", "gain");
	if (columns->loops)
		fprintf(stream, " %8s %6s", "loop s", "loops");
	fputc('\n', stream);
}

static void print_spread(const struct result_point *point, FILE *stream)
{
	/* A single repeat has no spread. */
	if (point->repeat_count == 1)
		fprintf(stream, " %9s %9s %7s", "-", "-", "-");
	else
		fprintf(stream, " %9.2f %9.2f %6.1f%%", point->mb_per_s_min,
			point->mb_per_s_max, 100 * point->spread);
}

static void print_loops(const struct result_latency *loop, FILE *stream)
{
	if (loop->count == 0)
		fprintf(stream, " %8s %6s", "-", "-");
	else
		fprintf(stream, " %8.3f %6" PRIu64, (double)loop->p50_ns / 1e9,
			loop->count);
}

static void print_scaling(const struct result_run *run,
			  const struct result_point *point,
			  const struct columns *columns, FILE *stream)
{
	fprintf(stream, "%5u", point->users);
	axes_values(run, point->set, point->set_count, stream);
	fprintf(stream, " %9.2f", point->figures.mb_per_s);
	if (columns->repeats)
		print_spread(point, stream);
	if (isnan(point->gain))
		fprintf(stream, " %8s", "-");
	else
		fprintf(stream, " %+7.1f%%", 100 * point->gain);
	if (columns->loops)
		print_loops(&point->figures.loop, stream);
	fputc('\n', stream);
}

/*
 * Write a second table if a point has several repeats, or if several points
 * were measured with --loops. Otherwise it would add nothing to the first one.
 */
static void print_table(const struct result *result, FILE *stream)
{
	struct columns columns = {false, false};
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		columns.repeats |= result->points[i].repeat_count > 1;
		columns.loops |= result->points[i].figures.loop.count > 0;
	}
	if (!columns.repeats &&
	    (result->run.phases.loops == 0 || result->point_count == 1))
		return;
	print_headings(&result->run, &columns, stream);
	for (i = 0; i < result->point_count; i++)
		if (result_is_valid(&result->points[i]))
			print_scaling(&result->run, &result->points[i],
				      &columns, stream);
}

/* Write how long the loops of a single measurement took. */
static void print_loop_times(const struct result_point *point, FILE *stream)
{
	const struct result_latency *loop = &point->figures.loop;

	if (point->repeat_count > 1 || loop->count == 0)
		return;
	fputc('\n', stream);
	text_line(stream, "loops", "%" PRIu64 " completed: median %.3f s, max "
		  "%.3f s", loop->count, (double)loop->p50_ns / 1e9,
		  (double)loop->max_ns / 1e9);
}

static void print_usl(const struct result_usl *usl, FILE *stream)
{
	const struct result_estimate *alpha = &usl->alpha, *beta = &usl->beta;

	text_line(stream, "scaling", "contention %.3g %% (%.3g to %.3g), "
		  "coherency %.3g %% (%.3g to %.3g)", 100 * alpha->value,
		  100 * alpha->low, 100 * alpha->high, 100 * beta->value,
		  100 * beta->low, 100 * beta->high);
	if (!isnan(usl->peak_users))
		fprintf(stream, "fitted peak at %.0f %s\n",
			usl->peak_users,
			usl->peak_users < 1.5 ? "user" : "users");
}

static void print_limit(const struct result_limit *limit, FILE *stream)
{
	const char *with = limit->set_count > 0 ? " with " : "";
	char set[VARIANT_TEXT];

	variant_print(limit->set, limit->set_count, set);
	if (limit->users == 0)
		text_line(stream, "limit", "%s does not hold at any point%s%s",
			  limit->condition, with, set);
	else
		text_line(stream, "limit", "%s holds up to %u %s%s%s",
			  limit->condition, limit->users,
			  units_plural(limit->users, "user", "users"), with,
			  set);
}

/* Write why later points were left out; with axes, for each variant. */
static void print_stopped(const struct result_run *run, FILE *stream)
{
	char set[VARIANT_TEXT];
	size_t i;

	if (run->stopped_by != NULL)
		text_line(stream, "stopped", "by --stop-when %s",
			  run->stopped_by);
	for (i = 0; i < run->variant_count; i++)
		if (run->variants[i].stopped_by != NULL)
			text_line(stream, "stopped",
				  "by --stop-when %s with %s",
				  run->variants[i].stopped_by,
				  variant_print(run->variants[i].set,
						run->variants[i].set_count,
						set));
}

static void print_peak(const struct result_point *peak, FILE *stream)
{
	char place[VARIANT_TEXT], *escaped;

	escaped = escape_text_copy(variant_print_point(peak, place));
	fprintf(stream, "\nmeasured peak %.2f MB/s at %s\n",
		peak->figures.mb_per_s, escaped != NULL ? escaped : "");
	free(escaped);
}

void text_summary(const struct result *result, FILE *stream)
{
	const struct result_point *peak;
	size_t i;

	if (result->peak >= result->point_count)
		return;
	peak = &result->points[result->peak];
	print_table(result, stream);
	if (result->point_count > 1)
		print_peak(peak, stream);
	else
		print_loop_times(peak, stream);
	if (result->usl.fitted)
		print_usl(&result->usl, stream);
	print_stopped(&result->run, stream);
	for (i = 0; i < result->limit_count; i++)
		print_limit(&result->limits[i], stream);
}
