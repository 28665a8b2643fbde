/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/smb2_receive.h"

#include "backend/smb2_bytes.h"
#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum {
	/* A reply that came in time is received even if this process was
	 * stopped (SIGSTOP) until the deadline. This limits the number of
	 * calls that receive it, for servers that never stop sending. */
	OVERDUE_MAX = 64,
	/* The offset of the data in the reply to a READ: after the header and
	 * the fixed part of the body (2.2.20). We ask for this offset. */
	DATA_AT = SMB2_HEADER_BYTES + 16,
	/* Min size of a read that receives its data directly: to copy fewer
	 * bytes takes hardly any time. */
	DIRECT_MIN = 1024,
};

int smb2_lose(struct smb2_connection *connection, int rc, const char *cause)
{
	connection->lost = rc;
	connection->cause = cause;
	return rc;
}

int smb2_broken(struct smb2_connection *connection, const char *cause)
{
	return smb2_lose(connection, -ECONNABORTED, cause);
}

int smb2_lose_in_call(struct smb2_connection *connection)
{
	return smb2_lose(connection, -errno, NULL);
}

int smb2_wait(struct smb2_connection *connection, short events,
	      uint64_t deadline_ns)
{
	struct pollfd poll_fd = {.fd = connection->fd, .events = events};

	for (;;) {
		uint64_t now_ns = clock_now_ns();
		uint64_t left_ns = deadline_ns > now_ns ? deadline_ns - now_ns
							: 0;
		int rc = poll(&poll_fd, 1, (int)(left_ns / NS_PER_MS) + 1);

		if (rc > 0 && (left_ns > 0 ||
			       connection->overdue++ < OVERDUE_MAX))
			return 0;
		if (rc < 0 && errno != EINTR)
			return smb2_lose_in_call(connection);
		if (left_ns == 0)
			return smb2_lose(connection, -ETIMEDOUT,
					 "the server does not answer");
	}
}

/*
 * A read receives the first message of an exchange in three parts: the bytes
 * before the data go into `in`, then the data into the caller's buffer, and any
 * others into `in` again. `in` has a gap for the data, so that all bytes have
 * the same offset as if no buffer was given. If the message is another one than
 * expected, its bytes are copied into the gap.
 */
void smb2_expect_data(struct smb2_connection *connection, void *buffer,
		      size_t size)
{
	connection->data = buffer;
	connection->data_max = size;
	connection->has_gap = size >= DIRECT_MIN && size <= SMB2_PAYLOAD_MAX;
	connection->data_at = SMB2_FRAME_BYTES + DATA_AT +
			      (connection->seal ? SMB2_TRANSFORM_BYTES : 0);
}

/* Set the parts that the next bytes go to. Return their number. */
static int find_parts(const struct smb2_connection *connection,
		      struct iovec parts[3])
{
	size_t at = connection->have, gap = connection->data_at;
	size_t gap_end = gap + connection->data_max;
	int count = 0;

	if (connection->has_gap && at < gap) {
		parts[count++] = (struct iovec){connection->in + at, gap - at};
		at = gap;
	}
	if (connection->has_gap && at < gap_end) {
		parts[count++] = (struct iovec){connection->data + (at - gap),
						gap_end - at};
		at = gap_end;
	}
	parts[count++] = (struct iovec){connection->in + at,
					SMB2_IN_BYTES - at};
	return count;
}

/*
 * Receive more bytes. The socket's own limit is enough while little time has
 * passed: at most an eighth of the time-out, and 4 s. Later, poll for the time
 * that is left. So each exchange ends soon after its deadline, even if the
 * server sends a byte now and then.
 */
static int receive(struct smb2_connection *connection, uint64_t deadline_ns)
{
	uint64_t soon_ns = connection->timeout_ns / 8 < 4 * NS_PER_S
				   ? connection->timeout_ns / 8
				   : 4 * NS_PER_S;
	struct iovec parts[3];
	ssize_t got;
	int rc;

	if (connection->have == SMB2_IN_BYTES)
		return smb2_broken(connection, "the replies are too long");
	if (clock_now_ns() + connection->timeout_ns > deadline_ns + soon_ns) {
		rc = smb2_wait(connection, POLLIN, deadline_ns);
		if (rc < 0)
			return rc;
	}
	got = readv(connection->fd, parts, find_parts(connection, parts));
	if (got > 0) {
		connection->have += (size_t)got;
		return 0;
	}
	if (got == 0)
		return smb2_lose(connection, -ECONNRESET,
				 "the server closed the connection");
	if (errno == EINTR)
		return 0;
	if (errno == EAGAIN)
		return smb2_lose(connection, -ETIMEDOUT,
				 "the server does not answer");
	return smb2_lose_in_call(connection);
}

