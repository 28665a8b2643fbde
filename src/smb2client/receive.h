/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Receive the messages of a connection, within the deadline of an exchange. The
 * data of a read goes directly into the buffer of its caller.
 */
#ifndef SMB2CLIENT_RECEIVE_H
#define SMB2CLIENT_RECEIVE_H

#include "smb2client/connection.h"

/* Size of the buffer for received bytes. */
enum {
	SMB2_IN_BYTES = SMB2_FRAME_BYTES + SMB2_TRANSFORM_BYTES + SMB2_MESSAGE_MAX,
};

/* End the connection because a system call has failed. Return -errno. */
int smb2_lose_in_call(struct smb2_connection *connection);

/*
 * Return the time for deadlines: it stands still while this process does, such
 * as during a stop (SIGSTOP) or a standstill of the machine, and while the
 * connection is idle. Otherwise, it must be read more often than every 2 *
 * step_ns.
 */
uint64_t smb2_now_ns(struct smb2_connection *connection);

/* Wait until the socket is ready for some of the `events` of poll(). Return the
 * events that it is ready for, or -errno after losing the connection. */
int smb2_wait(struct smb2_connection *connection, short events, uint64_t deadline_ns);

/*
 * Expect the reply to a READ of up to `size` bytes: smb2_receive() may receive
 * its data directly into `buffer`. It may overwrite all of the buffer, even if the
 * reply has less data.
 */
void smb2_expect_data(struct smb2_connection *connection, void *buffer, size_t size);

/* Expect no data any more: nothing uses the buffer of smb2_expect_data() after
 * this. */
void smb2_expect_no_data(struct smb2_connection *connection);

/*
 * Receive a whole message, and set *message to it, without its frame. Return its
 * size or -errno after losing the connection. The last connection->apart bytes
 * of the message are in the buffer of smb2_expect_data() instead of `in`. They
 * are the data of a successful READ, unless the message is sealed.
 */
int64_t smb2_receive(struct smb2_connection *connection, uint64_t deadline_ns, uint8_t **message);

/* The offset of the data in such a reply: after the header and the fixed part of the
 * body (2.2.20). We ask for this offset. */
enum { SMB2_DATA_AT = SMB2_HEADER_BYTES + 16 };

/* Is a message only the successful reply to a READ, whose data is where we have
 * asked for it and ends with the message? The message must not be sealed, and
 * its first 80 bytes must be at `message` if it has as many. */
bool smb2_is_data(const uint8_t *message, size_t bytes);

/* Put the message together that was received last: none of it is apart any
 * more. */
void smb2_put_together(struct smb2_connection *connection);

#endif
