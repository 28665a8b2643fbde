/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile of a program: its totals, computed without playing it. Loops are
 * multiplied, not unrolled.
 */
#ifndef STUDY_PROFILE_H
#define STUDY_PROFILE_H

#include "base/error.h"
#include "program/program.h"
#include "study/walk.h"

/* The totals of one label. */
struct profile_label {
	uint64_t ops;
	uint64_t bytes;      /* read or written, as recorded */
	uint64_t open_reads; /* reads of unrecorded size, not in `bytes` */
	/* Ops that were recorded as failures (they do not accept OK). */
	uint64_t failures;
};

/* The totals are those of a loop: they leave out the set-up, except for paths,
 * handles and footprint. */
struct profile {
	struct setup setup;
	uint64_t setup_ops;
	uint64_t ops;                     /* not counting control lines */
	uint64_t read_bytes, write_bytes; /* as recorded */
	uint64_t open_reads;              /* reads of unrecorded size, not in read_bytes */
	/* Bytes that only lay out files: they are written to files that the loop
	 * reads later, and measured together with the reads. 0 if the load has a
	 * set-up or a prologue. */
	uint64_t laid_out_bytes;
	uint64_t failures;
	/* Time that a loop takes at least because of its time stamps; 0: it has
	 * none. */
	uint64_t paced_ns;
	/* Number of fsyncs, fdatasyncs, commits, O_SYNC and O_DIRECT opens,
	 * flushed or stable writes, flushes of directories, and reads and writes
	 * of files that the set-up has opened with O_DIRECT, or writes with O_SYNC. */
	uint64_t synced;
	size_t paths; /* number of distinct paths in the loadfile */
	uint32_t peak_handles;
	/* Max bytes in one user's files during one loop of the load, without
	 * holes. Estimated for computed offsets, appends and random names. */
	uint64_t footprint_bytes;
	/* The same for the files of SETUP shared, which are not in
	 * footprint_bytes. They exist once per target. */
	uint64_t shared_footprint_bytes;
	/*
	 * Index of the first op after the prologue. The prologue ends where the
	 * footprint first reaches 85 % of its peak. If that is inside a loop,
	 * the prologue ends after the loop, or before it if the loop is more
	 * than half of the load. setup.end: there is no prologue, because the
	 * load has none (program.prologue), because it would contain a WAITSP,
	 * or because the load has phases.
	 */
	size_t prologue_end;
	struct profile_label labels[PROGRAM_LABELS_MAX];
};

/*
 * Compute the profile. Return 0, or -ENOMEM, -EINVAL or -EOVERFLOW with `error`
 * set. -EINVAL means that the load plays no operation; an overflow, that nested
 * loops give totals that no real load reaches.
 */
int profile_make(const struct program *program, struct profile *profile, struct error *error);

#endif
