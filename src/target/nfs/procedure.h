/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slot `procedure`: single NFSv3 calls, for loadfiles in the nfs dialect.
 */
#ifndef TARGET_NFS_PROCEDURE_H
#define TARGET_NFS_PROCEDURE_H

#include "target/nfs/session.h"

/*
 * Call a procedure once (READDIRPLUS: repeatedly, until the end of the
 * directory). First call LOOKUP for each handle that is needed and is not in
 * the cache. A READ or WRITE is not repeated if the server moves fewer bytes
 * than requested. Return the number of bytes that a READ or WRITE moved, 0 for
 * any other procedure, or -errno.
 */
int64_t nfs_procedure(struct backend_session *session, const struct backend_call *call);

#endif
