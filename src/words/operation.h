/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words about operations that the program, the backends and results share: the
 * flags of an open, the modes (variants of other operations), and the direction
 * of data. program/op.h has the operations.
 */
#ifndef WORDS_OPERATION_H
#define WORDS_OPERATION_H

/* Flags for opening a file. */
enum open_flag {
	OPEN_READ = 1 << 0,
	OPEN_WRITE = 1 << 1,
	/* Create the file if it is missing, or with OPEN_DIRECTORY the
	 * directory. */
	OPEN_CREATE = 1 << 2,
	/* With OPEN_CREATE: fail if the file exists. */
	OPEN_EXCLUSIVE = 1 << 3,
	OPEN_TRUNCATE = 1 << 4,
	OPEN_DIRECTORY = 1 << 5,
	/* Fail if the path is a directory. Without OPEN_FILE and
	 * OPEN_DIRECTORY, a path that is a directory is opened for reading. */
	OPEN_FILE = 1 << 6,
	/* Every write reaches the disk before it returns (O_SYNC). */
	OPEN_SYNC = 1 << 7,
	/* Return the file's attributes, as an SMB create does. */
	OPEN_ATTRIBUTES = 1 << 8,
	OPEN_APPEND = 1 << 9,
	/* These two record what the loadfile says. Write-through becomes
	 * OPEN_SYNC or is ignored. Delete-on-close becomes a removal after the
	 * close, unless the backend obeys it. */
	OPEN_WRITE_THROUGH = 1 << 10,
	OPEN_DELETE_ON_CLOSE = 1 << 11,
	/* Bypass the page cache of this machine (O_DIRECT). */
	OPEN_DIRECT = 1 << 12,
	/* Reads do not change the access time (O_NOATIME). Protocols of file
	 * servers cannot ask for this, so there it has no effect. */
	OPEN_NOATIME = 1 << 13,
};

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

/* A set-times operation moves a file's access time and modification time back
 * by these amounts, as dbench does. */
enum { ACCESS_TIME_BACK_S = 10, MODIFY_TIME_BACK_S = 12 };

/* The direction in which an operation moves data. A set of bits: both directions
 * together are BOTH. */
enum direction {
	DIRECTION_NONE, /* no data, or unknown */
	DIRECTION_READ,
	DIRECTION_WRITE,
	DIRECTION_BOTH,
	DIRECTIONS
};

#endif
