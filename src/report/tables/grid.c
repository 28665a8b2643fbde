/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/tables/grid.h"

#include "base/array.h"
#include "doc/records.h"
#include "report/naming.h"
#include "result/variant.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name of the row below phases, users or hosts. */
#define TOTAL "total"

/* A record that the table shows. */
struct grid_item {
	const struct result_point *point;
	const struct record *record;
	size_t side;
	const char *users; /* the user count of the point */
	bool is_total;
	/* For each key, in the order in which items are sorted: the index of its
	 * value. */
	size_t *at;
	size_t key_count;
};

/* Check if the table has the elapsed times of loops. */
static bool has_loop_times(const struct spec *spec)
{
	size_t i;

	for (i = 0; i < spec->figure_count; i++)
		if (spec->figures[i] == FIGURE_ELAPSED_S)
			return true;
	return false;
}

double grid_value(const struct spec *spec, enum figure figure, const struct record *record)
{
	/* The elapsed time of a phase is that of a loop, so its CPU times must be, too,
	 * and those beside an elapsed time. */
	const bool is_mean = (figure == FIGURE_USER_S || figure == FIGURE_SYSTEM_S) &&
			     (spec_has_part(spec, SPEC_PHASE) ||
			      (has_loop_times(spec) &&
			       !isnan(record_value(record, FIGURE_ELAPSED_S))));
	const struct records_column column = {
		.figure = figure,
		.show = is_mean ? RECORDS_MEAN : RECORDS_VALUE,
	};

	return records_cell(&column, &(const struct records_row){.record = record});
}

/* Check if a record is the total of several phases, users or hosts that the table lists. */
static bool is_total(const struct spec *spec, const struct records *records,
		     const struct record_key *key)
{
	const struct record *first;

	if (record_is_apart(key) || key->phase != NULL || key->operation != NULL)
		return false;
	if (spec->parts == SPEC_HOST)
		return (first = records_next_host(records, NULL)) != NULL &&
		       records_next_host(records, first) != NULL;
	if (spec->parts == SPEC_USER)
		return spec_has_part(spec, SPEC_LOAD) == (key->load != NULL) &&
		       (first = records_next_user(records, NULL)) != NULL &&
		       records_next_user(records, first) != NULL;
	return spec->parts == SPEC_PHASE &&
	       (first = records_next_phase(records, key->load, NULL)) != NULL &&
	       records_next_phase(records, key->load, first) != NULL;
}

/* Check if the table shows a record. With several loads, phases and users are those of
 * a load. */
static bool is_shown(const struct spec *spec, const struct records *records,
		     const struct record_key *key)
{
	const bool has_phase = spec_has_part(spec, SPEC_PHASE);
	const bool has_load = spec_has_part(spec, SPEC_LOAD);
	const bool has_user = spec_has_part(spec, SPEC_USER);

	if (spec_has_part(spec, SPEC_OPERATION) != (key->operation != NULL) ||
	    (has_load && key->load == NULL) ||
	    (!has_load && !has_phase && !has_user && key->load != NULL))
		return false;
	return (has_phase == (key->phase != NULL) && has_user == (key->user != NULL) &&
		spec_has_part(spec, SPEC_HOST) == (key->host != NULL)) ||
	       is_total(spec, records, key);
}

/* Check if a table about the phases of a load has a record in this of its figures: the
 * first one that is above 0. */
static bool is_of_load(const struct spec *spec, size_t figure, const struct result_run *run,
		       const struct record *record)
{
	const char *load = record->key.load;
	size_t i = 0;

	if (spec->load == NULL)
		return true;
	while (i < figure && !(record_value(record, spec->figures[i]) > 0))
		i++;
	return i == figure && record_value(record, spec->figures[i]) > 0 &&
	       strcmp(load != NULL ? load : run->variants[0].loads[0].name, spec->load) == 0;
}

/* Return the value that a key has for an item. */
static const char *value_of(const struct grid *grid, const struct grid_key *key,
			    const struct grid_item *item)
{
	const struct result_point *point = item->point;
	const struct view_side *side = &grid->view->sides[item->side];
	const char *value;

	switch (key->key) {
	case SPEC_AXIS:
		value = variant_set_value(point->set, point->set_count, key->name);
		return value != NULL ? naming_value(grid->view->naming, key->name, value) : "";
	case SPEC_USERS:
		return item->users;
	case SPEC_RESULT:
		if (!view_has_several(grid->view))
			return "";
		return grid->is_text ? side->brief : side->name;
	default:
		if (item->is_total && key->key == grid->spec->parts)
			return TOTAL;
		value = spec_part_of(&item->record->key, key->key);
		return value != NULL ? value : "";
	}
}

static size_t find_value(const struct grid_key *key, const char *value)
{
	size_t i = 0;

	while (i < key->value_count && strcmp(key->values[i], value) != 0)
		i++;
	return i;
}

