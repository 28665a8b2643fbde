/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of the parts of a point: its operations, phases and loads.
 */
#include "base/array.h"
#include "base/units.h"
#include "report/labels.h"
#include "report/points.h"
#include "report/sections.h"
#include "result/variant.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Add a title with the name and the users of one of several loads. */
static void add_load_title(struct doc *doc, const struct record *load)
{
	uint64_t users = (uint64_t)record_count(load, FIGURE_LOAD_USERS);

	doc_heading(doc, 3, "%s, %" PRIu64 " %s", load->key.load, users,
		    units_plural(users, "user", "users"));
}

static int by_time(const void *a, const void *b)
{
	double one = record_count(((const struct records_row *)a)->record, FIGURE_TIME_SHARE);
	double other = record_count(((const struct records_row *)b)->record, FIGURE_TIME_SHARE);

	return (one < other) - (one > other);
}

static void add_operations(struct doc *doc, bool paced, const struct record *record)
{
	static const struct records_label label = {.heading = "operation"};
	static const struct records_column columns[] = {
		{.figure = FIGURE_OPS, .heading = "count"},
		{.figure = FIGURE_TIME_SHARE, .heading = "time", .flags = DOC_BAR},
		{.figure = FIGURE_OPS_PER_S},
		{.figure = FIGURE_MB_PER_S},
		{.figure = FIGURE_MEAN_MS, .flags = DOC_RESPONSE},
		{.figure = FIGURE_P50_MS},
		{.figure = FIGURE_P99_MS},
		{.figure = FIGURE_MAX_MS},
		{.figure = FIGURE_MISMATCHES, .flags = DOC_OPTIONAL},
	};
	const struct records_table table = {
		.labels = &label,
		.label_count = 1,
		.columns = columns,
		.column_count = LENGTH(columns),
		.paced = paced,
	};
	struct records_row *rows = calloc(record->operations, sizeof(*rows));
	size_t i;

	if (rows == NULL) {
		doc_fail(doc);
		return;
	}
	for (i = 0; i < record->operations; i++)
		rows[i] = (struct records_row){
			.labels = &record[1 + i].key.operation,
			.record = &record[1 + i],
		};
	qsort(rows, record->operations, sizeof(*rows), by_time);
	records_table(doc, &table, rows, record->operations);
	free(rows);
}

void section_operations(struct doc *doc, bool paced, const struct records *records)
{
	size_t i;

	for (i = 0; i < records->count; i += 1 + records->list[i].operations) {
		const struct record *record = &records->list[i];

		/* A single operation has the figures of its phase. */
		if (record->operations < (record->key.phase != NULL ? 2 : 1))
			continue;
		doc_heading(doc, 2, "Operations");
		if (record->key.phase != NULL)
			doc_heading(doc, 3, "phase %s", record->key.phase);
		else if (record->key.load != NULL)
			add_load_title(doc, record);
		add_operations(doc, paced, record);
	}
}