/* Move the received bytes to the front of the buffer, unless there is room for
 * `needed` bytes or the caller still needs the replies that precede them. */
static void make_room(struct smb2_connection *connection, size_t needed)
{
	if (connection->answered != 0 || connection->used == 0 ||
	    SMB2_IN_BYTES - connection->used >= needed)
		return;
	connection->have -= connection->used;
	memmove(connection->in, connection->in + connection->used,
		connection->have);
	connection->used = 0;
}

/* Fill the gap in `in` from an offset in it. */
static void fill_gap(struct smb2_connection *connection, size_t from)
{
	size_t gap_end = connection->data_at + connection->data_max;
	size_t end = connection->have < gap_end ? connection->have : gap_end;

	if (from < end)
		memcpy(connection->in + from,
		       connection->data + (from - connection->data_at),
		       end - from);
}

void smb2_put_together(struct smb2_connection *connection)
{
	fill_gap(connection, connection->data_at);
	connection->apart = 0;
}

bool smb2_is_data(const uint8_t *message, size_t bytes)
{
	static const uint8_t protocol_id[4] = {0xfe, 'S', 'M', 'B'};
	const uint8_t *body = message + SMB2_HEADER_BYTES;

	return bytes >= DATA_AT &&
	       memcmp(message, protocol_id, sizeof(protocol_id)) == 0 &&
	       get_le32(message + 8) == 0 && /* the status */
	       get_le16(message + 12) == SMB2_READ &&
	       get_le32(message + 20) == 0 && /* no compound */
	       body[2] == DATA_AT && get_le32(body + 4) == bytes - DATA_AT;
}

/* Decide after the first message of an exchange if its data may stay in the
 * caller's buffer. Messages that follow it belong into `in`. */
static void close_gap(struct smb2_connection *connection, size_t bytes)
{
	const uint8_t *message = connection->in + SMB2_FRAME_BYTES;
	size_t end = SMB2_FRAME_BYTES + bytes, at = connection->data_at;
	bool fits = end > at && end - at <= connection->data_max;

	if (!connection->has_gap)
		return;
	connection->has_gap = false;
	/* The content of a sealed message is not known yet. */
	if (fits && (connection->seal ? smb2_is_sealed(message)
				      : smb2_is_data(message, bytes))) {
		connection->apart = end - at;
		at = end;
	}
	fill_gap(connection, at);
}

/* Set *length to that of the next message, or 0 if it is not known yet. */
static int find_length(struct smb2_connection *connection, uint32_t *length)
{
	*length = 0;
	if (connection->have - connection->used < SMB2_FRAME_BYTES)
		return 0;
	memcpy(length, connection->in + connection->used, sizeof(*length));
	*length = be32toh(*length);
	if (*length > SMB2_IN_BYTES - SMB2_FRAME_BYTES ||
	    *length < SMB2_HEADER_BYTES)
		return smb2_broken(connection,
				   "a reply has an invalid length");
	return 0;
}

int64_t smb2_receive(struct smb2_connection *connection, uint64_t deadline_ns,
		     uint8_t **message)
{
	uint32_t length;
	int rc;

	if (connection->answered == 0 && connection->have == connection->used)
		connection->have = connection->used = 0;
	if (connection->have > 0)
		connection->has_gap = false;
	connection->apart = 0;
	while ((rc = find_length(connection, &length)) == 0) {
		make_room(connection, SMB2_FRAME_BYTES + length);
		if (length != 0 &&
		    connection->have - connection->used >=
			    SMB2_FRAME_BYTES + length) {
			close_gap(connection, length);
			*message = connection->in + connection->used +
				   SMB2_FRAME_BYTES;
			connection->used += SMB2_FRAME_BYTES + length;
			return length;
		}
		rc = receive(connection, deadline_ns);
		if (rc < 0)
			break;
	}
	return rc;
}
