/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slot `procedure`: single NFSv3 calls, for loadfiles in the nfs dialect.
 */
#ifndef BACKEND_NFS_PROCEDURE_H
#define BACKEND_NFS_PROCEDURE_H

#include "backend/nfs_session.h"

/*
 * Call a procedure once (READDIRPLUS: until the end of the directory), after
 * LOOKUPs for handles that are not in the cache. A READ or WRITE is one call
 * even if the server moves fewer bytes. Returns bytes moved, 0 or -errno.
 */
int64_t nfs_procedure(struct backend_session *session,
		      const struct backend_call *call);

#endif
