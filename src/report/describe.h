/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describe a run in words: its load, targets, plan and machine, and the reasons
 * why points are invalid or have warnings.
 */
#ifndef REPORT_DESCRIBE_H
#define REPORT_DESCRIBE_H

#include "report/view.h"

/* The parts of a description, as bits. */
enum describe_part {
	DESCRIBE_LOAD = 1,    /* the load */
	DESCRIBE_TARGETS = 2, /* a line for each target */
	DESCRIBE_PLAN = 4,    /* unsupported operations, users, times, seed */
	DESCRIBE_ORIGIN = 8,  /* provenance: machine, version, command */
	DESCRIBE_LABEL = 16,  /* the user's name for the result */
	DESCRIBE_NOTES = 32,  /* the user's notes */
	DESCRIBE_ALL = 63,
};

/*
 * Callback for one line. `name` is a word in lower case, such as "target";
 * `text` is not escaped. Both are valid only during the call.
 */
typedef void describe_line(void *context, const char *name, const char *text);

/* Describe these parts of a run, without lines that would be empty. */
void describe_run(const struct result_run *run, unsigned parts, describe_line *line, void *context);

/* Return why a point is invalid (describe_invalid), or its warnings
 * (describe_warnings). */
typedef const struct notices *describe_kind(const struct result_point *point);
describe_kind describe_invalid, describe_warnings;

/*
 * Merge the notices of one kind of all points: append each once to `merged`, with
 * the results and the user counts that it applies to: "base and new at 2, 8 to 16
 * users: only 0.40 s were measured, ...". Merge warnings that differ only
 * in their numbers, and keep the range of each number: "0.40 to 0.45 s".
 *
 * The sides have a result and, if there are several, a name.
 */
void describe_notices(const struct view_side *sides, size_t count, describe_kind *kind,
		      struct notices *merged);

#endif
