/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/backends.h"

#include <dlfcn.h>
#include <errno.h>
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
#ifndef HAVE_SMB2
#define HAVE_SMB2 0
#endif

extern const struct backend backend_posix;
extern const struct backend backend_tcp;
extern const struct backend backend_null;

/* Make a list of strings, ended by NULL. */
#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})
#define YES_OR_NO LIST("yes", "no")

/* Only dbench sets these: a path has no "?key=value". */
static const struct backend_option posix_options[] = {
	{.key = "dos-attributes", .values = YES_OR_NO},
	{.key = NULL},
};

static const struct backend_option nfs_options[] = {
	{.key = "version", .values = LIST("3", "4")},
	{.key = NULL},
};

/* Options of both SMB engines. */
#define SMB_CLIENT \
	{ \
		.key = "client", \
		.values = LIST("builtin", "libsmbclient"), \
	}
#define SMB_ENCRYPT \
	{ \
		.key = "encrypt", \
		.values = LIST("off", "request", "require"), \
	}
#define SMB_SIGN \
	{ \
		.key = "sign", \
		.values = LIST("off", "request", "require"), \
	}
#define SMB_KERBEROS \
	{ \
		.key = "kerberos", \
		.values = YES_OR_NO, \
	}
#define SMB_GUEST {.key = "guest", .values = YES_OR_NO}

static const struct backend_option smb_options[] = {
	SMB_CLIENT,
	{
		.key = "dialect",
		.values = LIST("SMB2_02", "SMB2_10", "SMB3_00", "SMB3_02", "SMB3_11", "NT1"),
	},
	SMB_ENCRYPT,
	SMB_SIGN,
	SMB_KERBEROS,
	SMB_GUEST,
	{
		.key = "conf",
	},
	{.key = NULL},
};

static const struct backend_option smb2_options[] = {
	SMB_CLIENT,
	{
		.key = "dialect",
		.values = LIST("SMB2_02", "SMB2_10", "SMB3_00", "SMB3_02", "SMB3_11"),
	},
	SMB_ENCRYPT,
	SMB_SIGN,
	SMB_KERBEROS,
	SMB_GUEST,
	{
		.key = "nt-hash", /* the password is an NT hash */
		.values = YES_OR_NO,
	},
	{
		.key = "oplock",
		.values = LIST("none", "batch", "lease"),
	},
	/* The only algorithms to offer in SMB3_11, instead of all. */
	{
		.key = "cipher",
		.values = LIST("AES-128-CCM", "AES-128-GCM", "AES-256-CCM", "AES-256-GCM"),
	},
	{
		.key = "signing",
		.values = LIST("HMAC-SHA256", "AES-128-CMAC", "AES-128-GMAC"),
	},
	{.key = NULL},
};

static const struct backend_option tcp_options[] = {
	{
		.key = "options",
	},
	{.key = NULL},
};

const struct backend_row backends[] = {
	{
		.name = "posix",
		.schemes = LIST("", "file"),
		.forms = "a PATH, file:///PATH",
		.options = posix_options,
		.library = "glibc",
		.built = true,
		.built_in = &backend_posix,
	},
	{
		.name = "nfs",
		.schemes = LIST("nfs"),
		.forms = "nfs://HOST/EXPORT",
		.selector = "version",
		.selected_by = "3",
		.options = nfs_options,
		.passes_options = true,
		.library = "libnfs",
		.built = HAVE_NFS,
		.module = "nfs",
		.symbol = "backend_nfs3",
	},
	{
		.name = "nfs",
		.schemes = LIST("nfs"),
		.selector = "version",
		.selected_by = "4",
		.options = nfs_options,
		.passes_options = true,
		.library = "libnfs",
		.built = HAVE_NFS,
		.module = "nfs",
		.symbol = "backend_nfs4",
	},
	{
		.name = "smb",
		.schemes = LIST("smb"),
		.forms = "smb://USER@HOST/SHARE",
		.selector = "client",
		.selected_by = "builtin",
		.client = SMB_CLIENT_BUILTIN,
		.options = smb2_options,
		.library = "GnuTLS",
		.built = HAVE_SMB2,
		.module = "smb2",
		.symbol = "backend_smb2",
	},
	{
		.name = "smb",
		.schemes = LIST("smb"),
		.selector = "client",
		.selected_by = "libsmbclient",
		.client = SMB_CLIENT_LIBRARY,
		.options = smb_options,
		.library = "libsmbclient",
		.built = HAVE_SMB,
		.module = "smb",
		.symbol = "backend_smb",
	},
	{
		.name = "tcp",
		.schemes = LIST("tcp"),
		.forms = "tcp://HOST",
		.options = tcp_options,
		.library = "throng",
		.built = true,
		.built_in = &backend_tcp,
	},
	{
		.name = "null",
		.schemes = LIST("null"),
		.forms = "null:",
		.library = "throng",
		.built = true,
		.built_in = &backend_null,
	},
	{.name = NULL},
};

