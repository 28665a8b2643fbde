/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits a program to what its targets can do, before anything is forked: each
 * operation is played, played by an emulation, or skipped, and the report says
 * so.
 */
#ifndef PROGRAM_FIT_H
#define PROGRAM_FIT_H

#include "program/program.h"

/* What targets can do and some cannot. */
enum ability {
	ABLE_FSYNC = 1 << 0,
	ABLE_SYNC_OPENS = 1 << 1,
	ABLE_SYNC_PARENTS = 1 << 2,
	ABLE_LOCKS = 1 << 3,
	ABLE_LINKS = 1 << 4,
	ABLE_SYMLINKS = 1 << 5,
	ABLE_PROCEDURES = 1 << 6,
	ABLE_LOCK_PROCEDURES = 1 << 7,
	ABLE_TRANSACTIONS = 1 << 8,
};
#define ABLE_ALL ((1u << 9) - 1)

/* What becomes of an operation. */
enum fit_how {
	FIT_SKIPPED,  /* it is not played, but counted as skipped */
	FIT_WEAKENED, /* it is played without what the target lacks */
	FIT_STAND_IN, /* other operations are played in its place */
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
 * Rewrites the program for targets that are able to do `able` (enum ability).
 * Numbers of operations stay as they are. Returns 0, or -ENOMEM. The report is
 * freed with fit_free, in any case.
 */
int fit_program(struct program *program, unsigned able,
		struct fit_report *report);
void fit_free(struct fit_report *report);

/* How many of a loop's operations that befalls. */
uint64_t fit_count(const struct fit_report *report, enum fit_how how);

#endif
