/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_FAULT_LIES_H
#define TESTS_FAULT_LIES_H

/*
 * The lies of liar-preload: ways to return wrong data, or not to write it.
 */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A server has functions of its own with such names. */
#pragma GCC visibility push(hidden)

enum { MIN_LIE = 512 }; /* bytes; shorter lies may not be found */

/* A read or write. */
struct io {
	int fd;
	off_t offset;
	size_t size;
	char *data; /* a copy, which a lie about a read changes */
	dev_t device;
	ino_t inode;
	off_t file_size;
	char path[PATH_MAX];

	/* The lie. */
	size_t at; /* where it is in the data */
	size_t length;
	const char *before;
};

struct lie {
	const char *name;
	bool waits; /* sleep before each call, or before one */
	bool repeats;
	bool halves;  /* no lie: each read returns about a half */
	bool refuses; /* no lie: after a short write, refuse the rest (EACCES) */

	/* Change the data that was read, and set at and length. Return false if
	 * this lie does not suit the read. */
	bool (*read)(struct io *io);

	/* Choose the part of the data that is not written, and set at and
	 * length. Return false if this lie does not suit the write. */
	bool (*write)(struct io *io);

	/* Called for each write, before it is made. */
	void (*watch)(const struct io *io);
};

extern const struct lie lies[]; /* up to a row without a name */

/* Read the file THRONG_TEST_CONTROL again, if there is one. Return whether it
 * has changed. If so, forget the earlier calls. */
bool lies_read_control(void);

/* Return the value of a variable of this file or the environment, or NULL. It
 * is valid until the file is read again. */
const char *lies_setting(const char *variable);

/* Return its value as a number, or `otherwise` if it is not set. */
int64_t lies_number(const char *variable, int64_t otherwise);

/* Read from a file without lying. */
ssize_t lies_read_file(int fd, void *data, size_t size, off_t offset);

bool lies_is_zero(const char *data, size_t size);

#pragma GCC visibility pop
#endif
