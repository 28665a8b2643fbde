/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run file: it stands beside the directory that a run has made below a
 * target, and says which run that is and what it has made. It is the first
 * thing that a run makes there, and the last one that it removes. A live run
 * keeps it locked where the target supports that.
 *
 * Anybody may have written or changed a run file, so all of it is checked, and
 * its texts are escaped before they are shown.
 */
#ifndef WORKDIR_RUN_FILE_H
#define WORKDIR_RUN_FILE_H

#include "target/tree.h"
#include "workdir/identity.h"

#include <limits.h>

/* The size of a buffer for the name of a run's directory, "throng-7f3a9c2e". */
enum { RUN_NAME_SIZE = sizeof("throng-01234567") };

/* The ending of a run file's name, after the name of the run's directory. */
#define RUN_FILE_ENDING ".run"

/* A buffer that is large enough for a time stamp, such as
 * 2026-11-26T10:31:07Z. */
enum { RUN_BEGUN_SIZE = 24 };

/* Write a time stamp: seconds since the epoch, in UTC. The texts are in the
 * order of time. */
void run_file_print_time(int64_t seconds, char text[RUN_BEGUN_SIZE]);

/* Plain data, without pointers: it goes from one process to another. */
struct run_file {
	char name[RUN_NAME_SIZE]; /* of the run's directory */
	struct identity run;
	char begun[RUN_BEGUN_SIZE]; /* when the run claimed the target, in UTC */
	bool locked;                /* the run keeps a lock on the file while it lives */
	bool kept;                  /* the run leaves its files on purpose */
	/* The name of --workdir, "." for the target itself; "": the run has a
	 * directory of its own, named `name`. */
	char workdir[NAME_MAX + 1];
	/* The run made its directory, or `workdir`. A private directory counts
	 * as made unless it is known to be somebody else's. */
	bool made;
	/* With `workdir`, the users whose directories the run makes. */
	unsigned first_user, users;
	/* The directory, as the target numbers it (struct backend_file); 0:
	 * unknown. */
	uint64_t device, inode, generation;
	/* All of this was made. If the run was killed before, the file is not
	 * complete, and the directories are empty. */
	bool complete;
	/* Not in the file: the account that has written it. */
	enum backend_owner owner;
};

/* The parts of a run file, in the order in which they are written. */
enum run_file_part {
	RUN_FILE_FIRST, /* all up to `workdir`: when the file is created */
	RUN_FILE_MADE,  /* `made` and `users`: before the users' directories */
	RUN_FILE_LAST,  /* the rest */
	RUN_FILE_PARTS
};

/*
 * Check if `entry`, a name from a listing, is that of a run file, also if the
 * server lists names in capitals. Then write the name of the run's directory.
 */
bool run_file_is_name(const char *entry, char name[RUN_NAME_SIZE]);

/* Write a name for the directory of a run: the part of its id with this number,
 * 0 to 3. */
void run_name_of(const struct identity *run, unsigned part, char name[RUN_NAME_SIZE]);

/* Check if `name` is that of a run's directory, also in capitals. */
bool run_name_is_valid(const char *name);

/* Write the path of the run file that belongs to a run's directory. */
void run_file_path(const char *name, char path[RUN_NAME_SIZE + sizeof(RUN_FILE_ENDING)]);

/* Return the component below the target in which the run plays: its directory,
 * or the name of --workdir; "" for the target itself. */
const char *run_file_directory(const struct run_file *file);

/*
 * Read the run file of the directory `name`. Return 0, -ENOENT if there is
 * none, -EINVAL if it is not a run file, or -errno. If file->complete is false,
 * the file has no end: the run is about to write it, or was killed before it
 * could.
 */
int run_file_read(struct tree *tree, const char *name, struct run_file *file);

/* Write a part of the file at *offset, and move the offset to its end. Return 0
 * or -errno. */
int run_file_write(struct tree *tree, int64_t handle, const struct run_file *file,
		   enum run_file_part part, uint64_t *offset);

#endif
