/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an NFS target's URL says.
 */
#ifndef BACKEND_NFS_URL_H
#define BACKEND_NFS_URL_H

#include "backend/target.h"

#include <stdint.h>

struct nfs_place {
	char *server;
	char *directory;   /* decoded; begins with a slash */
	char *options_url; /* for libnfs to take the options from */
	uint32_t uid, gid; /* as whom the server is asked */
};

/* Returns 0, -EINVAL (no directory, a bad %XX) or -ENOMEM. Freed with
 * nfs_place_free, also after a failure. */
int nfs_place_make(const struct target *target, struct nfs_place *place);
void nfs_place_free(struct nfs_place *place);

/* The value (up to '&' or the end) of an option for libnfs; NULL: not given. */
const char *nfs_passed_option(const struct target *target, const char *key);

/* The version of NFS that the chosen engine plays. */
int nfs_target_version(const struct target *target);

#endif
