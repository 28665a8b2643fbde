/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The summary below the table of points: the spread of repeats, loop times, the
 * peak, the fitted scaling law, limits and verified bytes.
 */
#include "text/text.h"

#include "base/units.h"
#include "doc/escape.h"
#include "report/figure.h"
#include "report/rate.h"
#include "result/combine.h"
#include "result/variant.h"
#include "text/axes.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static double value_of(const struct result_point *point, enum figure figure)
{
	return record_count(records_total(&point->records), figure);
}

static void print_rate(enum figure rate, double value, FILE *stream)
{
	char text[FIGURE_TEXT];

	fprintf(stream, " %9s", figure_print(figures[rate].form, value, 9, text));
}

static void print_spread(const struct result_point *point, enum figure rate, FILE *stream)
{
	const struct combine_range range = combine_range(point, rate);

	/* A single repeat has no spread. */
	if (point->repeat_count == 1) {
		fprintf(stream, " %9s %9s %7s", "-", "-", "-");
		return;
	}
	print_rate(rate, range.min, stream);
	print_rate(rate, range.max, stream);
	/* Without any bytes, it is not known. */
	fprintf(stream, " %6.1f%%", 100 * fmax(0, range.spread));
}

/* The figure of the table of gains, and the columns after it. */
struct gain_columns {
	enum figure rate;
	bool repeats, gain, change, step;
};

/* Return the increase of a rate over the point with the first value of the last
 * axis or, with `previous`, over that with the previous value; or NAN. */
static double change_of(const struct result *result, const struct result_point *point,
			enum figure rate, bool previous)
{
	const struct result_point *base = variant_base(result, point, previous);
	double before = base != NULL ? value_of(base, rate) : 0;

	return before > 0 ? value_of(point, rate) / before - 1 : NAN;
}

static void print_share(double share, FILE *stream)
{
	if (isnan(share))
		fprintf(stream, " %8s", "-");
	else
		fprintf(stream, " %+7.1f%%", 100 * share);
}

static void print_gain(const struct result *result, const struct result_point *point,
		       const struct gain_columns *columns, FILE *stream)
{
	fprintf(stream, "%5u", point->users);
	axes_values(&result->run, point->set, point->set_count, stream);
	print_rate(columns->rate, value_of(point, columns->rate), stream);
	if (columns->repeats)
		print_spread(point, columns->rate, stream);
	if (columns->gain)
		print_share(combine_gain(result, point), stream);
	if (columns->change)
		print_share(change_of(result, point, columns->rate, false), stream);
	if (columns->step)
		print_share(change_of(result, point, columns->rate, true), stream);
	fputc('\n', stream);
}

static bool has_repeats(const struct result *result)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		if (result->points[i].repeat_count > 1)
			return true;
	return false;
}

/* Check if the last axis with several values has three or more, all of which are
 * numbers, so that steps from one to the next tell something. */
static bool has_steps(const struct result_run *run)
{
	size_t axis = run->axis_count, i;

	while (axis > 0 && run->axes[axis - 1].value_count == 1)
		axis--;
	if (axis == 0 || run->axes[axis - 1].value_count < 3)
		return false;
	for (i = 0; i < run->axes[axis - 1].value_count; i++)
		if (!isdigit((unsigned char)run->axes[axis - 1].values[i][0]))
			return false;
	return true;
}

/* Choose the columns. If no value of an axis is compared with another, the
 * table has gains, even if there is only one point. */
static struct gain_columns choose_columns(const struct result *result)
{
	const struct result_point *peak = &result->points[result->peak];
	struct gain_columns columns = {
		.rate = combine_throughput(records_total(&peak->records)),
		.repeats = has_repeats(result),
	};
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (!result_is_valid(point))
			continue;
		columns.gain |= !isnan(combine_gain(result, point));
		columns.change |= !isnan(change_of(result, point, columns.rate, false));
	}
	columns.step = columns.change && has_steps(&result->run);
	return columns;
}

