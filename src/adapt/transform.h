/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rewrite the program for the options that change the load. The options are not
 * needed afterwards: the operations show what is played.
 */
#ifndef ADAPT_TRANSFORM_H
#define ADAPT_TRANSFORM_H

#include "base/error.h"
#include "program/program.h"

/* How to play an open that was recorded with write-through. */
enum write_through {
	WRITE_THROUGH_HONOR,  /* with O_SYNC */
	WRITE_THROUGH_IGNORE, /* like any other open */
};

struct transform {
	bool drop_lookups;  /* --no-resolve */
	bool sync_opens;    /* --sync */
	bool sync_parents;  /* --sync-dirs */
	bool flush_writes;  /* --fsync */
	bool drop_patterns; /* --data: remove the WRITEPATTERN lines */
	/*
	 * Where a failure was recorded, accept any failure. Count mismatches,
	 * but let them end the run only if the op is an unlink, a rename, an
	 * rmdir or a write, after which the user's files would differ from the
	 * recorded ones, or if the open of the op's file had failed.
	 */
	bool forgive;
	bool pretend_io; /* read and write no data */
	bool stat_first; /* OP_STAT_FIRST for mkdir, rmdir, rename and create */
	/* Leave out writes of one byte that the file already has. */
	bool read_first;
	/* Shorten larger reads and writes to this size; 0: shorten none. */
	uint64_t io_bytes_cut;
	enum write_through write_through;
	/* --cap-io: split larger reads and writes; 0: split none. */
	uint64_t io_bytes_max;
	/* --speed: play the time stamps that many times as fast. INFINITY:
	 * remove them. 0: leave them as they are. */
	double speed;
	/* --rate, which replaces the time stamps and the SLEEP lines. */
	struct program_rate rate;
};

/*
 * Rewrite the program in place. A read or write of more than io_bytes_max
 * becomes several operations. Return 0, or -EINVAL, -ENOMEM or -EOVERFLOW with
 * `error` set: -EINVAL if options contradict each other or the program. After an
 * error the program can only be freed.
 */
int transform_program(struct program *program, const struct transform *transform,
		      struct error *error);

#endif
