/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An SMB share, through libsmbclient.
 */
#include "backend/backend.h"

#include <errno.h>

static const char *smb_library_version(void)
{
	return "4";
}

static int smb_probe(const struct target *target, struct backend_facts *facts,
		     struct error *error)
{
	(void)facts;
	error_set(error, "%s: not yet", target->url);
	return -ENOSYS;
}

const struct backend backend_smb = {
	.name = "smb",
	.answers = true,
	.remote = true,
	.needs_account = true,
	.library = "libsmbclient",
	.library_version = smb_library_version,
	.probe = smb_probe,
};
