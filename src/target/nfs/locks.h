/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lock manager of NFSv3 servers, NLM 4. It is a separate RPC program, with
 * a separate connection that is opened when first needed.
 */
#ifndef TARGET_NFS_LOCKS_H
#define TARGET_NFS_LOCKS_H

#include "target/nfs/session.h"

/*
 * Connect shared->nlm if it is not connected yet. Return 0, or -errno if the
 * connection to the server is lost, or if the server has no NLM or does not
 * report NLM's port. A failure does not affect the connection to the NFS
 * program.
 */
int nfs_locks_connect(struct backend_session *session);
void nfs_locks_close(struct nfs_shared *shared);

/*
 * Call NLM_LOCK, NLM_UNLOCK or NLM_TEST; connect first if needed. Return 0 or
 * -errno. If the connection to the lock manager is lost during the call, the
 * whole session counts as lost.
 */
int nfs_locks_call(struct backend_session *session, enum procedure procedure,
		   const struct nfs_handle *file, uint64_t offset, uint64_t length);

#endif