/* Write how the throughput changes from point to point and from value to value
 * of an axis, if there are several values or repeats, or several points that
 * were measured with --loops, unless no point moves data. */
static void print_gains(const struct result *result, FILE *stream)
{
	struct gain_columns columns = choose_columns(result);
	size_t i;

	if (!columns.repeats && !columns.change && (result->run.phases.loops == 0 || !columns.gain))
		return;
	columns.gain |= !columns.change;
	fprintf(stream, "\n%5s", "users");
	axes_headings(&result->run, stream);
	fprintf(stream, " %9s", columns.rate == FIGURE_MB_PER_S ? rate_unit() : "ops/s");
	if (columns.repeats)
		fprintf(stream, " %9s %9s %7s", "min", "max", "spread");
	if (columns.gain)
		fprintf(stream, " %8s", "gain");
	if (columns.change)
		fprintf(stream, " %8s", "change");
	if (columns.step)
		fprintf(stream, " %8s", "step");
	fputc('\n', stream);
	for (i = 0; i < result->point_count; i++)
		if (result_is_valid(&result->points[i]))
			print_gain(result, &result->points[i], &columns, stream);
}

/* Write a table with a row for each valid point. */
static void print_table(const struct result *result, const struct figure_column *columns,
			size_t column_count, FILE *stream)
{
	size_t points = result->point_count, count = 0, i;
	struct figure_row *rows = calloc(points + 1, sizeof(*rows));
	char **names = calloc(points + 1, sizeof(*names));
	char *heading = axes_row_name(&result->run, NULL);

	for (i = 0; rows != NULL && names != NULL && i < points; i++) {
		const struct result_point *point = &result->points[i];

		if (!result_is_valid(point))
			continue;
		names[i] = axes_row_name(&result->run, point);
		rows[count++] = (struct figure_row){
			.name = names[i] != NULL ? names[i] : "",
			.record = records_total(&point->records),
		};
	}
	if (count > 0) {
		fputc('\n', stream);
		figure_table(heading != NULL ? heading : "", true, result->run.paced, columns,
			     column_count, rows, count, stream);
	}
	for (i = 0; names != NULL && i < points; i++)
		free(names[i]);
	free(rows);
	free(names);
	free(heading);
}

/* Write the figures of the points that are not in the table of points. With
 * `single`, leave out the loops of the only measurement. */
static void print_details(const struct result *result, bool single, FILE *stream)
{
	enum { LOOP_COLUMNS = 2 };
	static const struct figure_column columns[] = {
		{.figure = FIGURE_READ_MB_PER_S, .width = 8, .is_optional = true},
		{.figure = FIGURE_WRITE_MB_PER_S, .width = 8, .is_optional = true},
		{.figure = FIGURE_MEAN_MS, .is_response = true},
		{.figure = FIGURE_SECONDS, .heading = "elapsed"},
		{.figure = FIGURE_USER_S, .heading = "user"},
		{.figure = FIGURE_SYSTEM_S, .heading = "system"},
		{.figure = FIGURE_CPU_PER_OP_US},
		{.figure = FIGURE_LOOP_S, .is_optional = true},
		{.figure = FIGURE_LOOP_COUNT, .heading = "loops", .is_optional = true},
	};

	print_table(result, columns, LENGTH(columns) - (single ? LOOP_COLUMNS : 0), stream);
}

/* In a paced replay, write if the due operations ended, and the parts of their
 * response times. */
static void print_pace(const struct result *result, FILE *stream)
{
	static const struct figure_column columns[] = {
		{.figure = FIGURE_DUE_PER_S},
		{.figure = FIGURE_ENDED_SHARE},
		{.figure = FIGURE_P99_MS, .heading = "response p99"},
		{.figure = FIGURE_SERVICE_P99_MS},
		{.figure = FIGURE_LATENESS_P99_MS},
		{.figure = FIGURE_LATENESS_MAX_MS},
	};

	if (result->run.paced)
		print_table(result, columns, LENGTH(columns), stream);
}

