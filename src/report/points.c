/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/points.h"

#include "base/units.h"
#include "report/naming.h"
#include "report/sections.h"
#include "result/combine.h"
#include "result/variant.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Max width of a column of names; longer ones make their row longer. */
enum { NAME_COLUMNS = 40 };

const struct records_column point_columns[LOAD_COLUMNS] = {
	{.figure = FIGURE_MB_PER_S},
	{.figure = FIGURE_OPS_PER_S},
	{.figure = FIGURE_P50_MS, .flags = DOC_RESPONSE},
	{.figure = FIGURE_P90_MS, .flags = DOC_WIDE | DOC_KNOWN},
	{.figure = FIGURE_P95_MS},
	{.figure = FIGURE_P99_MS},
	{.figure = FIGURE_P99_9_MS, .heading = "p99.9", .flags = DOC_WIDE | DOC_KNOWN},
	{.figure = FIGURE_MAX_MS},
	{.figure = FIGURE_MISMATCHES},
	{.figure = FIGURE_CPU_SHARE},
	{.figure = FIGURE_READ_MB_PER_S, .heading = "read", .flags = DOC_WIDE | DOC_OPTIONAL},
	{.figure = FIGURE_WRITE_MB_PER_S, .heading = "written", .flags = DOC_WIDE | DOC_OPTIONAL},
};

/* Return the width of an axis' column: all tables of a run have the same. */
static unsigned width_of(const struct naming *naming, const struct result_axis *axis)
{
	size_t width = strlen(axis->name), i;

	for (i = 0; i < axis->value_count; i++) {
		size_t length = strlen(naming_value(naming, axis->name, axis->values[i]));

		width = length > width ? length : width;
	}
	return (unsigned)(width < NAME_COLUMNS ? width : NAME_COLUMNS);
}

struct points_table points_begin(struct doc *doc, const struct result_run *run, unsigned flags)
{
	const struct points_table table = {doc, run, naming_of(run)};
	size_t i;

	if (table.naming == NULL)
		doc_fail(doc);
	doc_table(doc, flags);
	doc_column(doc, "users", NUMBER_COUNT, DOC_LABEL);
	for (i = 0; i < run->axis_count; i++) {
		doc_column(doc, run->axes[i].name, NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
		doc_column_width(doc, width_of(table.naming, &run->axes[i]));
	}
	return table;
}

void points_row(const struct points_table *table, const struct result_point *point,
		enum doc_class class)
{
	size_t i;

	doc_row(table->doc, class, 0);
	doc_cell_text(table->doc, "%u", point->users);
	for (i = 0; i < table->run->axis_count; i++) {
		const char *axis = table->run->axes[i].name;
		const char *value = variant_set_value(point->set, point->set_count, axis);

		doc_cell_text(table->doc, "%s",
			      value != NULL ? naming_value(table->naming, axis, value) : "");
	}
}

void points_end(const struct points_table *table)
{
	doc_table_end(table->doc);
	naming_free(table->naming);
}

/* Return the figure of the throughput: ops_per_s if no point moved data. */
static enum figure rate_of(const struct result *result)
{
	if (result->peak >= result->point_count)
		return FIGURE_MB_PER_S;
	return combine_throughput(records_total(&result->points[result->peak].records));
}

/* Begin the table of points. */
static struct points_table begin(struct doc *doc, const struct result *result, unsigned flags)
{
	const struct points_table table = points_begin(doc, &result->run, DOC_FIXED | flags);
	const enum figure rate = rate_of(result);
	size_t i;

	for (i = 0; i < POINT_COLUMNS; i++) {
		struct records_column column = point_columns[i];

		column.flags |= column.figure == rate ? DOC_MAIN : 0;
		records_add_column(doc, &column, result->run.open_loop);
	}
	return table;
}

/* Return a count as it is shown; 0: nothing was counted. */
static double shown(const struct record *record, enum figure figure)
{
	double value = record_shown(record, figure);

	return isnan(value) ? 0 : value;
}

/* Add why there are no figures. */
static void add_invalid(struct doc *doc, const struct notices *invalid, const struct record *total)
{
	char ops[UNITS_TEXT], bytes[UNITS_TEXT], *text = NULL;
	size_t size, i;
	FILE *stream = open_memstream(&text, &size);

	if (stream == NULL) {
		doc_fail(doc);
		return;
	}
	for (i = 0; i < invalid->count; i++) {
		char *reason = notice_text(&invalid->list[i]);

		fprintf(stream, "%s%s", i > 0 ? "; " : "", reason != NULL ? reason : "");
		free(reason);
	}
	if (fclose(stream) == 0)
		doc_rest(doc, DOC_BAD, "invalid: %s (%s operations and %s were counted)", text,
			 units_print_count((uint64_t)shown(total, FIGURE_OPS), ops),
			 units_print_bytes((uint64_t)shown(total, FIGURE_BYTES), bytes));
	else
		doc_fail(doc);
	free(text);
}

/* Add a row of the table of points. */
static void add_row(const struct points_table *table, const struct result_point *point,
		    const struct records *records, const struct notices *invalid,
		    enum doc_class class)
{
	const struct records_row row = {.record = records_total(records), .point = point};

