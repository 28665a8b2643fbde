/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one description of a result: each value's key in a result file, where it
 * lies in the structure, its unit and its bounds; and of figures also how
 * repeats combine and what other formats call them.
 *
 * Everything that goes through all of a result follows these rows: json.h
 * writes them, read.h reads them, result_free() frees them, summary.h combines
 * them, and metric.h, csv.h and gobench.h find the figures in them. The order
 * of the rows is that of the file.
 */
#ifndef RESULT_SCHEMA_H
#define RESULT_SCHEMA_H

#include "result/json_cursor.h"
#include "result/result.h"

/* Every decimal number of this many digits is another double. */
enum { SCHEMA_DIGITS = 15 };

enum schema_kind {
	SCHEMA_END, /* after the last row */
	/* Values, and how the record holds them. */
	SCHEMA_NAME,     /* of the schema: words[0]; not held */
	SCHEMA_TEXT,     /* char *, or what make() returns */
	SCHEMA_CHARS,    /* char[size] */
	SCHEMA_STAMP,    /* char[32], ISO 8601 */
	SCHEMA_TRUTH,    /* bool */
	SCHEMA_EITHER,   /* bool, as one of two words */
	SCHEMA_WORD,     /* an enum, as one of the words */
	SCHEMA_COUNT,    /* uint64_t */
	SCHEMA_SIZE,     /* size_t */
	SCHEMA_NUMBER,   /* unsigned */
	SCHEMA_REAL,     /* double; left out unless it is finite */
	SCHEMA_TIME,     /* uint64_t, nanoseconds */
	SCHEMA_MEAN,     /* double, nanoseconds */
	SCHEMA_VALIDITY, /* struct result_reasons: true if there are none */
	/* Composites of other rows, `of`. */
	SCHEMA_OBJECT,  /* a structure, or a pointer to one of `size` bytes */
	SCHEMA_LIST,    /* an array, as a list; `of` is an element's one row */
	SCHEMA_COLUMNS, /* an array of structures, as a list for each member */
	SCHEMA_PAIRS,   /* an array of char *[2], as keys and texts */
};

enum schema_presence {
	SCHEMA_ALWAYS,
	SCHEMA_KNOWN, /* left out if 0, NULL, "" or empty; null in COLUMNS */
	SCHEMA_UNLESS_MAX, /* left out if UINT64_MAX */
	SCHEMA_IF_VALID,   /* left out if the measurement is not valid */
	SCHEMA_NEVER,      /* not in the file */
};

/* How the figure of a point follows from those of its repeats. */
enum schema_combine {
	COMBINE_NOT,
	COMBINE_SUM,
	COMBINE_MEDIAN,
	COMBINE_MEDIAN_KNOWN, /* of those that are not 0 */
	COMBINE_MAX,
};

/* The further columns of a row that is a figure. */
struct schema_figure {
	const char *metric; /* its name in conditions; NULL: none */
	const char *also;   /* another spelling, or NULL */
	const char *unit;   /* of the metric: "MB/s", "ms", "%"; "": a count */
	const char *heading; /* in tables; NULL: the metric and its unit */
	double factor;      /* from the file's value to the metric; 0: 1 */
	bool more_is_better;
	/* The metric of one operation, where its rows do not have it. */
	double (*of_operation)(const struct result_figures *figures,
			       const struct result_operation *operation);
	unsigned column; /* in CSV, from 1; 0: it has none */
	const char *csv; /* that column's name */
	const char *gobench; /* the unit there; NULL: not there */
};

/* Unnamed members are 0. Rows end with SCHEMA_END. */
struct schema_row {
	/* NULL: the members of an OBJECT or of COLUMNS are written into the
	 * object around it. An element of a list has none, either. */
	const char *key;
	enum schema_kind kind;
	enum schema_presence presence;
	size_t offset; /* in the record */

	/* Bounds of values, or of the number of elements; max 0: the widest. */
	double min, max;
	bool below; /* a REAL has to be below max, too */
	/* Unit of a time in the file: 1e6 for ms. For a REAL: its unit. */
	double unit_ns;
	int digits; /* significant ones of a number; 0: see schema_shown */
	const char *const *words; /* ended by NULL */

	const struct schema_row *of;
	size_t count_at; /* where in the record a list's size_t is */
	size_t size; /* bytes of an element, of CHARS, or behind a pointer */

	/* Written but not read: it follows from something else. */
	bool derived;
	/* Where the OBJECT is, if not at the offset; NULL: there is none. */
	const void *(*find)(const void *record);
	/* The text, to be freed; NULL: there is none. */
	char *(*make)(const void *record);
	/*
	 * Refuses what was read if it does not fit together, and completes it:
	 * an OBJECT, or the record that has the LIST.
	 */
	void (*check)(const struct json_cursor *cursor, void *record);

	enum schema_combine combine;
	const struct schema_figure *figure; /* NULL: it is none */
};

/* The rows of the structures with these names, and of a char *[2]. */
extern const struct schema_row schema_result[], schema_point[],
	schema_repeat[], schema_figures[], schema_operation[],
	schema_reasons[], schema_pair[];

/* Return the elements of a row that is a LIST, COLUMNS or PAIRS. */
static inline char *schema_elements(const struct schema_row *row,
				    const void *record, size_t *count)
{
	*count = *(const size_t *)((const char *)record + row->count_at);
	return *(char *const *)((const char *)record + row->offset);
}

/* A figure's row and where it lies, from the record that was asked about. */
struct schema_place {
	const struct schema_row *row;
	size_t offset;
};

/* No record has more figures. */
enum { SCHEMA_PLACES = 48 };

/* List the figures in the rows and their objects. Returns how many. */
size_t schema_list_figures(const struct schema_row *rows,
			   struct schema_place places[SCHEMA_PLACES]);

/* List those that have a column, in the order of their columns. */
size_t schema_list_columns(const struct schema_row *rows,
			   struct schema_place places[SCHEMA_PLACES]);

/* Find one of them. Returns a row that is NULL: it is not there. */
struct schema_place schema_find_figure(const struct schema_row *rows,
				       const struct schema_figure *figure);

/* Return true if a figure is always known, or has another value than 0. */
bool schema_is_known(const struct schema_row *row, const void *at);

/*
 * Return a number as the record holds it: a COUNT, SIZE, NUMBER or REAL, or a
 * TIME or MEAN in nanoseconds.
 */
double schema_number(const struct schema_row *row, const void *at);

/* The same in the file's unit. */
double schema_in_unit(const struct schema_row *row, const void *at);

/*
 * Return it as the file has it: with the row's digits, or in steps of 1e-6 (a
 * mean: 1e-9), to be written with SCHEMA_DIGITS.
 */
double schema_shown(const struct schema_row *row, const void *at);

/*
 * Round a record's numbers to what a file holds of them, so that a result that
 * is read again is the same, and so is what follows from it.
 */
void schema_round(const struct schema_row *rows, void *record);

/* Free what the record's rows point to, but not the record. */
void schema_free(const struct schema_row *rows, void *record);

#endif