/* Write the path that a module has if the program runs in the build tree: in
 * modules/ beside the program. Return -1 if the program's path is unknown. */
static int beside_program(char *path, size_t size, const char *file)
{
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	char *slash;

	if (length <= 0)
		return -1;
	program[length] = '\0';
	slash = strrchr(program, '/');
	*slash = '\0';
	return snprintf(path, size, "%s/modules/%s", program, file);
}

void backends_find_module(const char *name, char *path, size_t size)
{
	const char *directory = getenv("THRONG_MODULES");
	char file[64];

	snprintf(file, sizeof(file), "throng-%s.so", name);
	if (directory != NULL)
		snprintf(path, size, "%s/%s", directory, file);
	else if (beside_program(path, size, file) < 0 || access(path, R_OK) < 0)
		snprintf(path, size, "%s/%s", PKGLIBDIR, file);
}

const struct backend *backends_load(const struct backend_row *row, struct error *error)
{
	char path[PATH_MAX + 64];
	const struct backend *backend = NULL;
	void *module;

	if (row->built_in != NULL)
		return row->built_in;
	if (!row->built) {
		error_set(error, "throng was built without %s", row->library);
		return NULL;
	}
	backends_find_module(row->module, path, sizeof(path));
	/* Distributions have a package for each kind of target. */
	if (access(path, F_OK) < 0 && errno == ENOENT) {
		error_set(error,
			  "the %s backend is not installed: there is no \"%s\"; install the "
			  "package throng-%s",
			  row->name, path, row->name);
		return NULL;
	}
	/* Never unload the module: the library that it uses may have left
	 * threads or handlers. */
	module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (module != NULL)
		backend = dlsym(module, row->symbol);
	if (backend == NULL)
		error_set(error, "cannot load the %s backend: %s", row->name, dlerror());
	return backend;
}

bool backends_plays(const struct backend_row *row, const char *scheme)
{
	const char *const *known = row->schemes;

	while (*known != NULL && strcmp(*known, scheme) != 0)
		known++;
	return *known != NULL;
}

const struct backend_row *backends_find(const char *scheme, const char *selected_by)
{
	const struct backend_row *row, *found = NULL;

	for (row = backends; row->name != NULL; row++)
		if (backends_plays(row, scheme) &&
		    (selected_by == NULL ||
		     (row->selected_by != NULL && strcmp(row->selected_by, selected_by) == 0)) &&
		    (found == NULL || row->built > found->built))
			found = row;
	return found;
}

unsigned backends_capabilities(const struct backend *backend, const struct backend_facts *facts)
{
	unsigned able = 0;

	/* Such a backend plays any operation as a request and a reply of the
	 * sizes that the operation would have (exchange.h). */
	if (backend->exchange != NULL)
		return CAP_ALL & ~(unsigned)CAP_SYNC_PARENTS;

#define HAS(slot) (backend->slot != 0)
#define X(capability, name, slots, probed) \
	if ((slots) && ((probed) & ~facts->capabilities) == 0) \
		able |= CAP_##capability;
	CAPABILITY_LIST(X)
#undef X
#undef HAS
	return able;
}
