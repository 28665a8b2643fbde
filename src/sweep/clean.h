/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * List and remove what runs have left at a target (workdir/survey.h), for throng
 * clean. All work is done in helper processes.
 */
#ifndef SWEEP_CLEAN_H
#define SWEEP_CLEAN_H

#include "target/target.h"
#include "workdir/survey.h"

struct clean {
	const struct target *target;
	struct identity self;
	struct survey *survey; /* in shared memory */
};

/* Prepare to clean a target. Return 0, or -errno with `error` set. Call
 * clean_close in any case. */
int clean_open(struct clean *clean, const struct target *target, struct error *error);

/* List the runs of the target in clean->survey. Return 0, or -errno with `error`
 * set. */
int clean_list(const struct clean *clean, struct error *error);

/* Remove what a run has left, as survey_remove does. */
int clean_remove(const struct clean *clean, const char *name, bool force, struct error *error);

void clean_close(struct clean *clean);

#endif
