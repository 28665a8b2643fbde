/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run files below a target: whose they are, and whether their runs are
 * alive. It only reads, but for survey_remove.
 */
#ifndef WORKDIR_SURVEY_H
#define WORKDIR_SURVEY_H

#include "workdir/rundir.h"

enum {
	SURVEY_NAMES_MAX = 10000, /* names that are listed when a run starts */
	SURVEY_RUNS_MAX = 100     /* run files that are read */
};

enum survey_state {
	SURVEY_RUNNING, /* the run is alive */
	SURVEY_DEAD,    /* it is not */
	SURVEY_UNKNOWN, /* it is on another machine, or in another namespace */
	SURVEY_COPY,    /* the directory is not the one that the run has made */
	SURVEY_DAMAGED, /* this is no run file, or it cannot be read */
	SURVEY_STATES
};

/* The words for the states. */
extern const char *const survey_states[SURVEY_STATES];

struct survey_entry {
	struct run_file file;
	enum survey_state state;
	/* If not 0, SURVEY_COPY says no more than that the directory is on this
	 * file system, not on the one in the run file (rundir_check). */
	uint64_t device;
};

struct survey {
	struct survey_entry entries[SURVEY_RUNS_MAX];
	unsigned count;
	bool cut; /* there are more names than were listed or read */
};

/* List the run files among up to `names_max` names of the target on which the
 * tree has a session, as seen by the run `self`. Return 0 or -errno. */
int survey_take(struct tree *tree, const struct identity *self, unsigned names_max,
		struct survey *survey);

/*
 * Find another run that has listed one of these users' directories as its own,
 * in the directory of --workdir. Return its run file or NULL.
 */
const struct run_file *survey_find_users(const struct survey *survey, const struct run_file *file);

/*
 * Remove what a dead run has left; with `force`, also a run whose state is
 * unknown. Return 0, or -errno with `error` set: nothing was removed if the run
 * may be alive, if the run file belongs to another account, or if the directory
 * is not the one that the run has made. Where files have no locks, servers may
 * change or hide owners. There `force` is needed if the owner is another one,
 * and also if he is unknown and the run file names a directory of --workdir;
 * and `force` accepts a directory on another file system (rundir_check).
 */
int survey_remove(struct tree *tree, const struct target *target, const char *name,
		  const struct identity *self, bool force, struct error *error);

#endif
