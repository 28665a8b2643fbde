/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Connecting a user to an NFS export: options, mount, and the handle of the
 * target's directory.
 */
#ifndef TARGET_NFS_CONNECT_H
#define TARGET_NFS_CONNECT_H

#include "target/nfs/session.h"

/*
 * Connect and mount. Return 0 or -errno. After a failure, `why` (a buffer of
 * `size` bytes, at least 1) contains libnfs' own message, or "" if there is
 * none.
 */
int nfs_session_try(const struct target *target, unsigned user, struct backend_session **session,
		    char *why, size_t size);

/* The slot session_open: call nfs_session_try and drop libnfs' message. */
int nfs_session_open(const struct target *target, unsigned user, struct backend_session **session);

/* Disconnect from all programs of the server, and free the session. */
void nfs_session_close(struct backend_session *session);

#endif