/* Write how long the loops of a single measurement took. */
static void print_loop_times(const struct result_point *point, FILE *stream)
{
	double count = value_of(point, FIGURE_LOOP_COUNT);
	char median[UNITS_TEXT], max[UNITS_TEXT];

	if (point->repeat_count > 1 || count == 0)
		return;
	fputc('\n', stream);
	text_line(stream, "loops", "%.0f completed: median %s, max %s", count,
		  units_print_time(round(1e9 * value_of(point, FIGURE_LOOP_S)), median),
		  units_print_time(round(1e9 * value_of(point, FIGURE_LOOP_MAX_S)), max));
}

/* Write which share of the time went into restoring the set-up. */
static void print_restored(const struct result *result, FILE *stream)
{
	char *text = NULL;
	size_t bytes, i;
	FILE *line = open_memstream(&text, &bytes);

	if (line == NULL)
		return;
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		double share = value_of(point, FIGURE_RESTORE_SHARE);
		char set[VARIANT_TEXT];

		if (result_is_valid(point) && share > 0)
			fprintf(line, "%s%.3g %% of the time at %u %s%s%s",
				ftell(line) > 0 ? ", " : "", 100 * share, point->users,
				units_plural(point->users, "user", "users"),
				point->set_count > 0 ? " with " : "",
				variant_print(point->set, point->set_count, set));
	}
	if (fclose(line) == 0 && bytes > 0)
		text_line(stream, "restored", "%s", text);
	free(text);
}

/* Return a share in percent: 100 only if it is the whole. */
static double percent(double part, double whole)
{
	if (part >= whole)
		return whole > 0 ? 100 : 0;
	return fmin(99.9, 100 * part / whole);
}

static double sum_of(const struct result *result, enum figure figure)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < result->point_count; i++)
		sum += value_of(&result->points[i], figure);
	return sum;
}

/* Return the text after the number of bytes read: what could not be read back.
 * The caller frees it. */
static char *print_unreadable(const struct result *result)
{
	uint64_t files = (uint64_t)sum_of(result, FIGURE_VERIFIED_UNREADABLE_FILES);
	uint64_t bytes = (uint64_t)sum_of(result, FIGURE_VERIFIED_UNREADABLE_BYTES);
	char size[UNITS_TEXT], *text = NULL;

	if (files == 0)
		return strdup("");
	if (asprintf(&text, " or unreadable at the end (%" PRIu64 " %s, %s)", files,
		     units_plural(files, "file", "files"), units_print_bytes(bytes, size)) < 0)
		return NULL;
	return text;
}

/* Write how much of the data --verify has compared, in all points together. */
static void print_verified(const struct result *result, FILE *stream)
{
	const struct result_target *target = &result->run.variants[0].targets[0];
	double unread = sum_of(result, FIGURE_VERIFIED_UNREADABLE_BYTES);
	double wanted = sum_of(result, FIGURE_VERIFIED_READ_BYTES) + unread;
	double written = sum_of(result, FIGURE_VERIFIED_WRITTEN_BYTES);
	double back = sum_of(result, FIGURE_VERIFIED_READ_BACK_BYTES);
	double share = percent(sum_of(result, FIGURE_VERIFIED_COMPARED_BYTES), wanted);
	char read_text[UNITS_TEXT], back_text[UNITS_TEXT], *unreadable;

	if (sum_of(result, FIGURE_VERIFIED_USERS) == 0)
		return;
	unreadable = print_unreadable(result);
	if (sum_of(result, FIGURE_VERIFIED_UNREADABLE_FILES) > 0)
		share = fmin(99.9, share);
	text_line(stream, "verified",
		  "%.3g %% of %s read%s; %s left at the end were read back%s, %.3g %% of what was "
		  "written%s",
		  share, units_print_bytes((uint64_t)wanted, read_text),
		  unreadable != NULL ? unreadable : "",
		  units_print_bytes((uint64_t)back, back_text),
		  result->run.phases.cold || target->remote || target->in_memory
			  ? ""
			  : " through the page cache",
		  percent(back, written),
		  back >= written ? ""
		  : unread > 0    ? " (the rest was overwritten or removed, or is unreadable)"
				  : " (the rest was overwritten or removed)");
	free(unreadable);
}