	points_row(table, point, invalid->count > 0 ? DOC_BAD : class);
	if (invalid->count > 0)
		add_invalid(table->doc, invalid, row.record);
	else
		records_cells(table->doc, point_columns, POINT_COLUMNS, &row);
}

static void add_repeat(const struct points_table *table, const struct result_point *point,
		       const struct result_repeat *repeat)
{
	add_row(table, point, &repeat->records, &repeat->invalid, DOC_PLAIN);
}

void points_repeats(struct doc *doc, const struct result *result, size_t first, size_t end)
{
	const struct points_table table = begin(doc, result, 0);
	size_t i, j;

	for (i = first; i < end; i++)
		for (j = 0; j < result->points[i].repeat_count; j++)
			add_repeat(&table, &result->points[i], &result->points[i].repeats[j]);
	points_end(&table);
}

void points_repeat(struct doc *doc, const struct result *result, const struct result_repeat *repeat,
		   bool is_headless)
{
	const struct points_table table = begin(doc, result, is_headless ? DOC_HEADLESS : 0);

	add_repeat(&table, result_find_point(result, repeat->variant, repeat->users), repeat);
	points_end(&table);
}

void section_points(struct doc *doc, const struct result *result)
{
	struct points_table table;
	size_t i;

	if (result->point_count == 0)
		return;
	doc_heading(doc, 2, "Points");
	table = begin(doc, result, 0);
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		add_row(&table, point, &point->records, &point->invalid,
			i == result->peak           ? DOC_BEST
			: point->warnings.count > 0 ? DOC_WARNING
						    : DOC_PLAIN);
	}
	points_end(&table);
}

/* Add a table with a row for each valid point. */
static void add_section(struct doc *doc, const struct result *result, const char *heading,
			const struct records_column *columns, size_t count)
{
	struct points_table table;
	size_t i;

	if (result->peak >= result->point_count)
		return;
	doc_heading(doc, 2, "%s", heading);
	table = points_begin(doc, &result->run, 0);
	records_columns(doc, columns, count, result->run.open_loop);
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		const struct records_row row = {records_total(&point->records), point, NULL, NULL};

		if (!result_is_valid(point))
			continue;
		points_row(&table, point, DOC_PLAIN);
		records_cells(doc, columns, count, &row);
	}
	points_end(&table);
}

/* Check if any valid point has several repeats. */
static bool has_repeats(const struct result *result)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		if (result_is_valid(&result->points[i]) && result->points[i].repeat_count > 1)
			return true;
	return false;
}

/* Check if users have played streams of a load at the same time. */
static bool has_streams(const struct result_run *run)
{
	size_t i, j;

	for (i = 0; i < run->variant_count; i++)
		for (j = 0; j < run->variants[i].load_count; j++)
			if (run->variants[i].loads[j].streams > 0 &&
			    run->variants[i].loads[j].one_stream == NULL)
				return true;
	return false;
}

