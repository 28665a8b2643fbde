/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/mount.h"

#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mount_find_type(const char *path, char *type, size_t size)
{
	char real[PATH_MAX];
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	const struct mntent *mount;
	size_t longest = 0;

	snprintf(type, size, "unknown file system");
	if (mounts == NULL)
		return;
	while (realpath(path, real) != NULL &&
	       (mount = getmntent(mounts)) != NULL) {
		size_t length = strlen(mount->mnt_dir);

		if (strcmp(mount->mnt_dir, "/") == 0)
			length = 0;
		else if (strncmp(real, mount->mnt_dir, length) != 0 ||
			 (real[length] != '/' && real[length] != '\0'))
			continue;
		/* Of two mounts at one place the later one is seen. */
		if (length >= longest) {
			snprintf(type, size, "%s", mount->mnt_type);
			longest = length;
		}
	}
	endmntent(mounts);
}
