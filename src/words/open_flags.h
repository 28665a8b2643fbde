/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flags for opening a file, shared by the program and the backends.
 */
#ifndef WORDS_OPEN_FLAGS_H
#define WORDS_OPEN_FLAGS_H

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

#endif
