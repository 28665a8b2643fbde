/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for LD_PRELOAD: files with "stays" in their names seem to be removed,
 * but stay listed, as on a target that lies. To remove one with "stalls" in its
 * name never ends.
 */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

int unlinkat(int fd, const char *path, int flags)
{
	int (*real)(int fd, const char *path, int flags) = dlsym(RTLD_NEXT, "unlinkat");

	while (flags == 0 && strstr(path, "stalls") != NULL)
		pause();
	return flags == 0 && strstr(path, "stays") != NULL ? 0 : real(fd, path, flags);
}
