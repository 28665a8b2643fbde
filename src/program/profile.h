/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Totals of a program that is played once, computed without playing it: loops
 * are multiplied, not unrolled.
 */
#ifndef PROGRAM_PROFILE_H
#define PROGRAM_PROFILE_H

#include "base/error.h"
#include "program/program.h"

/* The totals of one label. */
struct profile_label {
	uint64_t ops;
	uint64_t bytes;    /* read or written, as recorded */
	uint64_t open_reads; /* reads of unrecorded size, not in `bytes` */
	uint64_t failures; /* recorded as anything but OK */
};

struct profile {
	uint64_t ops; /* without the control lines */
	uint64_t read_bytes, write_bytes; /* as recorded */
	uint64_t open_reads; /* reads of unrecorded size, not in read_bytes */
	uint64_t failures;
	/* Fsyncs, flushed or stable writes, commits and O_SYNC opens. */
	uint64_t synced;
	size_t paths; /* number of distinct paths in the loadfile */
	uint32_t peak_handles;
	/* Max bytes in a user's files during one loop, without holes. The
	 * effect of computed offsets, appends and random names is estimated. */
	uint64_t footprint_bytes;
	/*
	 * The first op after the prologue, which ends where the footprint
	 * first reaches 85 % of its peak, but never inside a loop. 0 if a user
	 * would wait for others in the prologue (WAITSP).
	 */
	size_t prologue_end;
	struct profile_label labels[PROGRAM_LABELS_MAX];
};

/*
 * Compute the profile. Returns 0, or -errno with `error` set: -ENOMEM, or
 * -EOVERFLOW if the loops multiply to more than can be counted.
 */
int profile_make(const struct program *program, struct profile *profile,
		 struct error *error);

#endif