/* Add the table of a load (NULL: of the only one), after its title. */
static void add_phases(struct doc *doc, bool paced, const struct records *records,
		       const struct record *load)
{
	static const struct records_label label = {.heading = "phase"};
	static const struct records_column columns[] = {
		{.figure = FIGURE_OPS,
		 .heading = "ops",
		 .show = RECORDS_ONCE,
		 .flags = DOC_OPTIONAL},
		{.figure = FIGURE_BYTES,
		 .heading = "bytes",
		 .show = RECORDS_ONCE,
		 .flags = DOC_OPTIONAL},
		{.figure = FIGURE_ELAPSED_S, .heading = "elapsed", .flags = DOC_MAIN},
		{.figure = FIGURE_ELAPSED_USER_MIN_S,
		 .heading = "min",
		 .show = RECORDS_NOT_ONCE,
		 .flags = DOC_OPTIONAL},
		{.figure = FIGURE_ELAPSED_USER_MAX_S,
		 .heading = "max",
		 .show = RECORDS_NOT_ONCE,
		 .flags = DOC_OPTIONAL},
		{.figure = FIGURE_USER_S, .heading = "user", .show = RECORDS_MEAN},
		{.figure = FIGURE_SYSTEM_S, .heading = "system", .show = RECORDS_MEAN},
		{.figure = FIGURE_MB_PER_S, .flags = DOC_OPTIONAL},
		{.figure = FIGURE_READ_MB_PER_S,
		 .heading = "read",
		 .flags = DOC_WIDE | DOC_OPTIONAL},
		{.figure = FIGURE_WRITE_MB_PER_S,
		 .heading = "written",
		 .flags = DOC_WIDE | DOC_OPTIONAL},
		{.figure = FIGURE_OPS_PER_S},
		{.figure = FIGURE_MEAN_MS, .flags = DOC_RESPONSE},
		{.figure = FIGURE_P50_MS, .flags = DOC_WIDE},
		{.figure = FIGURE_P99_MS},
		{.figure = FIGURE_MAX_MS, .heading = "slowest", .flags = DOC_WIDE},
		{.figure = FIGURE_MISMATCHES, .flags = DOC_OPTIONAL},
	};
	const struct records_table table = {
		.labels = &label,
		.label_count = 1,
		.columns = columns,
		.column_count = LENGTH(columns),
		.paced = paced,
	};
	const char *name = load != NULL ? load->key.load : NULL;
	const struct record *phase = records_next_phase(records, name, NULL);
	struct records_row *rows = NULL;
	size_t count = 0;

	if (phase == NULL)
		return;
	for (; phase != NULL; phase = records_next_phase(records, name, phase)) {
		const struct records_row row = {.labels = &phase->key.phase, .record = phase};

		if (array_append(&rows, &count, &row, sizeof(row)) < 0)
			doc_fail(doc);
	}
	doc_heading(doc, 2, "Phases");
	if (load != NULL)
		add_load_title(doc, load);
	records_table(doc, &table, rows, count);
	free(rows);
}

/* The times are means of the loops. */
void section_phases(struct doc *doc, bool paced, const struct records *records)
{
	const struct record *load = NULL;

	add_phases(doc, paced, records, NULL);
	while ((load = records_next_load(records, load)) != NULL)
		add_phases(doc, paced, records, load);
}

/* A column of a table of rates: a phase of the load. */
struct column {
	const char *phase;
	bool moves_data; /* at any point */
};

struct columns {
	struct column *list;
	size_t count;
};

static void add_column(struct doc *doc, struct columns *columns, const struct record *phase)
{
	bool moves_data = record_value(phase, FIGURE_BYTES) > 0;
	const struct column column = {phase->key.phase, moves_data};
	size_t i;

	for (i = 0; i < columns->count; i++) {
		if (strcmp(columns->list[i].phase, column.phase) != 0)
			continue;
		columns->list[i].moves_data |= moves_data;
		return;
	}
	if (array_append(&columns->list, &columns->count, &column, sizeof(column)) < 0)
		doc_fail(doc);
}

/* Return the record of a load (NULL: of the only one) or of its phase at a point; or
 * NULL if the point is invalid or does not have it. */
static const struct record *find(const struct result_point *point, const char *load,
				 const char *phase)
{
	const struct record_key key = {.load = load, .phase = phase};

	return result_is_valid(point) ? records_find(&point->records, &key) : NULL;
}

/* List the phases that the load has at any valid point; there may be different ones. */
static struct columns list_columns(struct doc *doc, const struct result *result, const char *load)
{
	struct columns columns = {.list = NULL};
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		const struct record *phase = NULL;

		while (result_is_valid(point) &&
		       (phase = records_next_phase(&point->records, load, phase)) != NULL)
			add_column(doc, &columns, phase);
	}
	return columns;
}

/* Add a table of the rates of the phases that move data, or of the others, with a row
 * for each valid point. */
