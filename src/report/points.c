/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables with a row per point.
 */
#include "report/points.h"

#include "base/array.h"
#include "base/units.h"
#include "report/labels.h"
#include "report/sections.h"
#include "result/combine.h"
#include "result/variant.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

const struct records_column point_columns[POINT_COLUMNS] = {
	{.figure = FIGURE_MB_PER_S},
	{.figure = FIGURE_READ_MB_PER_S, .heading = "read", .flags = DOC_WIDE | DOC_OPTIONAL},
	{.figure = FIGURE_WRITE_MB_PER_S, .heading = "written", .flags = DOC_WIDE | DOC_OPTIONAL},
	{.figure = FIGURE_OPS_PER_S},
	{.figure = FIGURE_P50_MS, .flags = DOC_RESPONSE},
	{.figure = FIGURE_P90_MS, .flags = DOC_WIDE | DOC_KNOWN},
	{.figure = FIGURE_P95_MS},
	{.figure = FIGURE_P99_MS},
	{.figure = FIGURE_P99_9_MS, .heading = "p99.9", .flags = DOC_WIDE | DOC_KNOWN},
	{.figure = FIGURE_MAX_MS},
	{.figure = FIGURE_MISMATCHES},
	{.figure = FIGURE_CPU_SHARE},
};

/* The rows of a table of points, and their labels. */
struct rows {
	struct labels labels;
	struct records_row *list;
	size_t count;
};

/* Begin a table. Return false if memory is short. */
static bool open_rows(struct doc *doc, struct rows *rows, const struct result_run *run)
{
	bool is_open;

	*rows = (struct rows){.list = NULL};
	is_open = labels_make(&rows->labels, run) == 0;
	if (!is_open)
		doc_fail(doc);
	return is_open;
}

/* Add a row with the labels of its point. */
static void add_row(struct doc *doc, struct rows *rows, const struct result_point *point,
		    struct records_row row)
{
	row.labels = labels_row(&rows->labels, point->users, point->set, point->set_count);
	if (row.labels == NULL || array_append(&rows->list, &rows->count, &row, sizeof(row)) < 0)
		doc_fail(doc);
}

static void free_rows(struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		free((char *)rows->list[i].rest);
	free(rows->list);
	labels_free(&rows->labels);
}

/* Add the table of these rows. */
static void add_table(struct doc *doc, const struct rows *rows,
		      const struct records_column *columns, size_t count, unsigned flags)
{
	const struct records_table table = {
		.labels = rows->labels.columns,
		.label_count = rows->labels.count,
		.columns = columns,
		.column_count = count,
		.paced = rows->labels.run->paced,
		.flags = flags,
	};

	records_table(doc, &table, rows->list, rows->count);
}

/* Return the figure of the throughput: ops_per_s if no point moved data. */
static enum figure rate_of(const struct result *result)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		if (combine_throughput(records_total(&result->points[i].records)) ==
		    FIGURE_MB_PER_S)
			return FIGURE_MB_PER_S;
	return FIGURE_OPS_PER_S;
}

/* Add the table of points, or a part of it. */
static void add_points(struct doc *doc, const struct result *result, const struct rows *rows,
		       unsigned flags)
{
	struct records_column columns[POINT_COLUMNS];
	enum figure rate = rate_of(result);
	size_t i;

	for (i = 0; i < POINT_COLUMNS; i++) {
		columns[i] = point_columns[i];
		columns[i].flags |= columns[i].figure == rate ? DOC_MAIN : 0;
	}
	add_table(doc, rows, columns, POINT_COLUMNS, DOC_FIXED | flags);
}

/* Return why there are no figures; the caller frees it. */
static char *print_invalid(struct doc *doc, const struct notices *invalid,
			   const struct record *total)
{
	char ops[UNITS_TEXT], bytes[UNITS_TEXT], *text = NULL;
	size_t size, i;
	FILE *stream = open_memstream(&text, &size);

	if (stream == NULL) {
		doc_fail(doc);
		return NULL;
	}
	fputs("not valid: ", stream);
	for (i = 0; i < invalid->count; i++) {
		char *reason = notice_text(&invalid->list[i]);

		fprintf(stream, "%s%s", i > 0 ? "; " : "", reason != NULL ? reason : "");
		free(reason);
	}
	fprintf(stream, " (%s operations and %s were counted)",
		units_print_count((uint64_t)record_shown(total, FIGURE_OPS), ops),
		units_print_bytes((uint64_t)record_shown(total, FIGURE_BYTES), bytes));
	if (fclose(stream) == 0)
		return text;
	doc_fail(doc);
	free(text);
	return NULL;
}