void section_details(struct doc *doc, const struct result *result)
{
	enum { LOOP_COLUMNS = 2 };
	static const struct records_column columns[] = {
		{.figure = FIGURE_IN_FLIGHT},
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
	size_t first = has_streams(&result->run) ? 0 : 1;

	add_section(doc, result, "Details", columns + first,
		    LENGTH(columns) - first - (is_single ? LOOP_COLUMNS : 0));
}

/* Add, of an open-loop replay, whether the scheduled operations completed, and
 * the parts of their response times. */
void section_pace(struct doc *doc, const struct result *result)
{
	static const struct records_column columns[] = {
		{.figure = FIGURE_SCHEDULED_PER_S},
		{.figure = FIGURE_COMPLETED_SHARE},
		{.figure = FIGURE_P99_MS, .heading = "response p99"},
		{.figure = FIGURE_SERVICE_P99_MS},
		{.figure = FIGURE_LATENESS_P99_MS},
		{.figure = FIGURE_LATENESS_MAX_MS},
	};

	if (result->run.open_loop)
		add_section(doc, result, "Response times", columns, LENGTH(columns));
}

void points_sample_columns(struct doc *doc, const char *name)
{
	char *heading = NULL;

	if (asprintf(&heading, "%s mean", name) < 0) {
		doc_fail(doc);
		return;
	}
	doc_column(doc, heading, NUMBER_PLAIN, 0);
	doc_column(doc, "max", NUMBER_PLAIN, 0);
	free(heading);
}

void points_sample_cells(struct doc *doc, const struct combine_sample *sample)
{
	doc_cell(doc, sample->mean);
	doc_cell(doc, sample->max);
}

void section_samples(struct doc *doc, const struct result *result)
{
	const struct result_run *run = &result->run;
	struct points_table table;
	size_t i, j;

	if (run->sample_count == 0 || result->peak >= result->point_count)
		return;
	doc_heading(doc, 2, "Samples");
	table = points_begin(doc, run, 0);
	for (j = 0; j < run->sample_count; j++)
		points_sample_columns(doc, run->samples[j].name);
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (!result_is_valid(point))
			continue;
		points_row(&table, point, DOC_PLAIN);
		for (j = 0; j < run->sample_count; j++) {
			const struct combine_sample sample = combine_samples(point, j);

			points_sample_cells(doc, &sample);
		}
	}
	points_end(&table);
}

/* Return the increase of the throughput over the point with the first value of the last
 * axis or, with `previous`, over that with the previous value; or NAN. */
static double change_of(const struct result *result, const struct result_point *point,
			enum figure rate, bool previous)
{
	const struct result_point *base = variant_base(result, point, previous);
	double before = base != NULL ? record_value(records_total(&base->records), rate) : NAN;

	return before > 0 ? record_value(records_total(&point->records), rate) / before - 1 : NAN;
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

/* Check if any valid point has a gain or, with `changes`, a change from one value of an
 * axis to another. */
static bool has_changes(const struct result *result, bool changes)
{
	enum figure rate = rate_of(result);
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (result_is_valid(point) && !isnan(changes ? change_of(result, point, rate, false)
							     : combine_gain(result, point)))
			return true;
	}
	return false;
}

/* Add how the throughput changes from point to point and from value to value of an
 * axis, if there are several values or repeats, or several points that were measured
 * with --loops. If no value of an axis is compared with another, the table has gains,
 * even if there is only one point. */
void section_gains(struct doc *doc, const struct result *result)
{
	const enum figure rate = rate_of(result);
	const struct records_column columns[] = {
		{rate, NULL, RECORDS_VALUE, DOC_MAIN},
		{rate, "min", RECORDS_MIN, DOC_KNOWN},
		{rate, "max", RECORDS_MAX, DOC_KNOWN},
		{rate, "spread", RECORDS_SPREAD, DOC_KNOWN},
	};
	const bool changes = has_changes(result, true), repeats = has_repeats(result);
	const bool steps = has_steps(&result->run);
	struct points_table table;
	size_t i;

	if (!repeats && !changes && (result->run.phases.loops == 0 || !has_changes(result, false)))
		return;
	doc_heading(doc, 2, "Changes");
	table = points_begin(doc, &result->run, 0);
	records_columns(doc, columns, LENGTH(columns), false);
	doc_column(doc, "gain", NUMBER_CHANGE, changes ? DOC_KNOWN : 0);
	doc_column(doc, "change", NUMBER_CHANGE, DOC_KNOWN);
	doc_column(doc, "step", NUMBER_CHANGE, DOC_KNOWN);
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		const struct records_row row = {records_total(&point->records), point, NULL, NULL};

		if (!result_is_valid(point))
			continue;
		points_row(&table, point, i == result->peak ? DOC_BEST : DOC_PLAIN);
		records_cells(doc, columns, LENGTH(columns), &row);
		doc_cell(doc, combine_gain(result, point));
		doc_cell(doc, change_of(result, point, rate, false));
		doc_cell(doc, steps ? change_of(result, point, rate, true) : NAN);
	}
	points_end(&table);
}
