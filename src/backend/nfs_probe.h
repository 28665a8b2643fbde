/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slots `probe` and `library_version` of both NFS engines.
 */
#ifndef BACKEND_NFS_PROBE_H
#define BACKEND_NFS_PROBE_H

#include "backend/backend.h"

/* The slot probe. */
int nfs_probe_target(const struct target *target, struct backend_facts *facts,
		     struct error *error);

/* The slot library_version. */
const char *nfs_library_version(void);

#endif
