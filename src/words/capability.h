/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The capabilities that a target can have, as bits. An operation that needs a
 * missing capability is skipped, degraded or emulated (adapt/fit.h).
 */
#ifndef WORDS_CAPABILITY_H
#define WORDS_CAPABILITY_H

/* clang-format off */
/*
 * X(capability, name, slots, probed). A target has the capability if its backend
 * has these slots (target/backend.h), and its probe has found these capabilities
 * on the target. target/backends.c defines HAS(), which checks for a slot.
 *
 * The name appears in messages about operations that need the capability; it is
 * empty if no operation does.
 *
 * LINK_CHECK: if a component of a path is a symbolic link, operations on the path
 * fail rather than follow the link. A load must not make links on a target that
 * follows them, as a link beside `clients` could lead to files of others.
 * DEEP_PATHS: paths of more than 50 components work.
 * DIRECT: no cache of this machine is used with OPEN_DIRECT.
 */
#define CAPABILITY_LIST(X) \
	X(FSYNC, "fsync", HAS(fsync) && HAS(fdatasync), 0) \
	X(SYNC_PARENTS, "fsync of directories", HAS(sync_parent) || HAS(durable_directories), 0) \
	X(SYMLINKS, "symbolic links", HAS(symlink) && HAS(readlink), CAP_LINK_CHECK) \
	X(PROCEDURES, "NFSv3 procedures", HAS(procedure), 0) \
	X(TRANSACTIONS, "transactions of arbitrary size", HAS(exchange), 0) \
	X(TRUNCATE, "truncation of open files", HAS(truncate), 0) \
	X(COPY, "copies by the target", HAS(copy), 0) \
	X(SYNC_RANGE, "sync_file_range", HAS(sync_range), 0) \
	X(LOCK_TEST, "tests of locks", HAS(lock_test), CAP_LOCKS) \
	X(ACCESS, "access checks", HAS(access), 0) \
	X(CHMOD, "changes of permissions", HAS(chmod), 0) \
	X(CHOWN, "changes of owners", HAS(chown), 0) \
	X(PATH_TIMES, "changes of times by path", HAS(set_path_times), 0) \
	X(SWAP, "exchanges of two names", HAS(swap), 0) \
	X(LINKS, "hard links", HAS(link), CAP_LINKS) \
	X(LOCKS, "byte-range locks", HAS(lock) && HAS(unlock), CAP_LOCKS) \
	X(SYNC_OPENS, "O_SYNC", true, CAP_SYNC_OPENS) \
	X(LOCK_PROCEDURES, "NLM", HAS(procedure), CAP_LOCK_PROCEDURES) \
	X(LINK_CHECK, "", true, CAP_LINK_CHECK) \
	X(DEEP_PATHS, "", true, CAP_DEEP_PATHS) \
	X(ALLOCATE, "allocation of space", HAS(allocate), CAP_ALLOCATE) \
	X(CLONE, "clones of files", HAS(clone), CAP_CLONE) \
	X(XATTRS, "extended attributes", \
		HAS(xattr_get) && HAS(xattr_set) && HAS(xattr_list) && HAS(xattr_remove), \
		CAP_XATTRS) \
	X(DIRECT, "O_DIRECT", true, CAP_DIRECT)

enum capability_number {
#define X(capability, ...) CAPABILITY_##capability,
	CAPABILITY_LIST(X)
#undef X
	CAPABILITIES
};
/* clang-format on */

enum capability {
#define X(capability, ...) CAP_##capability = 1 << CAPABILITY_##capability,
	CAPABILITY_LIST(X)
#undef X
};
#define CAP_ALL ((1u << CAPABILITIES) - 1)

#endif
