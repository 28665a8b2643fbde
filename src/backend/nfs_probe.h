/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slots that both NFS engines share: probe and library_version.
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