static void add_rates(struct doc *doc, const struct result *result, const char *load,
		      const struct columns *columns, bool moving)
{
	enum figure rate = moving ? FIGURE_MB_PER_S : FIGURE_OPS_PER_S;
	char unit[NUMBER_TEXT];
	struct labels labels;
	size_t i, j;

	if (labels_make(&labels, &result->run) < 0)
		doc_fail(doc);
	doc_heading(doc, 2, "Phases");
	doc_heading(doc, 3, "%s by phase%s%s", number_heading(figures[rate].heading, unit),
		    load != NULL ? " of " : "", load != NULL ? load : "");
	doc_table(doc, 0);
	labels_columns(doc, &labels);
	for (j = 0; j < columns->count; j++)
		if (columns->list[j].moves_data == moving)
			doc_column(doc, columns->list[j].phase, number_form_of(rate), 0);
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (find(point, load, NULL) == NULL)
			continue;
		doc_row(doc, DOC_PLAIN, 0);
		labels_cells(doc, &labels, point->users, point->set, point->set_count);
		for (j = 0; j < columns->count; j++) {
			const struct record *phase = find(point, load, columns->list[j].phase);

			if (columns->list[j].moves_data == moving)
				doc_cell(doc, phase != NULL ? record_value(phase, rate) : NAN);
		}
	}
	doc_table_end(doc);
	labels_free(&labels);
}

/* Add the tables of one load. */
static void add_load(struct doc *doc, const struct result *result, const char *load)
{
	struct columns columns = list_columns(doc, result, load);
	size_t moving = 0, i;

	for (i = 0; i < columns.count; i++)
		moving += columns.list[i].moves_data;
	if (moving > 0)
		add_rates(doc, result, load, &columns, true);
	if (moving < columns.count)
		add_rates(doc, result, load, &columns, false);
	free(columns.list);
}

void section_phase_rates(struct doc *doc, const struct result *result)
{
	const struct result_variant *variant = &result->run.variants[0];
	size_t i;

	/* A single measurement has them in section_phases. */
	if (result->point_count == 1 && result->points[0].repeat_count == 1)
		return;
	for (i = 0; i < variant->load_count; i++)
		add_load(doc, result, variant->load_count > 1 ? variant->loads[i].name : NULL);
}

/* Add a table with a row for each load of a point. */
static void add_loads(struct doc *doc, bool paced, const struct result_point *point)
{
	static const struct records_label labels[] = {
		{.heading = "load"},
		{.heading = "users", .is_number = true},
	};
	const struct records_table table = {
		.labels = labels,
		.label_count = LENGTH(labels),
		.columns = point_columns,
		.column_count = POINT_COLUMNS,
		.paced = paced,
	};
	size_t max = point->records.count, count = 0;
	struct records_row *rows = calloc(max, sizeof(*rows));
	const char *(*names)[LENGTH(labels)] = calloc(max, sizeof(*names));
	char(*users)[UNITS_TEXT] = calloc(max, sizeof(*users));
	const struct record *load = NULL;

	while (rows != NULL && names != NULL && users != NULL &&
	       (load = records_next_load(&point->records, load)) != NULL) {
		snprintf(users[count], sizeof(users[count]), "%.0f",
			 record_count(load, FIGURE_LOAD_USERS));
		names[count][0] = load->key.load;
		names[count][1] = users[count];
		rows[count] = (struct records_row){.labels = names[count], .record = load};
		count++;
	}
	if (count > 0)
		records_table(doc, &table, rows, count);
	else
		doc_fail(doc);
	free(rows);
	free(names);
	free(users);
}

void section_loads(struct doc *doc, const struct result *result)
{
	char place[VARIANT_TEXT];
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (!result_is_valid(point) || records_next_load(&point->records, NULL) == NULL)
			continue;
		doc_heading(doc, 2, "Loads");
		doc_heading(doc, 3, "%s, by load", variant_print_point(point, place));
		add_loads(doc, result->run.paced, point);
	}
}
