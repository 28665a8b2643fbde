/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/posix_attribute.h"

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

	/* Without O_TMPFILE this cannot be checked; the first open may fail. */
	if (fd < 0)
		return 0;
	rc = fsetxattr(fd, ATTRIBUTE, value, sizeof(value), 0) < 0 ? -errno
								   : 0;
	close(fd);
	return rc;
}

void posix_attribute_read(int fd)
{
	char value[ATTRIBUTE_BYTES];

	/* Only the cost of reading matters. */
	(void)!fgetxattr(fd, ATTRIBUTE, value, sizeof(value));
}

void posix_attribute_read_at(int parent, const char *leaf)
{
	/* There is no getxattrat(2) before Linux 6.13. */
	int fd = openat(parent, leaf, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
					      O_NOCTTY | O_CLOEXEC);

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
	/* Give some files the same value, as files with equal times have. */
	if (now_ns % 10 < 2)
		now_ns -= now_ns % NS_PER_S;
	memcpy(value, &now_ns, sizeof(now_ns));
	return fsetxattr(fd, ATTRIBUTE, value, sizeof(value), 0) < 0 ? -errno
								     : 0;
}
