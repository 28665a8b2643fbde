/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/builtin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BUILTIN_FILE "netbench.load"
#define BUILTIN_INSTALLED PKGDATADIR "/" BUILTIN_FILE

int builtin_find(char path[PATH_MAX], struct error *error)
{
	const char beside[] = "/loadfiles/" BUILTIN_FILE;
	ssize_t length = readlink("/proc/self/exe", path,
				  PATH_MAX - sizeof(beside));

	if (length > 0) {
		char *slash;

		path[length] = '\0';
		slash = strrchr(path, '/');
		strcpy(slash, beside);
		if (access(path, R_OK) == 0)
			return 0;
	}
	if (access(BUILTIN_INSTALLED, R_OK) == 0) {
		strcpy(path, BUILTIN_INSTALLED);
		return 0;
	}
	error_set(error, "cannot find the built-in load at %s or at %s",
		  length > 0 ? path : "loadfiles/" BUILTIN_FILE,
		  BUILTIN_INSTALLED);
	return -ENOENT;
}
