/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a file is opened: the words that the program and the backends share.
 */
#ifndef BASE_OPEN_FLAGS_H
#define BASE_OPEN_FLAGS_H

enum open_flag {
	OPEN_READ = 1 << 0,
	OPEN_WRITE = 1 << 1,
	/* Make what is missing; with OPEN_DIRECTORY a directory. */
	OPEN_CREATE = 1 << 2,
	/* With OPEN_CREATE: what exists is a failure. */
	OPEN_EXCLUSIVE = 1 << 3,
	OPEN_TRUNCATE = 1 << 4,
	OPEN_DIRECTORY = 1 << 5,
	/* A directory is a failure. Without it and without OPEN_DIRECTORY a
	 * directory is opened too, for reading. */
	OPEN_FILE = 1 << 6,
	/* Every write reaches the disk before it returns (O_SYNC). */
	OPEN_SYNC = 1 << 7,
	/* The answer holds the file's attributes, as an SMB create's does. */
	OPEN_ATTRIBUTES = 1 << 8,
	OPEN_APPEND = 1 << 9,
	/* Recorded only, never asked of a backend: write-through becomes
	 * OPEN_SYNC or not, the last close removes the file. */
	OPEN_WRITE_THROUGH = 1 << 10,
	OPEN_DELETE_ON_CLOSE = 1 << 11,
};

#endif
