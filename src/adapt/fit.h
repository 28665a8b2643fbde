/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fit a program to the capabilities of its targets, before any fork. Operations
 * that the targets do not fully support are skipped, degraded or emulated, and
 * the report lists them.
 */
#ifndef ADAPT_FIT_H
#define ADAPT_FIT_H

#include "program/program.h"
#include "words/capability.h"

/* How an operation that the targets do not fully support is handled. */
enum fit_how {
	FIT_SKIPPED,  /* not played, but counted as skipped */
	FIT_DEGRADED, /* played without the unsupported part */
	FIT_EMULATED, /* played by means of other operations */
};

struct fit_entry {
	uint8_t label; /* index into program->labels */
	enum fit_how how;
	const char *capability; /* the missing one, such as "fsync" */
	/* Mean number of such operations per loop of the load, which a branch
	 * of a MIX may make less than 1; 0: only the set-up has them, or a LOOP
	 * of 0 rounds. */
	double ops;
};

struct fit_report {
	/* Mean number of operations per loop of the load, not counting control
	 * lines. */
	double ops;
	bool played; /* some operation of the loop is not skipped */
	/* The capability that the first skipped operation of the loop needs;
	 * NULL: none is skipped. */
	const char *skipped;
	struct fit_entry *entries;
	size_t count;
};

/*
 * Rewrite the program for targets with the capabilities `able`, bits of enum
 * capability. Operations keep their indexes. Return 0 or -ENOMEM. Free the
 * report with fit_free() in both cases.
 */
int fit_program(struct program *program, unsigned able, struct fit_report *report);
void fit_free(struct fit_report *report);

#endif
