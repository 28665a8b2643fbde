/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits a program to what its targets can do, before anything is forked: each
 * operation is played, played by an emulation, or skipped, and the report says
 * so.
 */
#ifndef PROGRAM_FIT_H
#define PROGRAM_FIT_H

#include "base/capability.h"
#include "program/program.h"

/* What becomes of an operation. */
enum fit_how {
	FIT_SKIPPED,  /* it is not played, but counted as skipped */
	FIT_DEGRADED, /* it is played without what the target cannot do */
	FIT_EMULATED, /* other operations are played in its place */
};

struct fit_entry {
	uint8_t label;      /* of the program */
	enum fit_how how;
	const char *cannot; /* "fsync", "locks" ... */
	uint64_t ops;       /* a loop of the load */
};

struct fit_report {
	uint64_t ops; /* a loop of the load, without the control lines */
	struct fit_entry *entries;
	size_t count;
};

/*
 * Rewrites the program for targets that can do `able` (enum capability).
 * Numbers of operations stay as they are. Returns 0, or -ENOMEM. The report is
 * freed with fit_free, in any case.
 */
int fit_program(struct program *program, unsigned able,
		struct fit_report *report);
void fit_free(struct fit_report *report);

/* How many of a loop's operations that befalls. */
uint64_t fit_count(const struct fit_report *report, enum fit_how how);

#endif
