/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user's commands around the turns of a run: --before, --after and those of
 * compare. Those of --sample have the same variables.
 */
#ifndef SWEEP_COMMANDS_H
#define SWEEP_COMMANDS_H

#include "sweep/steps.h"
#include "workdir/identity.h"

struct commands {
	uint64_t begin_ns; /* the start of the run */
	/* Max time of the run, counted from its start, after which a command is
	 * killed; CLOCK_NEVER: no limit. */
	uint64_t time_max_ns;
	uint64_t longest_ns; /* max time that a command has taken */
	/* Variables for the commands of the turn: "NAME=VALUE", ended by NULL. */
	char **variables;
};

/*
 * Set the variables for the turn that begins with this step: THRONG_DIRECTORY,
 * where the run plays on its first target; THRONG_USERS, if this is the turn's
 * only step; and those of axes. Return 0, or -ENOMEM with `error` set.
 */
int commands_set(struct commands *commands, const struct steps *steps, const struct step *step,
		 const struct identity *run, struct error *error);

/*
 * Run a command, unless it is NULL; `option` set it. Kill it if it runs longer
 * than the rest of the run's time, but give it at least 10 s, and twice the
 * time of the longest command so far. Return 0, or < 0 with `error` set.
 */
int commands_run(struct commands *commands, const char *text, const char *option,
		 struct error *error);

void commands_free(struct commands *commands);

#endif