/* Write a law and the values of the axes that it holds for, or "". */
static void print_usl(const struct result_usl *usl, const char *set, FILE *stream)
{
	const struct result_estimate *alpha = &usl->alpha, *beta = &usl->beta;

	if (!usl->fitted)
		return;
	text_line(stream, "scaling",
		  "%s%scontention %.3g %% (%.3g to %.3g), coherency %.3g %% (%.3g to %.3g)", set,
		  set[0] != '\0' ? ": " : "", 100 * alpha->value, 100 * alpha->low,
		  100 * alpha->high, 100 * beta->value, 100 * beta->low, 100 * beta->high);
	if (isnan(usl->peak_users))
		return;
	fprintf(stream, "fitted peak at %.0f %s%s", usl->peak_users,
		usl->peak_users < 1.5 ? "user" : "users", set[0] != '\0' ? ", " : "");
	escape_text(set, stream);
	fputc('\n', stream);
}

/* Write the law of each variant. */
static void print_laws(const struct result *result, FILE *stream)
{
	const struct result_run *run = &result->run;
	char set[VARIANT_TEXT];
	size_t i;

	for (i = 0; i < run->variant_count; i++)
		print_usl(&run->variants[i].usl,
			  variant_print(run->variants[i].set, run->variants[i].set_count, set),
			  stream);
}

static void print_limit(const struct result_limit *limit, FILE *stream)
{
	const char *with = limit->set_count > 0 ? " with " : "";
	char set[VARIANT_TEXT];

	variant_print(limit->set, limit->set_count, set);
	if (limit->users == 0)
		text_line(stream, "limit", "%s does not hold at any point%s%s", limit->condition,
			  with, set);
	else
		text_line(stream, "limit", "%s holds up to %u %s%s%s", limit->condition,
			  limit->users, units_plural(limit->users, "user", "users"), with, set);
}

/* Write why later points of each variant were left out. */
static void print_stopped(const struct result_run *run, FILE *stream)
{
	char set[VARIANT_TEXT];
	size_t i;

	for (i = 0; i < run->variant_count; i++) {
		const struct result_variant *variant = &run->variants[i];

		if (variant->stopped_by != NULL)
			text_line(stream, "stopped", "by --stop-when %s%s%s", variant->stopped_by,
				  variant->set_count > 0 ? " with " : "",
				  variant_print(variant->set, variant->set_count, set));
	}
}

static void print_peak(const struct result_point *peak, FILE *stream)
{
	char place[VARIANT_TEXT], *escaped;

	escaped = escape_text_copy(variant_print_point(peak, place));
	if (value_of(peak, FIGURE_MB_PER_S) > 0)
		fprintf(stream, "\nmeasured peak %.2f %s at %s\n",
			rate_shown(value_of(peak, FIGURE_MB_PER_S)), rate_unit(),
			escaped != NULL ? escaped : "");
	else
		fprintf(stream, "\nmeasured peak %.0f ops/s at %s\n",
			value_of(peak, FIGURE_OPS_PER_S), escaped != NULL ? escaped : "");
	free(escaped);
}

void text_summary(const struct result *result, FILE *stream)
{
	const struct result_point *peak;
	size_t i;

	if (result->peak >= result->point_count)
		return;
	peak = &result->points[result->peak];
	print_details(result, result->point_count == 1 && !has_repeats(result), stream);
	print_pace(result, stream);
	print_gains(result, stream);
	text_loads(result, stream);
	text_phase_rates(result, stream);
	if (result->point_count > 1)
		print_peak(peak, stream);
	else
		print_loop_times(peak, stream);
	print_restored(result, stream);
	print_verified(result, stream);
	print_laws(result, stream);
	print_stopped(&result->run, stream);
	for (i = 0; i < result->limit_count; i++)
		print_limit(&result->limits[i], stream);
	text_found_rates(result, stream);
}
