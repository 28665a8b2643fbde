/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check after a crash whether the targets still have what a run has flushed
 * (crash/state.h).
 */
#ifndef SWEEP_RECHECK_H
#define SWEEP_RECHECK_H

#include "crash/check.h"
#include "target/target.h"

enum recheck_end {
	RECHECK_DONE, /* the report has the findings */
	/* The state or a target is unusable, or a target has no directory of a
	 * run at all: the report is not complete. */
	RECHECK_REFUSED,
	RECHECK_LOST, /* a target was lost */
};

struct recheck {
	struct state state;
	struct state_report report; /* of all users so far */
	uint64_t users;             /* number of users with files that were checked */
};

/*
 * Read the state file `path` and check the files of all its users on the
 * targets, which are those of the run, in the same order. Each user is checked
 * in a process of its own. If the end is not RECHECK_DONE, `error` is set. Call
 * recheck_free in any case.
 */
enum recheck_end recheck_run(struct recheck *recheck, const char *path,
			     const struct target *targets, unsigned count, struct error *error);

/* Check that saving a state in `path` destroys nothing: state_check_place. */
int recheck_check_place(const char *what, const char *path, struct error *error);

void recheck_free(struct recheck *recheck);

#endif