/* Add a key. Return 0 or -ENOMEM. */
static int add_key(struct grid *grid, enum spec_key key, const char *name)
{
	const struct grid_key added = {.key = key, .name = name};
	size_t i;

	for (i = 0; i < grid->key_count; i++)
		if (grid->keys[i].key == key && strcmp(grid->keys[i].name, name) == 0)
			return 0;
	return array_append(&grid->keys, &grid->key_count, &added, sizeof(added));
}

static int add_keys(struct grid *grid)
{
	enum spec_key key;
	size_t i, j;
	int rc = 0;

	for (i = 0; i < grid->view->side_count; i++) {
		const struct result_run *run = &grid->view->sides[i].result->run;

		for (j = 0; j < run->axis_count && rc == 0; j++)
			rc = add_key(grid, SPEC_AXIS, run->axes[j].name);
	}
	for (key = SPEC_USERS; key < SPEC_NONE && rc == 0; key++)
		rc = add_key(grid, key, spec_key_name(grid->spec, key));
	return rc;
}

/* Add the records of a point that the table shows. Return 0 or -ENOMEM. */
static int add_point(struct grid *grid, size_t figure, size_t side, const struct result_run *run,
		     const struct result_point *point)
{
	struct grid_item item = {.point = point, .side = side};
	char users[16];
	size_t i;

	snprintf(users, sizeof(users), "%u", point->users);
	item.users = record_name(&grid->names, users);
	if (item.users == NULL)
		return -ENOMEM;
	for (i = 0; i < point->records.count; i++) {
		item.record = &point->records.list[i];
		if (!is_shown(grid->spec, &point->records, &item.record->key) ||
		    !is_of_load(grid->spec, figure, run, item.record))
			continue;
		item.is_total = is_total(grid->spec, &point->records, &item.record->key);
		if (array_grow(&grid->items, &grid->item_room, grid->item_count + 1, sizeof(item)) <
		    0)
			return -ENOMEM;
		grid->items[grid->item_count++] = item;
	}
	return 0;
}

static int add_points(struct grid *grid, size_t figure)
{
	const struct view *view = grid->view;
	size_t i, j;

	for (i = 0; i < view->side_count; i++) {
		const struct result *result = view->sides[i].result;

		for (j = 0; j < result->point_count; j++)
			if ((grid->spec->load == NULL || result_is_valid(&result->points[j])) &&
			    add_point(grid, figure, i, &result->run, &result->points[j]) < 0)
				return -ENOMEM;
	}
	return 0;
}

static int by_number(const void *a, const void *b)
{
	unsigned long one = strtoul(*(const char *const *)a, NULL, 10);
	unsigned long other = strtoul(*(const char *const *)b, NULL, 10);

	return (one > other) - (one < other);
}

/* Make a value the last one, if the key has it. */
static void move_last(struct grid_key *key, const char *value)
{
	size_t i = find_value(key, value);

	for (; i + 1 < key->value_count; i++) {
		key->values[i] = key->values[i + 1];
		key->values[i + 1] = value;
	}
}

/* List the values that a key has: user counts ascend, and totals are last, which may have
 * no load; the others are in the order of the results. Return 0 or -ENOMEM. */
static int list_values(const struct grid *grid, struct grid_key *key)
{
	size_t i;

	for (i = 0; i < grid->item_count; i++) {
		const char *value = value_of(grid, key, &grid->items[i]);

		if (find_value(key, value) == key->value_count &&
		    array_append(&key->values, &key->value_count, &value, sizeof(value)) < 0)
			return -ENOMEM;
	}
	if (key->key == SPEC_USERS && key->value_count > 0)
		qsort(key->values, key->value_count, sizeof(*key->values), by_number);
	if (key->key == grid->spec->parts || key->key == SPEC_LOAD)
		move_last(key, key->key == SPEC_LOAD ? "" : TOTAL);
	return 0;
}

/* Check if the columns are the values of a key. */
static bool is_by(const struct spec *spec, const struct grid_key *key)
{
	return key->key == spec->by &&
	       (key->key != SPEC_AXIS || strcmp(key->name, spec->axis) == 0);
}

/* Check if a key tells rows apart. */
static bool is_row_key(const struct spec *spec, const struct grid_key *key)
{
	return !is_by(spec, key) && !(spec->is_peak && key->key == SPEC_USERS) &&
	       (key->value_count > 1 || key->key == spec->parts ||
		(spec->is_usual && key->key <= SPEC_USERS));
}

/* Choose the keys of the rows and of the columns. Return 0 or -ENOMEM. */
static int choose_keys(struct grid *grid)
{
	struct grid_key *users = NULL;
	size_t i;

	grid->row_keys = calloc(grid->key_count + 1, sizeof(struct grid_key *));
	if (grid->row_keys == NULL)
		return -ENOMEM;
	for (i = 0; i < grid->key_count; i++) {
		struct grid_key *key = &grid->keys[i];

		users = key->key == SPEC_USERS ? key : users;
		if (is_by(grid->spec, key))
			grid->by = key;
		else if (is_row_key(grid->spec, key))
			grid->row_keys[grid->row_key_count++] = key;
	}
	if (grid->row_key_count == 0 && !grid->spec->is_peak && users != grid->by)
		grid->row_keys[grid->row_key_count++] = users;
	return 0;
}

