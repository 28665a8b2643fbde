/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options that change the load, as rewrites of the program: what is played
 * stays plain to see in the operations.
 */
#ifndef PROGRAM_TRANSFORM_H
#define PROGRAM_TRANSFORM_H

#include "base/error.h"
#include "program/program.h"

/* What becomes of an open that was recorded with write-through. */
enum write_through {
	WRITE_THROUGH_HONOR,  /* it is opened with O_SYNC */
	WRITE_THROUGH_IGNORE, /* it is opened like any other */
	WRITE_THROUGH_ALWAYS, /* and so is every other file */
};

struct transform {
	bool drop_lookups;   /* --no-resolve */
	bool sync_opens;     /* --sync */
	bool sync_parents;   /* --sync-dirs */
	bool flush_writes;   /* --fsync */
	bool drop_patterns;  /* WRITEPATTERN lines give way to --data */
	/*
	 * Outcomes are told apart by success and failure alone; what does not
	 * match is counted, and only what changes the user's files otherwise
	 * than recorded ends the run: a removal, a renaming or a write.
	 */
	bool forgive;
	bool pretend_io; /* no data is read or written */
	bool stat_first; /* pointless makings and removals are left out */
	bool read_first; /* single bytes that are there are not written */
	uint64_t io_bytes_cut; /* what is more is not moved; 0: all of it */
	enum write_through write_through;
	uint64_t io_bytes_max; /* --cap-io; 0: as recorded */
};

/*
 * Rewrites the program in place. A read or write of more than io_bytes_max
 * becomes several. Returns 0, or -ENOMEM or -EOVERFLOW with `error` set; the
 * program is then as it was or partly rewritten, and only to be freed.
 */
int transform_program(struct program *program,
		      const struct transform *transform, struct error *error);

#endif
