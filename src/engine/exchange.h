/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations as requests and replies of the sizes that an SMB1 server and its
 * client would exchange, as tbench 4.0 counts them (measured with a peer that
 * logs what comes).
 *
 * What the netbench dialect does not have is played as what comes nearest in
 * it: link and symlink as a Rename, readlink as a QUERY_PATH_INFORMATION; of
 * the procedures of NFS those that ask for or set attributes as a
 * QUERY_PATH_INFORMATION, CREATE3 as an NTCreateX, READDIRPLUS3 as a
 * FIND_FIRST that finds nothing, FSSTAT3, FSINFO3 and PATHCONF3 as a
 * QUERY_FS_INFORMATION, COMMIT3 as a Flush, locks as a LockX, the others as
 * their namesakes. A Deltree, which is no request, costs nothing.
 */
#ifndef ENGINE_EXCHANGE_H
#define ENGINE_EXCHANGE_H

#include "engine/replay_state.h"

/*
 * One operation: packets of `request_bytes` and `reply_bytes`, and the data
 * that they carry, spread over as many packets as it takes.
 */
struct exchange {
	uint32_t request_bytes; /* 0: there is none */
	uint32_t reply_bytes;
	uint32_t sent_bytes, received_bytes; /* of data */
};

/* The most data in one packet; more would not fit into SMB1's lengths. */
enum { EXCHANGE_DATA_MAX = 65536 };

/* What the operation amounts to for the user. */
struct exchange exchange_of(const struct binding *binding,
			    const struct op *op);

/*
 * Plays it. Returns the bytes of file data that were moved (of a transaction
 * all bytes of request and reply), or -errno: the connection is lost.
 */
int64_t exchange_play(struct replay *replay, const struct op *op);

#endif
