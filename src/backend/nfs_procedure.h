/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The `procedure` slot: NFSv3 as an nfs loadfile calls it.
 */
#ifndef BACKEND_NFS_PROCEDURE_H
#define BACKEND_NFS_PROCEDURE_H

#include "backend/nfs_session.h"

/*
 * One call of one procedure (READDIRPLUS: as many as the directory takes),
 * after LOOKUPs for what no answer has named yet. A READ or WRITE of more
 * than the server moves at a time is one call as well: what it moved is
 * returned. Returns bytes moved, 0 or -errno.
 */
int64_t nfs_procedure(struct backend_session *session,
		      const struct backend_call *call);

#endif
