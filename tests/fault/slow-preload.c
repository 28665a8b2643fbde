/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for LD_PRELOAD that slows a local target down for some users: an
 * fsync of a file whose path contains THRONG_TEST_PATH takes THRONG_TEST_MS
 * milliseconds, and any other none. An fdatasync of such a file and the creation
 * of a directory with such a name also take that time, which passes after it was
 * made if THRONG_TEST_AFTER is set. While the file
 * THRONG_TEST_GATE exists, the removal of a file with such a name adds a line to
 * it and waits, whatever signals arrive.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void pause_for(const char *path)
{
	const char *wanted = getenv("THRONG_TEST_PATH");
	const char *ms = getenv("THRONG_TEST_MS");
	struct timespec pause;

	if (wanted == NULL || ms == NULL || strstr(path, wanted) == NULL)
		return;
	pause.tv_sec = atol(ms) / 1000;
	pause.tv_nsec = atol(ms) % 1000 * 1000000;
	nanosleep(&pause, NULL);
}

static void pause_for_file(int fd)
{
	char link[64], path[PATH_MAX];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (length < 0)
		return;
	path[length] = '\0';
	pause_for(path);
}

int fsync(int fd)
{
	pause_for_file(fd);
	return 0;
}

int fdatasync(int fd)
{
	pause_for_file(fd);
	return (int)syscall(SYS_fdatasync, fd);
}

int mkdirat(int fd, const char *path, mode_t mode)
{
	const bool after = getenv("THRONG_TEST_AFTER") != NULL;
	int rc;

	if (!after)
		pause_for(path);
	rc = (int)syscall(SYS_mkdirat, fd, path, mode);
	if (after)
		pause_for(path);
	return rc;
}

int unlinkat(int fd, const char *path, int flags)
{
	static const struct timespec pause = {.tv_nsec = 10000000};
	const char *wanted = getenv("THRONG_TEST_PATH");
	const char *gate = getenv("THRONG_TEST_GATE");
	int log;

	if (wanted != NULL && gate != NULL && strstr(path, wanted) != NULL) {
		log = open(gate, O_WRONLY | O_APPEND | O_CLOEXEC);
		if (log >= 0) {
			if (write(log, "held\n", 5) != 5)
				abort();
			close(log);
		}
		while (access(gate, F_OK) == 0)
			nanosleep(&pause, NULL);
	}
	return (int)syscall(SYS_unlinkat, fd, path, flags);
}