/* Add a row of the table of points. */
static void add_figures(struct doc *doc, struct rows *rows, const struct result_point *point,
			const struct records *records, const struct notices *invalid,
			enum doc_class class)
{
	const struct record *total = records_total(records);
	struct records_row row = {.record = total, .point = point, .class = class};

	if (invalid->count > 0) {
		row.class = DOC_BAD;
		row.rest = print_invalid(doc, invalid, total);
	}
	add_row(doc, rows, point, row);
}

static void add_repeat(struct doc *doc, struct rows *rows, const struct result_point *point,
		       const struct result_repeat *repeat)
{
	add_figures(doc, rows, point, &repeat->records, &repeat->invalid, DOC_PLAIN);
}

void points_part(struct doc *doc, const struct result *result, size_t first, size_t end,
		 bool each_repeat)
{
	struct rows rows;
	size_t i, j;

	if (!open_rows(doc, &rows, &result->run))
		return;
	for (i = first; i < end; i++) {
		const struct result_point *point = &result->points[i];

		for (j = 0; each_repeat && j < point->repeat_count; j++)
			add_repeat(doc, &rows, point, &point->repeats[j]);
		if (!each_repeat)
			add_figures(doc, &rows, point, &point->records, &point->invalid,
				    i == result->peak           ? DOC_BEST
				    : point->warnings.count > 0 ? DOC_WARNING
								: DOC_PLAIN);
	}
	add_points(doc, result, &rows, 0);
	free_rows(&rows);
}

void points_repeat(struct doc *doc, const struct result *result, const struct result_repeat *repeat,
		   bool is_headless)
{
	const struct result_point *point = result_find_point(result, repeat->variant,
							     repeat->users);
	struct rows rows;

	if (!open_rows(doc, &rows, &result->run))
		return;
	add_repeat(doc, &rows, point, repeat);
	add_points(doc, result, &rows, is_headless ? DOC_HEADLESS : 0);
	free_rows(&rows);
}

void section_points(struct doc *doc, const struct result *result, bool each_repeat)
{
	if (result->point_count == 0)
		return;
	doc_heading(doc, 2, "Points");
	points_part(doc, result, 0, result->point_count, each_repeat);
}

/* Add a table with a row for each valid point. */
static void add_section(struct doc *doc, const struct result *result, const char *heading,
			const struct records_column *columns, size_t count)
{
	struct rows rows;
	size_t i;

	if (!open_rows(doc, &rows, &result->run))
		return;
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (result_is_valid(point))
			add_row(doc, &rows, point,
				(struct records_row){
					.record = records_total(&point->records),
					.point = point,
				});
	}
	if (rows.count > 0) {
		doc_heading(doc, 2, "%s", heading);
		add_table(doc, &rows, columns, count, 0);
	}
	free_rows(&rows);
}

static bool has_repeats(const struct result *result)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		if (result->points[i].repeat_count > 1)
			return true;
	return false;
}

void section_details(struct doc *doc, const struct result *result)
{
	enum { LOOP_COLUMNS = 2 };
	static const struct records_column columns[] = {
		{.figure = FIGURE_READ_MB_PER_S, .flags = DOC_OPTIONAL},
		{.figure = FIGURE_WRITE_MB_PER_S, .flags = DOC_OPTIONAL},
		{.figure = FIGURE_MEAN_MS, .flags = DOC_RESPONSE},
		{.figure = FIGURE_SECONDS, .heading = "elapsed"},
		{.figure = FIGURE_USER_S, .heading = "user"},
		{.figure = FIGURE_SYSTEM_S, .heading = "system"},
		{.figure = FIGURE_CPU_PER_OP_US},
		{.figure = FIGURE_LOOP_S, .flags = DOC_OPTIONAL},
		{.figure = FIGURE_LOOP_COUNT, .heading = "loops", .flags = DOC_OPTIONAL},
	};
	/* section_conclusions has the loops of the only measurement. */
	bool is_single = result->point_count == 1 && !has_repeats(result);

	add_section(doc, result, "Details", columns,
		    LENGTH(columns) - (is_single ? LOOP_COLUMNS : 0));
}

