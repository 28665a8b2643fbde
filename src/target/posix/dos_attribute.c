/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/posix/dos_attribute.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ATTRIBUTE "user.DosAttrib"

enum { ATTRIBUTE_BYTES = 44 };

int posix_attribute_probe(const char *directory)
{
	const char value[ATTRIBUTE_BYTES] = {0};
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	int rc;

	/* If the file system has no O_TMPFILE, we cannot check. If it has no
	 * extended attributes either, the first open of the run fails. */
	if (fd < 0)
		return 0;
	rc = fsetxattr(fd, ATTRIBUTE, value, sizeof(value), 0) < 0 ? -errno : 0;
	close(fd);
	return rc;
}

void posix_attribute_read(int fd)
{
	char value[ATTRIBUTE_BYTES];

	/* Ignore the value: reading it only has to cost as much as in a file
	 * server. */
	(void)!fgetxattr(fd, ATTRIBUTE, value, sizeof(value));
}

void posix_attribute_read_at(int parent, const char *leaf)
{
	/* Open the file, because getxattrat(2) exists only since Linux 6.13. */
	int fd = openat(parent, leaf, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return;
	posix_attribute_read(fd);
	close(fd);
}

int posix_attribute_write(int fd)
{
	char value[ATTRIBUTE_BYTES] = {0};
	uint64_t now_ns = clock_now_ns();
	struct stat attributes;

	if (fstat(fd, &attributes) < 0)
		return -errno;
	if (S_ISDIR(attributes.st_mode))
		return 0;
	posix_attribute_read(fd);
	/* Round the time of a fifth of the files down to whole seconds, so that
	 * some files have equal times, as on a real file server. */
	if (now_ns % 10 < 2)
		now_ns -= now_ns % NS_PER_S;
	memcpy(value, &now_ns, sizeof(now_ns));
	return fsetxattr(fd, ATTRIBUTE, value, sizeof(value), 0) < 0 ? -errno : 0;
}
