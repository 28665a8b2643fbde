/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run in words: its load, targets, plan and machine, and the reasons not to
 * trust its points. Text, page and comparisons print these lines, each in its
 * own form.
 */
#ifndef REPORT_DESCRIBE_H
#define REPORT_DESCRIBE_H

#include "result/result.h"

/* The parts of a description, in their order; several can be asked for. */
enum describe_part {
	DESCRIBE_LOAD = 1,    /* the load */
	DESCRIBE_TARGETS = 2, /* a line for each target */
	DESCRIBE_PLAN = 4,    /* unsupported operations, users, times, seed */
	DESCRIBE_ORIGIN = 8,  /* machine, version, command: where it comes from */
	DESCRIBE_ALL = 15,
};

/*
 * Takes one line: `name` is a word in lower case, such as "target"; `text` is
 * not yet escaped. Both are gone after the call.
 */
typedef void describe_line(void *context, const char *name, const char *text);

/* Describe these parts of a run; lines with nothing to say are left out. */
void describe_run(const struct result_run *run, unsigned parts,
		  describe_line *line, void *context);

/* Returns the point's reasons of one kind. */
typedef const struct result_reasons *
describe_kind(const struct result_point *point);
describe_kind describe_invalid, describe_warnings;

/*
 * Describe the reasons of one kind, each once, with the results and user counts
 * it holds for: "base and new at 2, 8 to 16 users: the window was short:
 * 0.40 s". Warnings that differ in their numbers only are one, with the range
 * of each number: "0.40 to 0.45 s". `names` are the results' names; NULL for a
 * single one. `name` is what each line is called.
 */
void describe_reasons(const struct result *const *results,
		      const char *const *names, size_t count,
		      describe_kind *kind, const char *name,
		      describe_line *line, void *context);

#endif
