/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile of a program: its totals, computed without playing it. Loops are
 * multiplied, not unrolled.
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
	/* Ops that were recorded as failures (they do not accept OK). */
	uint64_t failures;
};

struct profile {
	uint64_t ops;                     /* not counting control lines */
	uint64_t read_bytes, write_bytes; /* as recorded */
	uint64_t open_reads; /* reads of unrecorded size, not in read_bytes */
	uint64_t failures;
	/* Number of fsyncs, fdatasyncs, commits, O_SYNC and O_DIRECT opens,
	 * flushed or stable writes, and flushes of directories. */
	uint64_t synced;
	size_t paths; /* number of distinct paths in the loadfile */
	uint32_t peak_handles;
	/* Max bytes in one user's files during one loop of the load, without
	 * holes. Estimated for computed offsets, appends and random names. */
	uint64_t footprint_bytes;
	/*
	 * Index of the first op after the prologue. The prologue ends where the
	 * footprint first reaches 85 % of its peak. If that is inside a loop,
	 * the prologue ends after the loop, or before it if the loop is more
	 * than half of the load. 0: there is no prologue, for example because
	 * it would contain a WAITSP, or because the load has phases.
	 */
	size_t prologue_end;
	struct profile_label labels[PROGRAM_LABELS_MAX];
};

/*
 * Compute the profile. Return 0, or -ENOMEM or -EOVERFLOW with `error` set. An
 * overflow means that nested loops give totals that no real load reaches.
 */
int profile_make(const struct program *program, struct profile *profile,
		 struct error *error);

#endif
