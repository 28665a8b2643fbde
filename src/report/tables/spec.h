/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contents of a table of --table. Its text is
 *
 *   [peak] FIGURE[,FIGURE]... [of PARTS] [by KEY] [with EXTRA]
 *
 * with the clauses in any order. Figures have the names that they have in conditions.
 */
#ifndef REPORT_TABLES_SPEC_H
#define REPORT_TABLES_SPEC_H

#include "base/error.h"
#include "report/view.h"

/* Max number of figures of a table. */
enum { SPEC_FIGURES = 16 };

/* Keys, by which the rows and columns of tables are told apart: first the axes of
 * --sweep, which have names of their own. Rows are sorted in this order. */
enum spec_key {
	SPEC_AXIS,
	SPEC_USERS,
	SPEC_LOAD,
	SPEC_PHASE,
	SPEC_OPERATION,
	SPEC_USER,
	SPEC_HOST,
	SPEC_RESULT, /* of several */
	SPEC_NONE,
};

enum spec_extra {
	SPEC_PLAIN,
	SPEC_CHANGE,  /* each column against the first one */
	SPEC_STEP,    /* ... against the one before it */
	SPEC_RATIO,   /* to the first one */
	SPEC_RANK,    /* of each column in its row or, without `by`, of each row */
	SPEC_BETTER,  /* below each column: the first row against the last one */
	SPEC_REPEATS, /* max, min, mean and standard deviation of the repeats */
};

struct spec {
	enum figure figures[SPEC_FIGURES];
	size_t figure_count;
	bool is_peak;        /* the best value of all user counts */
	enum spec_key parts; /* a row for each of these; SPEC_NONE: for the whole load */
	enum spec_key by;    /* a column for each value of this key; SPEC_NONE: per figure */
	char axis[128];      /* of SPEC_AXIS: its name */
	enum spec_extra extra;
	/* One that reports have without --table. Like the others that they have, it names
	 * rows first by their users, and by all axes. */
	bool is_usual;
	/* If not NULL: the table is about the phases of this load at valid points. A
	 * phase has a column only in the table of the first figure that is above 0. */
	const char *load;
};

/* Parse the text of a table. Return 0, or -EINVAL with `error` set. */
int spec_parse(const char *text, struct spec *spec, struct error *error);

/* Check if the records that the table shows are those of parts of this kind. */
static inline bool spec_has_part(const struct spec *spec, enum spec_key part)
{
	return spec->parts == part || spec->by == part;
}

/* Return the name of a key; of the parts of the rows: "phases". */
const char *spec_key_name(const struct spec *spec, enum spec_key key);
const char *spec_parts_name(const struct spec *spec);

/* Return the name of the part of this kind that a record is about; NULL: it is about
 * none. */
const char *spec_part_of(const struct record_key *key, enum spec_key part);

/* Check that the results of a view have the keys and the parts of a table. `text` is that
 * of the table. Parts are there if nothing was measured yet. Return 0, or -EINVAL with
 * `error` set. */
int spec_check(const struct spec *spec, const char *text, const struct view *view,
	       struct error *error);

/* Replace the tables of a run by these, up to a NULL; no list is a NULL. Parse each of
 * them. Return 0, or -errno with `error` set. */
int spec_set_tables(struct result_run *run, const char *const *texts, struct error *error);

/* Check that results have the keys and parts of the tables of the first one. Return 0, or
 * -errno with `error` set. */
int spec_check_tables(const struct result *results, size_t count, struct error *error);

#endif
