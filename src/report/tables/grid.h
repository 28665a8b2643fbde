/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contents of a table of --table: rows, columns, and the record that each cell
 * shows.
 */
#ifndef REPORT_TABLES_GRID_H
#define REPORT_TABLES_GRID_H

#include "base/intern.h"
#include "report/tables/spec.h"
#include "report/view.h"

/* A key, and its values in the order in which tables show them. */
struct grid_key {
	enum spec_key key;
	const char *name; /* "users", or the name of an axis */
	/* Short names, as people read them; "": a result does not have the axis. */
	const char **values;
	size_t value_count;
};

/* Buffer size for the names of a row or column. */
enum { GRID_TEXT = 256 };

struct grid_cell {
	enum figure figure;
	/* Those of the value; NULL: nothing was measured. Of a peak: the best ones. */
	const struct result_point *point;
	const struct record *record;
	double value; /* in the unit of number_print; NAN: unknown, or invalid */
	bool is_valid;
};

struct grid_row {
	const size_t *at;        /* for each of the grid's row keys: the index of its value */
	struct grid_cell *cells; /* one per column */
	bool is_total;           /* of all phases or users, below them */
};

struct grid {
	const struct spec *spec;
	const struct view *view;
	/* Those with several values; or, if there are none, the users. */
	struct grid_key **row_keys;
	size_t row_key_count;
	const struct grid_key *by; /* NULL: the columns are figures */
	size_t column_count;
	struct grid_row *rows;
	size_t row_count;
	/* The rest belongs to grid.c. */
	struct grid_key *keys;
	size_t key_count;
	bool is_text;
	struct grid_item *items;
	size_t item_count, item_room;
	size_t *places;
	struct grid_cell *cells;
	struct intern names; /* of user counts */
};

/*
 * Make the grid of a table. If its columns are the values of a key, it is about the
 * figure with this index, else about all. With `is_text`, names of results are brief.
 * The view and the spec must outlive the grid. Return 0 or -ENOMEM; call grid_free in
 * both cases.
 */
int grid_make(struct grid *grid, const struct view *view, const struct spec *spec, size_t figure,
	      bool is_text);
void grid_free(struct grid *grid);

/* Check if the first value of a figure is better. An unknown value is never better, and
 * never worse. */
static inline bool grid_is_better(enum figure figure, double value, double other)
{
	return figures[figure].more_is_better ? value > other : value < other;
}

/* Return the value of a row's key. */
static inline const char *grid_name(const struct grid *grid, const struct grid_row *row,
				    size_t row_key)
{
	return grid->row_keys[row_key]->values[row->at[row_key]];
}

/* Return what a table shows of a record, in the unit of number_print; or NAN. */
double grid_value(const struct spec *spec, enum figure figure, const struct record *record);

#endif
