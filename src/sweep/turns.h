/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns: measurements with the user's commands around them, such as those of
 * --before and --after. A turn claims its targets after its first command, and
 * has cleaned them up before its last one, so a command may start and stop a
 * server, or make and mount the file system of a target.
 */
#ifndef SWEEP_TURNS_H
#define SWEEP_TURNS_H

#include "sweep/sweep.h"

/* State that is common to all turns of a run. */
struct turns {
	uint64_t begin_ns; /* the start of the run */
	/* Max time of the run, counted from its start, after which a command is
	 * killed; CLOCK_NEVER: no limit. */
	uint64_t time_max_ns;
	uint64_t longest_command_ns; /* max time that a command has taken */
};

struct turn {
	const char *before, *after; /* the commands; NULL: none */
	const char *option;         /* the option that set `before`, for messages */
	/* Number of users for the commands' variable THRONG_USERS; 0: don't
	 * set it. */
	unsigned users;
};

/* Return turns that start now. */
struct turns turns_begin(uint64_t time_max_ns);

/*
 * Run the command `before`, measure with sweep_run, then run `after`. If
 * `before` fails, measure nothing, but still run `after`: it may have to stop
 * what `before` has started. Return SWEEP_REFUSED with `error` set if nothing
 * was measured. If `after` fails, report it and return SWEEP_INVALID.
 */
enum sweep_end turns_take(struct turns *turns, const struct turn *turn, const struct sweep *sweep,
			  const struct sweep_observer *observer, struct error *error);

/*
 * Make all measurements of a sweep, each in a turn of its own with the commands
 * `before` and `after`, whose variable THRONG_USERS is its number of users. If
 * both are NULL, do the same as sweep_run. If a turn other than the first one
 * is refused, report the error and return SWEEP_INVALID.
 */
enum sweep_end turns_run(const struct sweep *sweep, const char *before, const char *after,
			 const struct sweep_observer *observer, struct error *error);

#endif
