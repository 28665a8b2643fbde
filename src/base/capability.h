/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Capabilities that some targets lack, shared by the program and the backends.
 */
#ifndef BASE_CAPABILITY_H
#define BASE_CAPABILITY_H

enum capability {
	/* Known from the slots that a backend has. */
	CAP_FSYNC = 1 << 0,
	CAP_SYNC_PARENTS = 1 << 1,
	CAP_LINKS = 1 << 2,
	CAP_SYMLINKS = 1 << 3,
	CAP_PROCEDURES = 1 << 4,   /* of NFS */
	CAP_TRANSACTIONS = 1 << 5, /* of any size */
	/* Known from the probe only, even if the backend has the slot. */
	CAP_LOCKS = 1 << 6,
	CAP_SYNC_OPENS = 1 << 7,      /* OPEN_SYNC reaches the disk */
	CAP_LOCK_PROCEDURES = 1 << 8, /* the server has NLM */
	CAP_LINK_CHECK = 1 << 9, /* no link in mid-path is ever followed */
	CAP_DEEP_PATHS = 1 << 10, /* more than 50 components */
};
#define CAP_ALL ((1u << 11) - 1)

#endif
