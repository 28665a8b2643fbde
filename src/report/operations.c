/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of the parts of a point: its operations, phases, loads and hosts.
 */
#include "base/units.h"
#include "report/points.h"
#include "report/sections.h"
#include "result/variant.h"

#include <inttypes.h>
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

/* Begin a table with a column of names and these figures. */
static void begin(struct doc *doc, const char *heading, const struct records_column *columns,
		  size_t count, bool open_loop)
{
	doc_table(doc, 0);
	doc_column(doc, heading, NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	records_columns(doc, columns, count, open_loop);
}

static void add_row(struct doc *doc, const char *name, const struct records_column *columns,
		    size_t count, const struct record *record)
{
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell_text(doc, "%s", name);
	records_cells(doc, columns, count, &(const struct records_row){.record = record});
}

/* Sort by time; if it is the same, keep the order of the load. */
static int by_time(const void *a, const void *b)
{
	const struct record *const *one = a, *const *other = b;
	double time = record_count(*one, FIGURE_TIME_SHARE);
	double other_time = record_count(*other, FIGURE_TIME_SHARE);

	if (time != other_time)
		return time < other_time ? 1 : -1;
	return (*one > *other) - (*one < *other);
}

static void add_operations(struct doc *doc, bool open_loop, const struct record *record)
{
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
	const struct record **sorted = calloc(record->operations, sizeof(*sorted));
	size_t i;

	if (sorted == NULL) {
		doc_fail(doc);
		return;
	}
	for (i = 0; i < record->operations; i++)
		sorted[i] = &record[1 + i];
	qsort(sorted, record->operations, sizeof(*sorted), by_time);
	begin(doc, "operation", columns, LENGTH(columns), open_loop);
	for (i = 0; i < record->operations; i++)
		add_row(doc, sorted[i]->key.operation, columns, LENGTH(columns), sorted[i]);
	doc_table_end(doc);
	free(sorted);
}

void section_operations(struct doc *doc, bool open_loop, const struct records *records)
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
		add_operations(doc, open_loop, record);
	}
}

/* Add the table of a load (NULL: of the only one), after its title. */
static void add_phases(struct doc *doc, bool open_loop, const struct records *records,
		       const struct record *load)
{
	/* That --verify has found nothing is worth a column. */
	bool is_verified = record_count(records_total(records), FIGURE_VERIFIED_USERS) > 0;
	const struct records_column columns[] = {
		{FIGURE_OPS, "ops", RECORDS_ONCE, DOC_OPTIONAL | RECORDS_UNLESS_ITEMS},
		{FIGURE_ITEMS, "items", RECORDS_ONCE, DOC_OPTIONAL},
		{FIGURE_BYTES, "bytes", RECORDS_ONCE, DOC_OPTIONAL},
		{.figure = FIGURE_ELAPSED_S, .heading = "elapsed", .flags = DOC_MAIN},
		{FIGURE_ELAPSED_USER_MIN_S, "first", RECORDS_NOT_ONCE, DOC_OPTIONAL},
		{FIGURE_ELAPSED_USER_MAX_S, "last", RECORDS_NOT_ONCE, DOC_OPTIONAL},
		{FIGURE_USER_S, "user", RECORDS_MEAN, 0},
		{FIGURE_SYSTEM_S, "system", RECORDS_MEAN, 0},
		{.figure = FIGURE_MB_PER_S, .flags = DOC_OPTIONAL},
		{FIGURE_READ_MB_PER_S, "read", RECORDS_VALUE, DOC_WIDE | DOC_OPTIONAL},
		{FIGURE_WRITE_MB_PER_S, "written", RECORDS_VALUE, DOC_WIDE | DOC_OPTIONAL},
		{.figure = FIGURE_OPS_PER_S, .flags = DOC_KNOWN | RECORDS_UNLESS_ITEMS},
		{.figure = FIGURE_ITEMS_PER_S, .flags = DOC_KNOWN},
		{.figure = FIGURE_MEAN_MS, .flags = DOC_RESPONSE},
		{.figure = FIGURE_P50_MS, .flags = DOC_WIDE},
		{.figure = FIGURE_P99_MS},
		{.figure = FIGURE_MAX_MS, .heading = "slowest", .flags = DOC_WIDE},
		{.figure = FIGURE_MISMATCHES, .flags = is_verified ? 0 : DOC_OPTIONAL},
	};
	const char *name = load != NULL ? load->key.load : NULL;
	const struct record *phase = records_next_phase(records, name, NULL);
	size_t count = 0;

	if (phase == NULL)
		return;
	doc_heading(doc, 2, "Phases");
	if (load != NULL)
		add_load_title(doc, load);
	begin(doc, "phase", columns, LENGTH(columns), open_loop);
	for (; phase != NULL; phase = records_next_phase(records, name, phase), count++)
		add_row(doc, phase->key.phase, columns, LENGTH(columns), phase);
	if (count > 1)
		add_row(doc, "total", columns, LENGTH(columns),
			load != NULL ? load : records_total(records));
	doc_table_end(doc);
}

/* The times are means of the loops. */
void section_phases(struct doc *doc, bool open_loop, const struct records *records)
{
	const struct record *load = NULL;

	add_phases(doc, open_loop, records, NULL);
	while ((load = records_next_load(records, load)) != NULL)
		add_phases(doc, open_loop, records, load);
}

void section_hosts(struct doc *doc, bool open_loop, const struct records *records)
{
	static const struct records_column columns[] = {
		{.figure = FIGURE_MB_PER_S, .flags = DOC_OPTIONAL},
		{.figure = FIGURE_OPS_PER_S},
		{.figure = FIGURE_P99_MS},
		{.figure = FIGURE_CPU_SHARE},
		{.figure = FIGURE_CLOCK_ERROR_MS},
		{.figure = FIGURE_LATE_MS},
	};
	const struct record *host = records_next_host(records, NULL);

	if (host == NULL)
		return;
	doc_heading(doc, 2, "Hosts");
	doc_table(doc, 0);
	doc_column(doc, "host", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_column(doc, "users", NUMBER_COUNT, DOC_LABEL);
	records_columns(doc, columns, LENGTH(columns), open_loop);
	for (; host != NULL; host = records_next_host(records, host)) {
		doc_row(doc, DOC_PLAIN, 0);
		doc_cell_text(doc, "%s", host->key.host);
		doc_cell_text(doc, "%.0f", record_count(host, FIGURE_HOST_USERS));
		records_cells(doc, columns, LENGTH(columns),
			      &(const struct records_row){.record = host});
	}
	doc_table_end(doc);
}

/* Add a table with a row for each load of a point. */
static void add_loads(struct doc *doc, bool open_loop, const struct result_point *point)
{
	const struct record *load = NULL;

	doc_table(doc, 0);
	doc_column(doc, "load", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_column(doc, "users", NUMBER_COUNT, DOC_LABEL);
	records_columns(doc, point_columns, LOAD_COLUMNS, open_loop);
	while ((load = records_next_load(&point->records, load)) != NULL) {
		doc_row(doc, DOC_PLAIN, 0);
		doc_cell_text(doc, "%s", load->key.load);
		doc_cell_text(doc, "%.0f", record_count(load, FIGURE_LOAD_USERS));
		records_cells(doc, point_columns, LOAD_COLUMNS,
			      &(const struct records_row){.record = load});
	}
	doc_table_end(doc);
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
		add_loads(doc, result->run.open_loop, point);
	}
}
