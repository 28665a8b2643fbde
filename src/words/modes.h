/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modes: variants of operations, shared by the program (op.mode) and the
 * backends.
 */
#ifndef WORDS_MODES_H
#define WORDS_MODES_H

/* LOCK and LOCK_TEST. 0: an exclusive lock; wait until it is granted. */
enum lock_mode {
	LOCK_SHARED = 1 << 0,
	/* Fail with EAGAIN instead of waiting. */
	LOCK_TRY = 1 << 1,
};

/* ALLOCATE. 0: allocate space, and extend the file if the range ends after
 * it. */
enum allocate_mode {
	ALLOCATE_KEEP_SIZE = 1 << 0,  /* do not extend the file */
	ALLOCATE_PUNCH_HOLE = 1 << 1, /* give the range's space back */
	ALLOCATE_ZERO = 1 << 2,       /* make the range read as zeros */
};

/* SYNC_RANGE. 0: start to write the range's dirty pages. */
enum sync_range_mode {
	SYNC_RANGE_WAIT = 1 << 0, /* also wait until they are written */
};

/* RENAME. 0: replace the new name, or with OP_NO_REPLACE (program/op.h) fail if
 * it exists. */
enum rename_mode {
	RENAME_SWAP = 1 << 0, /* exchange the two names */
};

/* ACCESS: the rights to check for. 0: only that the file exists. */
enum access_mode {
	ACCESS_READ = 1 << 0,
	ACCESS_WRITE = 1 << 1,
	ACCESS_EXECUTE = 1 << 2,
};

/* CHMOD: the permissions, as in chmod(2). */
#define PERMISSIONS_MAX 07777u

#endif
