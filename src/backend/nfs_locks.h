/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lock manager of NFSv3 servers, NLM 4: a program of its own, with a
 * connection of its own that is made when it is first needed.
 */
#ifndef BACKEND_NFS_LOCKS_H
#define BACKEND_NFS_LOCKS_H

#include "backend/nfs_session.h"

/*
 * Connect session->nlm unless that has been done. Returns 0, or -errno: the
 * server is lost, has no NLM or does not say where; the connection to its NFS
 * program is as it was.
 */
int nfs_locks_connect(struct backend_session *session);
void nfs_locks_close(struct backend_session *session);

/*
 * Call NLM_LOCK, NLM_UNLOCK or NLM_TEST, connecting first where needed. Returns
 * 0 or -errno; where the lock manager is lost, so is the session.
 */
int nfs_locks_call(struct backend_session *session, enum procedure procedure,
		   const struct nfs_handle *file, uint64_t offset,
		   uint64_t length);

#endif
