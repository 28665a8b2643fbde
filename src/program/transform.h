/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rewrite the program for options that change the load, so that its operations
 * always show what is played.
 */
#ifndef PROGRAM_TRANSFORM_H
#define PROGRAM_TRANSFORM_H

#include "base/error.h"
#include "program/program.h"

/* How to play an open that was recorded with write-through. */
enum write_through {
	WRITE_THROUGH_HONOR,  /* open the file with O_SYNC */
	WRITE_THROUGH_IGNORE, /* open it like any other file */
	WRITE_THROUGH_ALWAYS, /* open every file with O_SYNC */
};

struct transform {
	bool drop_lookups;   /* --no-resolve */
	bool sync_opens;     /* --sync */
	bool sync_parents;   /* --sync-dirs */
	bool flush_writes;   /* --fsync */
	bool drop_patterns;  /* remove WRITEPATTERN lines: --data was given */
	/*
	 * Distinguish outcomes by success and failure only. Count mismatches;
	 * only the mismatch of a removal, a rename or a write ends the run,
	 * since the user's files then differ from the recorded ones.
	 */
	bool forgive;
	bool pretend_io; /* read and write no data */
	bool stat_first; /* leave out pointless creations and removals */
	bool read_first; /* don't write single bytes that are already there */
	uint64_t io_bytes_cut; /* max bytes moved by an operation; 0: all */
	enum write_through write_through;
	uint64_t io_bytes_max; /* --cap-io: split into parts; 0: as recorded */
};

/*
 * Rewrite the program in place. A read or write of more than io_bytes_max
 * becomes several. Returns 0, or -ENOMEM or -EOVERFLOW with `error` set; the
 * program may then be partly rewritten and can only be freed.
 */
int transform_program(struct program *program,
		      const struct transform *transform, struct error *error);

#endif
