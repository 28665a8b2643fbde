/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An NFS export, through libnfs.
 */
#include "backend/backend.h"

#include <errno.h>

static const char *nfs_library_version(void)
{
	return NFS_VERSION;
}

static int nfs_probe(const struct target *target, struct backend_facts *facts,
		     struct error *error)
{
	(void)facts;
	error_set(error, "%s: not yet", target->url);
	return -ENOSYS;
}

const struct backend backend_nfs = {
	.name = "nfs",
	.answers = true,
	.remote = true,
	.passes_options = true,
	.library = "libnfs",
	.library_version = nfs_library_version,
	.probe = nfs_probe,
};
