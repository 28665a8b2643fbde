/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fit a program to the capabilities of its targets, before any fork: each
 * operation is played, emulated or skipped, and the report lists the changes.
 */
#ifndef PROGRAM_FIT_H
#define PROGRAM_FIT_H

#include "base/capability.h"
#include "program/program.h"

/* How an operation that the targets do not fully support is handled. */
enum fit_how {
	FIT_SKIPPED,  /* not played, but counted as skipped */
	FIT_DEGRADED, /* played without the unsupported part */
	FIT_EMULATED, /* other operations are played in its place */
};

struct fit_entry {
	uint8_t label;      /* of the program */
	enum fit_how how;
	const char *cannot; /* the unsupported capability: "fsync" ... */
	uint64_t ops;       /* per loop of the load */
};

struct fit_report {
	uint64_t ops; /* per loop of the load, without the control lines */
	struct fit_entry *entries;
	size_t count;
};

/*
 * Rewrite the program for targets with the capabilities `able` (enum
 * capability). Operations keep their numbers. Returns 0 or -ENOMEM. Free the
 * report with fit_free() in any case.
 */
int fit_program(struct program *program, unsigned able,
		struct fit_report *report);
void fit_free(struct fit_report *report);

/* Return the number of operations per loop that are handled in this way. */
uint64_t fit_count(const struct fit_report *report, enum fit_how how);

#endif