static int by_keys(const void *a, const void *b)
{
	const struct grid_item *one = a, *other = b;
	size_t i;

	for (i = 0; i < one->key_count; i++)
		if (one->at[i] != other->at[i])
			return one->at[i] < other->at[i] ? -1 : 1;
	return (one->record > other->record) - (one->record < other->record);
}

/* Sort the items: by the keys of the rows, then by that of the columns. Return 0 or
 * -ENOMEM. */
static int sort_items(struct grid *grid)
{
	const size_t key_count = grid->row_key_count + (grid->by != NULL);
	size_t i, j;

	grid->places = calloc(grid->item_count * key_count + 1, sizeof(*grid->places));
	if (grid->places == NULL)
		return -ENOMEM;
	for (i = 0; i < grid->item_count; i++) {
		struct grid_item *item = &grid->items[i];

		item->at = &grid->places[i * key_count];
		item->key_count = key_count;
		for (j = 0; j < key_count; j++) {
			const struct grid_key *key = j < grid->row_key_count ? grid->row_keys[j]
									     : grid->by;

			item->at[j] = find_value(key, value_of(grid, key, item));
		}
	}
	if (grid->item_count > 0)
		qsort(grid->items, grid->item_count, sizeof(*grid->items), by_keys);
	return 0;
}

/* Put an item into a cell, if it is the first one there or has a better value. */
static void fill(const struct spec *spec, struct grid_cell *cell, const struct grid_item *item)
{
	const bool is_valid = result_is_valid(item->point);
	const double value = is_valid ? grid_value(spec, cell->figure, item->record) : NAN;

	if (cell->point == NULL || grid_is_better(cell->figure, value, cell->value) ||
	    (isnan(cell->value) && !isnan(value)))
		*cell = (struct grid_cell){
			cell->figure, item->point, item->record, value, is_valid,
		};
}

/* Begin a row with an item. */
static void begin_row(struct grid *grid, size_t figure, const struct grid_item *item)
{
	struct grid_row *row = &grid->rows[grid->row_count];
	size_t i;

	row->at = item->at;
	row->is_total = item->is_total;
	row->cells = &grid->cells[grid->row_count * grid->column_count];
	for (i = 0; i < grid->column_count; i++)
		row->cells[i] = (struct grid_cell){
			.figure = grid->spec->figures[grid->by != NULL ? figure : i],
			.value = NAN,
		};
	grid->row_count++;
}

/* Check if a sorted item is the first one of its row. */
static bool begins_row(const struct grid *grid, size_t i)
{
	return i == 0 || memcmp(grid->items[i].at, grid->items[i - 1].at,
				grid->row_key_count * sizeof(*grid->places)) != 0;
}

/* Make the rows of the sorted items. Return 0 or -ENOMEM. */
static int make_rows(struct grid *grid, size_t figure)
{
	size_t rows = 0, rooms, i, j;

	grid->column_count = grid->by != NULL ? grid->by->value_count : grid->spec->figure_count;
	for (i = 0; i < grid->item_count; i++)
		rows += begins_row(grid, i);
	if (__builtin_mul_overflow(rows, grid->column_count, &rooms))
		return -ENOMEM;
	grid->rows = calloc(rows + 1, sizeof(*grid->rows));
	grid->cells = calloc(rooms + 1, sizeof(*grid->cells));
	if (grid->rows == NULL || grid->cells == NULL)
		return -ENOMEM;
	for (i = 0; i < grid->item_count; i++) {
		const struct grid_item *item = &grid->items[i];
		const struct grid_row *row;

		if (begins_row(grid, i))
			begin_row(grid, figure, item);
		row = &grid->rows[grid->row_count - 1];
		if (grid->by != NULL)
			fill(grid->spec, &row->cells[item->at[grid->row_key_count]], item);
		for (j = 0; grid->by == NULL && j < grid->column_count; j++)
			fill(grid->spec, &row->cells[j], item);
	}
	return 0;
}

int grid_make(struct grid *grid, const struct view *view, const struct spec *spec, size_t figure,
	      bool is_text)
{
	size_t i;
	int rc;

	*grid = (struct grid){.spec = spec, .view = view, .is_text = is_text};
	rc = add_keys(grid);
	if (rc == 0)
		rc = add_points(grid, figure);
	for (i = 0; i < grid->key_count && rc == 0; i++)
		rc = list_values(grid, &grid->keys[i]);
	if (rc == 0)
		rc = choose_keys(grid);
	if (rc == 0)
		rc = sort_items(grid);
	return rc == 0 ? make_rows(grid, figure) : rc;
}

void grid_free(struct grid *grid)
{
	size_t i;

	for (i = 0; i < grid->key_count; i++)
		free(grid->keys[i].values);
	intern_free(&grid->names);
	free(grid->keys);
	free(grid->row_keys);
	free(grid->items);
	free(grid->places);
	free(grid->rows);
	free(grid->cells);
}