/* In a paced replay, add if the due operations ended, and the parts of their response
 * times. */
void section_pace(struct doc *doc, const struct result *result)
{
	static const struct records_column columns[] = {
		{.figure = FIGURE_DUE_PER_S},
		{.figure = FIGURE_ENDED_SHARE},
		{.figure = FIGURE_P99_MS, .heading = "response p99"},
		{.figure = FIGURE_SERVICE_P99_MS},
		{.figure = FIGURE_LATENESS_P99_MS},
		{.figure = FIGURE_LATENESS_MAX_MS},
	};

	if (result->run.paced)
		add_section(doc, result, "Response times", columns, LENGTH(columns));
}

/* The figure of the table of gains, and the columns after it. */
struct gain_columns {
	enum figure rate;
	bool repeats, gain, change, step;
};

/* Return the throughput of a point, or NAN. */
static double throughput_of(const struct result_point *point, enum figure rate)
{
	return record_value(records_total(&point->records), rate);
}

/* Return the increase of a rate over the point with the first value of the last axis
 * or, with `previous`, over that with the previous value; or NAN. */
static double change_of(const struct result *result, const struct result_point *point,
			enum figure rate, bool previous)
{
	const struct result_point *base = variant_base(result, point, previous);
	double before = base != NULL ? throughput_of(base, rate) : NAN;

	return before > 0 ? throughput_of(point, rate) / before - 1 : NAN;
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

/* Choose the columns. If no value of an axis is compared with another, the table has
 * gains, even if there is only one point. */
static struct gain_columns choose_columns(const struct result *result)
{
	struct gain_columns columns = {.rate = rate_of(result), .repeats = has_repeats(result)};
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

static void add_gain_columns(struct doc *doc, const struct gain_columns *columns)
{
	enum number_form form = number_form_of(columns->rate);
	char heading[NUMBER_TEXT];

	doc_column(doc, number_heading(figures[columns->rate].heading, heading), form, DOC_MAIN);
	if (columns->repeats) {
		doc_column(doc, "min", form, 0);
		doc_column(doc, "max", form, 0);
		doc_column(doc, "spread", NUMBER_SPREAD, 0);
	}
	if (columns->gain)
		doc_column(doc, "gain", NUMBER_CHANGE, 0);
	if (columns->change)
		doc_column(doc, "change", NUMBER_CHANGE, 0);
	if (columns->step)
		doc_column(doc, "step", NUMBER_CHANGE, 0);
}

static void add_gain_cells(struct doc *doc, const struct result *result,
			   const struct result_point *point, const struct gain_columns *columns)
{
	struct combine_range range = combine_range(point, columns->rate);

	/* A single repeat has no spread. */
	if (point->repeat_count == 1)
		range = (struct combine_range){.min = NAN, .max = NAN, .spread = NAN};
	doc_cell(doc, throughput_of(point, columns->rate));
	if (columns->repeats) {
		doc_cell(doc, range.min);
		doc_cell(doc, range.max);
		doc_cell(doc, range.spread);
	}
	if (columns->gain)
		doc_cell(doc, combine_gain(result, point));
	if (columns->change)
		doc_cell(doc, change_of(result, point, columns->rate, false));
	if (columns->step)
		doc_cell(doc, change_of(result, point, columns->rate, true));
}

/* Add how the throughput changes from point to point and from value to value of an
 * axis, if there are several values or repeats, or several points that were measured
 * with --loops, unless no point moves data. */
void section_gains(struct doc *doc, const struct result *result)
{
	struct gain_columns columns = choose_columns(result);
	struct labels labels;
	size_t i;

	if (!columns.repeats && !columns.change && (result->run.phases.loops == 0 || !columns.gain))
		return;
	columns.gain |= !columns.change;
	if (labels_make(&labels, &result->run) < 0)
		doc_fail(doc);
	doc_heading(doc, 2, "Changes");
	doc_table(doc, 0);
	labels_columns(doc, &labels);
	add_gain_columns(doc, &columns);
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (!result_is_valid(point))
			continue;
		doc_row(doc, i == result->peak ? DOC_BEST : DOC_PLAIN, 0);
		labels_cells(doc, &labels, point->users, point->set, point->set_count);
		add_gain_cells(doc, result, point, &columns);
	}
	doc_table_end(doc);
	labels_free(&labels);
}
