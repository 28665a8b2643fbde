/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slots `probe` and `library_version` of both NFS engines.
 */
#ifndef TARGET_NFS_PROBE_H
#define TARGET_NFS_PROBE_H

#include "target/backend.h"

/* The slot probe. */
int nfs_probe_target(const struct target *target, struct backend_facts *facts, struct error *error);

/* The slot library_version. */
const char *nfs_library_version(void);

#endif
