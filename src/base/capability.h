/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The capabilities that a target can have, as bits. An operation that needs a
 * missing capability is skipped, degraded or emulated (program/fit.h).
 */
#ifndef BASE_CAPABILITY_H
#define BASE_CAPABILITY_H

enum capability {
	/* A target has the following capabilities if its backend implements
	 * their operations (the slots of backend/backend.h are not NULL). */
	CAP_FSYNC = 1 << 0,
	CAP_SYNC_PARENTS = 1 << 1,
	CAP_LINKS = 1 << 2,
	CAP_SYMLINKS = 1 << 3,
	CAP_PROCEDURES = 1 << 4,   /* a load can call NFSv3 procedures */
	CAP_TRANSACTIONS = 1 << 5, /* requests and replies of any size */
	/* A target has the following capabilities only if the backend's probe
	 * has also found them on this target. */
	CAP_LOCKS = 1 << 6,           /* byte-range locks */
	CAP_SYNC_OPENS = 1 << 7,      /* writes honour OPEN_SYNC */
	CAP_LOCK_PROCEDURES = 1 << 8, /* the server has NLM */
	/* If a component of a path is a symbolic link, operations on the path
	 * fail rather than follow the link. */
	CAP_LINK_CHECK = 1 << 9,
	CAP_DEEP_PATHS = 1 << 10, /* paths of more than 50 components work */
};
#define CAP_ALL ((1u << 11) - 1)

#endif
