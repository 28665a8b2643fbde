/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The capabilities that a target can have. `program` and the backends share
 * this list.
 */
#ifndef BASE_CAPABILITY_H
#define BASE_CAPABILITY_H

enum capability {
	/* A target has these if its backend fills the slots for them. */
	CAP_FSYNC = 1 << 0,
	CAP_SYNC_PARENTS = 1 << 1,
	CAP_LINKS = 1 << 2,
	CAP_SYMLINKS = 1 << 3,
	CAP_PROCEDURES = 1 << 4,   /* direct calls of NFSv3 */
	CAP_TRANSACTIONS = 1 << 5, /* exchanges of any size */
	/* Only the probe can find these, even if the backend has the slot. */
	CAP_LOCKS = 1 << 6,
	CAP_SYNC_OPENS = 1 << 7,      /* OPEN_SYNC reaches the disk */
	CAP_LOCK_PROCEDURES = 1 << 8, /* the server has NLM */
	CAP_LINK_CHECK = 1 << 9, /* never follows links within a path */
	CAP_DEEP_PATHS = 1 << 10, /* paths of more than 50 components */
};
#define CAP_ALL ((1u << 11) - 1)

#endif
