/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/backends.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef HAVE_NFS
#define HAVE_NFS 0
#endif
#ifndef HAVE_SMB
#define HAVE_SMB 0
#endif

extern const struct backend backend_posix;
extern const struct backend backend_tcp;
extern const struct backend backend_null;

static const char *const posix_schemes[] = {"", "file", NULL};
static const char *const nfs_schemes[] = {"nfs", NULL};
static const char *const smb_schemes[] = {"smb", NULL};
static const char *const tcp_schemes[] = {"tcp", NULL};
static const char *const null_schemes[] = {"null", NULL};

const struct backend_row backends[] = {
	{"posix", posix_schemes, "glibc", true, &backend_posix},
	{"nfs", nfs_schemes, "libnfs", HAVE_NFS, NULL},
	{"smb", smb_schemes, "libsmbclient", HAVE_SMB, NULL},
	{"tcp", tcp_schemes, "throng", true, &backend_tcp},
	{"null", null_schemes, "throng", true, &backend_null},
	{NULL, NULL, NULL, false, NULL},
};

/* Where the modules are in a build folder, seen from the program. */
static int beside_program(char *path, size_t size, const char *file)
{
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program,
				  sizeof(program) - 1);
	char *slash;

	if (length <= 0)
		return -1;
	program[length] = '\0';
	slash = strrchr(program, '/');
	*slash = '\0';
	return snprintf(path, size, "%s/.libs/%s", program, file);
}

/* The first place that has the module; else where it ought to be installed. */
static void find_module(const char *name, char *path, size_t size)
{
	const char *directory = getenv("THRONG_MODULES");
	char file[64];

	snprintf(file, sizeof(file), "throng-%s.so", name);
	if (directory != NULL)
		snprintf(path, size, "%s/%s", directory, file);
	else if (beside_program(path, size, file) < 0 ||
		 access(path, R_OK) < 0)
		snprintf(path, size, "%s/%s", PKGLIBDIR, file);
}

const struct backend *backends_load(const struct backend_row *row,
				    struct error *error)
{
	char path[PATH_MAX + 64], symbol[64];
	const struct backend *backend = NULL;
	void *module;

	if (row->built_in != NULL)
		return row->built_in;
	if (!row->built) {
		error_set(error, "this throng was built without %s",
			  row->library);
		return NULL;
	}
	find_module(row->name, path, sizeof(path));
	/* Never unloaded: its library may have left anything behind. */
	module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	snprintf(symbol, sizeof(symbol), "backend_%s", row->name);
	if (module != NULL)
		backend = dlsym(module, symbol);
	if (backend == NULL)
		error_set(error, "load the %s backend: %s", row->name,
			  dlerror());
	return backend;
}

const struct backend *backends_find(const char *scheme, struct error *error)
{
	const struct backend_row *row;
	const char *const *known;

	for (row = backends; row->name != NULL; row++)
		for (known = row->schemes; *known != NULL; known++)
			if (strcmp(*known, scheme) == 0)
				return backends_load(row, error);
	return NULL;
}
