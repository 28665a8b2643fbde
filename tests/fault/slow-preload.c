/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for LD_PRELOAD that slows a local target down for some users: an
 * fsync of a file whose path contains THRONG_TEST_PATH takes THRONG_TEST_MS
 * milliseconds, and any other none.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int fsync(int fd)
{
	const char *wanted = getenv("THRONG_TEST_PATH");
	const char *ms = getenv("THRONG_TEST_MS");
	char link[64], path[PATH_MAX];
	struct timespec pause;
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (wanted == NULL || ms == NULL || length < 0)
		return 0;
	path[length] = '\0';
	if (strstr(path, wanted) == NULL)
		return 0;
	pause.tv_sec = atol(ms) / 1000;
	pause.tv_nsec = atol(ms) % 1000 * 1000000;
	nanosleep(&pause, NULL);
	return 0;
}
