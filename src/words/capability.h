/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The capabilities that a target can have, as bits. An operation that needs a
 * missing capability is skipped, degraded or emulated (adapt/fit.h).
 */
#ifndef WORDS_CAPABILITY_H
#define WORDS_CAPABILITY_H

/*
 * X(capability, name). The name appears in messages about operations that need
 * the capability; it is empty if no operation does.
 *
 * A target has a capability of the first list if its backend implements the
 * operations (the slots of target/backend.h are not NULL). It has one of the
 * second list only if the backend's probe has also found it on this target.
 */
#define CAPABILITY_SLOT_LIST(X) \
	X(FSYNC, "fsync") \
	X(SYNC_PARENTS, "fsync of directories") \
	X(SYMLINKS, "symbolic links") \
	X(PROCEDURES, "NFSv3 procedures") \
	X(TRANSACTIONS, "transactions of arbitrary size") \
	X(TRUNCATE, "truncation of open files") \
	X(COPY, "copies by the target") \
	X(SYNC_RANGE, "sync_file_range") \
	X(LOCK_TEST, "tests of locks") \
	X(ACCESS, "access checks") \
	X(CHMOD, "changes of permissions") \
	X(CHOWN, "changes of owners") \
	X(PATH_TIMES, "changes of times by path") \
	X(SWAP, "exchanges of two names")

/*
 * LINKS            hard links
 * LOCKS            byte-range locks
 * SYNC_OPENS       writes honour OPEN_SYNC
 * LOCK_PROCEDURES  the server has NLM
 * LINK_CHECK       if a component of a path is a symbolic link, operations on
 *                  the path fail rather than follow the link
 * DEEP_PATHS       paths of more than 50 components work
 * DIRECT           no cache of this machine is used with OPEN_DIRECT
 */
#define CAPABILITY_PROBED_LIST(X) \
	X(LINKS, "hard links") \
	X(LOCKS, "byte-range locks") \
	X(SYNC_OPENS, "O_SYNC") \
	X(LOCK_PROCEDURES, "NLM") \
	X(LINK_CHECK, "") \
	X(DEEP_PATHS, "") \
	X(ALLOCATE, "allocation of space") \
	X(CLONE, "clones of files") \
	X(XATTRS, "extended attributes") \
	X(DIRECT, "O_DIRECT")

#define CAPABILITY_LIST(X) CAPABILITY_SLOT_LIST(X) CAPABILITY_PROBED_LIST(X)

/* clang-format off */
enum capability_number {
#define X(capability, name) CAPABILITY_##capability,
	CAPABILITY_LIST(X)
#undef X
	CAPABILITIES
};
/* clang-format on */

enum capability {
#define X(capability, name) CAP_##capability = 1 << CAPABILITY_##capability,
	CAPABILITY_LIST(X)
#undef X
};
#define CAP_ALL ((1u << CAPABILITIES) - 1)

#endif
