/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for LD_PRELOAD: the function named in THRONG_TEST_CALL exits with
 * status THRONG_TEST_STATUS, as some libraries do. The probe of a local target
 * calls fstatvfs, and users that flush call fsync.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

static void called(const char *name)
{
	const char *wanted = getenv("THRONG_TEST_CALL");
	const char *status = getenv("THRONG_TEST_STATUS");

	if (wanted != NULL && status != NULL && strcmp(wanted, name) == 0)
		exit(atoi(status));
}

int fstatvfs(int fd, struct statvfs *facts)
{
	called("fstatvfs");
	*facts = (struct statvfs){.f_frsize = 4096, .f_bavail = 1 << 20};
	return 0;
}

int fsync(int fd)
{
	called("fsync");
	return 0;
}
