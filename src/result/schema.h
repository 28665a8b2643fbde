/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables that describe struct result. A row describes one value: its key in a
 * result file, its offset in the structure, its unit and its bounds. json.h
 * writes the rows in their order, read.h reads them, schema_free() frees what
 * they refer to. figures.h describes the figures, which are in lists of flat
 * rows (lists.h).
 */
#ifndef RESULT_SCHEMA_H
#define RESULT_SCHEMA_H

#include "result/json_cursor.h"
#include "result/result.h"

struct json_list;

/* Decimal numbers of up to this many digits survive conversion to a double and
 * back (DBL_DIG). */
enum { SCHEMA_DIGITS = 15 };

enum schema_kind {
	SCHEMA_END, /* after the last row */
	/* Single values. The comment gives the type in the record. */
	SCHEMA_NAME,    /* the schema's name, words[0]; not in the record */
	SCHEMA_TEXT,    /* char *; with make(), the record has no member */
	SCHEMA_CHARS,   /* char[size] */
	SCHEMA_STAMP,   /* char[32], ISO 8601 */
	SCHEMA_TRUTH,   /* bool */
	SCHEMA_EITHER,  /* bool, as one of two words */
	SCHEMA_WORD,    /* an enum, as one of the words */
	SCHEMA_COUNT,   /* uint64_t */
	SCHEMA_SIZE,    /* size_t */
	SCHEMA_NUMBER,  /* unsigned */
	SCHEMA_REAL,    /* double; left out unless it is finite */
	SCHEMA_TIME,    /* uint64_t, nanoseconds */
	SCHEMA_NOTICES, /* struct notices, as a list of objects */
	/* Composites; the rows in `of` describe their parts. */
	SCHEMA_OBJECT,  /* a structure, or a pointer to one of `size` bytes */
	SCHEMA_LIST,    /* an array, as a list; `of` is one row per element */
	SCHEMA_COLUMNS, /* an array of structures, as one list per member */
	SCHEMA_PAIRS,   /* an array of char *[2], as keys with string values */
	/* A list that print() writes and read() reads. If it is SCHEMA_KNOWN, a size_t
	 * at the offset is not 0 unless it is left out. */
	SCHEMA_ROWS,
};

enum schema_presence {
	SCHEMA_ALWAYS,
	/* Left out if it is 0, NULL, "" or an empty list (unknown). In the
	 * lists of COLUMNS, null is written instead. */
	SCHEMA_KNOWN,
	SCHEMA_UNLESS_MAX, /* left out if it is UINT64_MAX (unknown) */
	SCHEMA_IF_VALID,   /* left out if the measurement is invalid */
};

/* A table ends with a row of kind SCHEMA_END. */
struct schema_row {
	/* The name in the file. NULL: write the members of an OBJECT or COLUMNS
	 * directly into the surrounding object. Rows of list elements have no
	 * key, either. */
	const char *key;
	enum schema_kind kind;
	enum schema_presence presence;
	size_t offset; /* in the record */

	/* Bounds of a value, or of the number of elements. If max is 0, only
	 * the reader's default bound applies. */
	double min, max;
	bool below; /* a REAL must be below max, not equal to it */
	/* The unit in which the file has a time, in ns: 1e6 for ms. */
	double unit_ns;
	int digits;               /* significant digits of a number; 0: see schema_shown */
	const char *const *words; /* ends with NULL */

	const struct schema_row *of;
	size_t count_at; /* offset of the size_t that counts the elements */
	/* Bytes of an array's element, of CHARS, or of the structure that an
	 * OBJECT's pointer points to. */
	size_t size;

	/* Written but not read: recomputed from other values. */
	bool derived;
	/* If set, returns the address of the OBJECT to write, or NULL if there
	 * is none. The reader puts the OBJECT at `offset`; it skips a row that
	 * has no OBJECT, unless the row is SCHEMA_KNOWN. */
	const void *(*find)(const void *record);
	/* If set, returns the text for the file, which the caller frees, or
	 * NULL if there is none. */
	char *(*make)(const void *record);
	/* If set, checks the values that were read for consistency, and fills
	 * in missing ones. `record` is the OBJECT itself, or the record that
	 * holds the LIST. */
	void (*check)(const struct json_cursor *cursor, void *record);
	/* For SCHEMA_ROWS: print the list, and read it into the record. */
	void (*print)(const void *record, struct json_list *list);
	void (*read)(const struct json_cursor *list, void *record);
};

/* The tables of the structures with these names; schema_pair is the table of a
 * char *[2]. */
extern const struct schema_row schema_result[], schema_variant[], schema_measurement[],
	schema_point[], schema_series[], schema_histogram[], schema_difference[], schema_try[],
	schema_rate[], schema_reasons[], schema_pair[];

/* Return the elements of a row that is a LIST, COLUMNS or PAIRS. */
static inline char *schema_elements(const struct schema_row *row, const void *record, size_t *count)
{
	*count = *(const size_t *)((const char *)record + row->count_at);
	return *(char *const *)((const char *)record + row->offset);
}

/* Return the number at `at` in the record: a COUNT, SIZE, NUMBER or REAL, or a
 * TIME in nanoseconds. */
double schema_number(const struct schema_row *row, const void *at);

/*
 * Return the number at `at` as a file shows it: in the file's unit, rounded to
 * the row's digits or to a multiple of 1e-6. Write it with SCHEMA_DIGITS.
 */
double schema_shown(const struct schema_row *row, const void *at);

/* Check if a row is a list that print() writes, or an object with such lists. */
bool schema_has_lists(const struct schema_row *row);

/* Free everything that the record's members point to, but not the record. */
void schema_free(const struct schema_row *rows, void *record);

#endif
