/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations as requests and replies of the sizes that an SMB1 client and
 * server would exchange, as tbench 4.0 counts them (measured with a peer that
 * logs the packets).
 *
 * Operations that do not exist in the netbench dialect are played as the most
 * similar operation of that dialect: link and symlink as a Rename, readlink as
 * a QUERY_PATH_INFORMATION. NFS procedures that read or set attributes are
 * played as a QUERY_PATH_INFORMATION, CREATE3 as an NTCreateX, READDIRPLUS3 as
 * a FIND_FIRST that finds nothing, FSSTAT3, FSINFO3 and PATHCONF3 as a
 * QUERY_FS_INFORMATION, COMMIT3 as a Flush, and locks as a LockX. The other
 * procedures are played as the netbench operation with the same purpose, such
 * as READ3 as a ReadX. A Deltree is not a request and costs nothing.
 */
#ifndef PLAY_EXCHANGE_H
#define PLAY_EXCHANGE_H

#include "play/replay_state.h"

/*
 * The packets of one operation: a request and a reply, plus the data that each
 * of them carries. Data of more than EXCHANGE_DATA_MAX bytes is spread over
 * several requests and replies.
 */
struct exchange {
	/* Size of a request without data; 0: nothing is sent. */
	uint32_t request_bytes;
	uint32_t reply_bytes;
	/* Data in requests, and in replies. */
	uint32_t sent_bytes, received_bytes;
};

/* Max bytes of data in one packet. More data is spread over several packets, as
 * the lengths in an SMB1 request are small. */
enum { EXCHANGE_DATA_MAX = 65536 };

/* Return the packets of the operation. Their sizes depend on the user, since
 * the user's name is part of the paths, and may be drawn (bind_size). */
struct exchange exchange_of(struct binding *binding, const struct op *op);

/*
 * Play the operation. Return the number of bytes of file data that were moved
 * (for a transaction, all bytes of its requests and replies beyond their
 * heads), or -errno if the connection is lost.
 */
int64_t exchange_play(struct replay *replay, const struct op *op);

#endif
