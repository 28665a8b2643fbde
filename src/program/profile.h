/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program amounts to when it is played once, told without playing it:
 * loops are multiplied out, not walked.
 */
#ifndef PROGRAM_PROFILE_H
#define PROGRAM_PROFILE_H

#include "base/error.h"
#include "program/program.h"

/* What was counted under one label. */
struct profile_label {
	uint64_t ops;
	uint64_t bytes;    /* read or written, as recorded */
	uint64_t open_reads; /* reads whose bytes are not recorded, not in it */
	uint64_t failures; /* recorded as anything but OK */
};

struct profile {
	uint64_t ops; /* without the control lines */
	uint64_t read_bytes, write_bytes; /* as recorded */
	uint64_t open_reads; /* reads whose bytes are not recorded, not in it */
	uint64_t failures;
	/* Fsyncs, flushed or stable writes, commits and O_SYNC opens. */
	uint64_t synced;
	size_t paths;    /* distinct ones that the loadfile names */
	uint32_t peak_handles;
	/* The most that a user's files hold in one loop, without holes. What
	 * computed offsets, appends and random names come to is estimated. */
	uint64_t footprint_bytes;
	/*
	 * The first op behind the prologue, which ends where the footprint
	 * first reaches 85 % of its peak; never inside a loop. A load that
	 * waits for other users in it (WAITSP) has none.
	 */
	size_t prologue_end;
	struct profile_label labels[PROGRAM_LABELS_MAX];
};

/*
 * Returns 0, -ENOMEM, or -EOVERFLOW with `error` set when the loops multiply
 * to more than can be counted.
 */
int profile_make(const struct program *program, struct profile *profile,
		 struct error *error);

#endif
